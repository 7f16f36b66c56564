"""All positions of a small grid, worked out from the end by all cores, and looked up."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Final

from popout.opponent.errors import no_memory_left
from popout.opponent.kernel import retrograde
from popout.opponent.kernel.compiling import COMPILED, octets, words
from popout.opponent.kernel.shape import shape_of
from popout.opponent.solver.watch import BREATH_S, Watch
from popout.opponent.verdicts import DRAWN, Verdict, lost_in, unknown, won_in
from popout.rules import Position, RuleSet
from popout.rules.position import flank_discs

MIB: Final = 1 << 20
PORTION: Final = 1 << 19 if COMPILED else 1 << 11
"""Positions that a thread looks through between two looks at the watch."""
SPEED: Final = 2_000_000 if COMPILED else 15_000
"""Positions a second and core, all layers together, on a machine of the slow kind."""


def table_bytes(rules: RuleSet) -> int | None:
    """The memory that the table of a game takes; None if the kernel does not know its rules, or not this grid."""
    shape = shape_of(rules, full_may_go_on=True)
    return None if shape is None else retrograde.size(shape)


def table_seconds(rules: RuleSet, cores: int) -> float:
    """About how long the table of a game takes, for a decision what to do first."""
    return (table_bytes(rules) or 0) / SPEED / (cores if COMPILED else 1)


class EndTable:
    """The table of one game, done by and by.

    :raises NotEnoughMemory: there is not as much as `table_bytes` says.
    """

    def __init__(self, rules: RuleSet, cores: int = 1) -> None:
        shape = shape_of(rules, full_may_go_on=True)
        assert shape is not None, "its maker asked for its size"
        self._rules, self._shape = rules, shape
        self._cores = cores if COMPILED else 1
        self._red_flanks = flank_discs(rules)[0]
        self.size = retrograde.size(shape)
        try:
            self._table = octets(self.size)
        except MemoryError:
            raise no_memory_left(self.size // MIB) from None
        self._blocks = retrograde.blocks(shape)
        self._step = max(1, PORTION // retrograde.states(shape))
        self._ended_blocks = 0
        self.layers = 0
        self.is_done = False

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return self.size if self._ended_blocks else 0

    def work(self, watch: Watch) -> bool:
        """Go on until the table is done or it is enough; whether it is done. The next time goes on from there."""
        if self._ended_blocks < self._blocks:
            self._find_ends(watch)
        while self._ended_blocks == self._blocks and not self.is_done:
            found = self._add_layer(watch)
            if found is None:
                return False
            if found == 0:
                self.is_done = True
            elif self.layers == retrograde.MOST_TURNS - 1:
                return False
            else:
                self.layers += 1
        return self.is_done

    def verdict(self, position: Position) -> Verdict | None:
        """What a position is worth; `Worth.UNKNOWN` while the table is not done, None where that says nothing yet."""
        if not self._shape.empty_ends or position.own | position.other != self._shape.flanks:
            return self._of_code(self._code(position.own, position.other))
        # The grid before the first move is that which pops have emptied, where the game would be over.
        after = [self._code(each.own, each.other) for each in map(position.play, position.legal_moves)]
        wins = [retrograde.turns(code) + 1 for code in after if retrograde.is_lost(code)]
        if wins:
            return won_in(min(wins))
        if all(retrograde.is_won(code) for code in after):
            return lost_in(max(retrograde.turns(code) + 1 for code in after))
        return self._of_code(retrograde.UNDECIDED)

    def _code(self, own: int, other: int) -> int:
        return int(self._table[retrograde.place_of(self._shape, self._red_flanks, own, other)])

    def _of_code(self, code: int) -> Verdict | None:
        if retrograde.is_won(code):
            return won_in(retrograde.turns(code))
        if retrograde.is_lost(code):
            return lost_in(retrograde.turns(code))
        if self.is_done or code == retrograde.DRAWN_END:
            return DRAWN
        return unknown(self.layers) if self._ended_blocks == self._blocks else None

    def _find_ends(self, watch: Watch) -> None:
        def find(begin: int, end: int) -> int:
            return int(retrograde.find_ends(self._shape, self._red_flanks, self._table, begin, end))

        done = self._shared_out(find, watch)
        if done is not None:
            self._ended_blocks = self._blocks

    def _add_layer(self, watch: Watch) -> int | None:
        def add(begin: int, end: int) -> int:
            mine = words(retrograde.SCRATCH)
            return int(retrograde.add_layer(self._shape, self._table, self.layers, begin, end, mine))

        return self._shared_out(add, watch)

    def _shared_out(self, work: Callable[[int, int], int], watch: Watch) -> int | None:
        """Do all blocks, by all cores, and add up what comes out; None if it was stopped before."""
        portions = iter(range(0, self._blocks, self._step))
        found: list[int] = []
        failures: list[BaseException] = []
        lock, stopped, finished = Lock(), Event(), Event()

        def next_portion() -> int | None:
            with lock:
                return None if stopped.is_set() else next(portions, None)

        def run() -> None:
            try:
                while (begin := next_portion()) is not None:
                    found.append(work(begin, min(begin + self._step, self._blocks)))
            except BaseException as error:
                failures.append(error)
                stopped.set()
            finished.set()

        threads = [Thread(target=run, daemon=True) for _ in range(self._cores)]
        try:
            for thread in threads:
                thread.start()
            while not finished.wait(BREATH_S) and not watch.is_over:
                watch.tell(self.size, self.layers, len(found) * self._step / self._blocks)
        finally:
            if not finished.is_set():
                stopped.set()
            for thread in threads:
                thread.join()
        if failures:
            raise failures[0]
        return None if len(found) * self._step < self._blocks else sum(found)
