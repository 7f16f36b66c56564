"""The door of the solver: which way to go for which game, and what comes out of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from popout.opponent.errors import too_little_memory
from popout.opponent.general.exact import POSITION_BYTES, Graph, is_mid_turn
from popout.opponent.kernel.shape import MOST_PLIES, Shape, shape_of
from popout.opponent.solver.search import LEAST_BYTES, Search
from popout.opponent.solver.tables import EndTable, table_bytes, table_seconds
from popout.opponent.solver.watch import Progress, Watch
from popout.opponent.verdicts import DRAWN, Verdict, Worth, before, lost_in, unknown, won_in
from popout.rules import Move, Position, RuleSet

MIB: Final = 1 << 20
LEAST_MEMORY: Final = 2 * LEAST_BYTES
USUAL_MEMORY: Final = 64 * MIB
FIRST_LOOK: Final = 0.25
"""How long wins are searched before the table of a whole game is begun, as part of the time that the table is expected
to take: where somebody wins, that is found much sooner."""

_Tell = Callable[[Progress], None] | None


class Solver:
    """What positions of one game are worth, proved and not guessed.

    There are three ways, and the rules, the size and the memory say which can be gone: the table of all positions of a
    small grid; the search for a win within so many turns, which finds wins on larger grids, and draws where the game
    has a last turn; the graph of all positions that can be reached, for every other game, as long as there are few.

    Endless play is a draw. That a position has occurred before, a cap on moves, and what players agree on do not count.

    :param memory: bytes that it may take, above what the program takes anyway.
    :param cores: how many of the processor's cores it may use; uncompiled, one is all that is of use.
    :raises NotEnoughMemory: that is less than `LEAST_MEMORY`.
    """

    def __init__(self, rules: RuleSet, memory: int = USUAL_MEMORY, cores: int = 1) -> None:
        if memory < LEAST_MEMORY:
            raise too_little_memory(memory // MIB, LEAST_MEMORY // MIB)
        self.rules = rules
        self._memory = memory
        self._cores = cores
        self._shape: Shape | None = shape_of(rules)
        size = table_bytes(rules)
        self._table_fits = size is not None and size <= memory - LEAST_BYTES
        self._table: EndTable | None = None
        self._search: Search | None = None
        self._graph: Graph | None = None
        self._graph_positions = 0
        self._searched_before = 0
        self._watch = Watch()

    @property
    def memory(self) -> int:
        """The bytes that the way takes which is gone for this game, and no more."""
        size = table_bytes(self.rules)
        if self._table_fits and size is not None:
            return size + (LEAST_BYTES if self._shape else 0)
        return self._memory

    @property
    def positions(self) -> int:
        """How many positions were looked at so far."""
        searched = self._searched_before + (self._search.positions if self._search else 0)
        return searched + self._graph_positions + (self._table.positions if self._table else 0)

    def stop(self) -> None:
        """End what is being worked out now, from any thread; it says what it has found out."""
        self._watch.stop()

    def value(
        self,
        position: Position,
        most_plies: int | None = None,
        deadline: float | None = None,
        progress: _Tell = None,
    ) -> Verdict:
        """What a position is worth to the side to move.

        :param most_plies: look no further than so many turns. :param deadline: stop then, by `time.monotonic`.
        :param progress: told some times a second how far it is; what it raises ends the work and is passed on.
        :raises NotEnoughMemory: the memory that was allowed is not there.
        """
        self._watch = Watch(deadline, progress)
        return self._values([position], most_plies, position)[0]

    def moves(
        self,
        position: Position,
        most_plies: int | None = None,
        deadline: float | None = None,
        progress: _Tell = None,
    ) -> Mapping[Move, Verdict]:
        """What each legal move is worth to the side that makes it; all are looked at to the same depth.

        See `value`.
        """
        self._watch = Watch(deadline, progress)
        moves = position.legal_moves
        after = [position.play(move) for move in moves]
        further = None if most_plies is None else max(0, most_plies - 1)
        values = self._values(after, further, position)
        return {move: _of_move(position, then, value) for move, then, value in zip(moves, after, values, strict=True)}

    def line(
        self, position: Position, most: int = 200, deadline: float | None = None, progress: _Tell = None
    ) -> list[Move]:
        """How the game goes on if both do their best, until it ends, a position comes again, or nothing is known."""
        self._watch = Watch(deadline, progress)
        found: list[Move] = []
        verdict = self._values([position], None, position)[0]
        seen = {position}
        while position.ended is None and verdict.worth is not Worth.UNKNOWN and len(found) < most:
            best = self._best(position, verdict)
            if best is None:
                break
            move, position, verdict = best
            found.append(move)
            if position in seen:
                break
            seen.add(position)
        return found

    def wins_within(
        self, position: Position, plies: int, deadline: float | None = None, progress: _Tell = None
    ) -> bool | None:
        """Whether the side to move can force a win within so many turns; None if it is not known by then.

        It is asked first without pops that do not win at once, which is faster where the answer is yes.

        :raises ValueError: the search does not know this game.
        """
        if self._shape is None:
            raise ValueError(f"no search for {self.rules}")
        self._watch = Watch(deadline, progress)
        if self._shape.pops and self._asked(position, plies, by_mover=True, quiet=True):
            return True
        return self._asked(position, plies, by_mover=True)

    def _values(self, positions: list[Position], most: int | None, root: Position) -> list[Verdict]:
        """What each of these positions is worth, if that can be found out in time; `root` leads to all of them."""
        found = [_of_end(position) or self._known(position) or unknown() for position in positions]
        if all(map(_is_settled, found)):
            return found
        if self._shape is None and not self._table_fits:
            self._make_graph(root)
            return [self._known(position) or unknown() for position in positions]
        wants_table = self._wants_table(most)
        if self._shape is not None:
            with self._watch.no_longer_than(self._first_look() if wants_table else math.inf):
                self._look_for_wins(positions, found, MOST_PLIES if most is None else most)
        if wants_table and not all(map(_is_settled, found)):
            table = self._end_table()
            table.work(self._watch)
            for at, position in enumerate(positions):
                read = table.verdict(position)
                if read and not _is_settled(found[at]) and (_is_settled(read) or read.searched > found[at].searched):
                    found[at] = read
        return found

    def _known(self, position: Position) -> Verdict | None:
        """What a position is worth, if it only has to be looked up."""
        verdict = _of_end(position)
        if verdict is None and self._table and self._table.is_done:
            verdict = self._table.verdict(position)
        if verdict is None and self._graph:
            verdict = self._graph.verdict(position)
        return verdict

    def _make_graph(self, root: Position) -> None:
        already = self.positions

        def is_over(positions: int) -> bool:
            self._watch.tell(already + positions, 0)
            return self._watch.is_over

        self._graph = None  # so that there are never two
        self._graph = Graph(root, self._memory // POSITION_BYTES, is_over)
        self._graph_positions += self._graph.positions

    def _wants_table(self, most: int | None) -> bool:
        """Whether the table of the whole game is the way, and can be had in time."""
        if not self._table_fits or (most is not None and self._shape is not None):
            return False
        seconds = self._watch.seconds
        if seconds is None or self._shape is None or self._table is not None:
            return True
        return table_seconds(self.rules, self._cores) <= seconds

    def _first_look(self) -> float:
        """For how many seconds wins are searched before the table is begun, or gone on with."""
        return 0.0 if self._table else FIRST_LOOK * table_seconds(self.rules, self._cores)

    def _end_table(self) -> EndTable:
        if self._table is None:
            if self._search:  # what it has taken is taken by the table
                self._searched_before += self._search.positions
                self._search = None
            self._table = EndTable(self.rules, self._cores)
        return self._table

    def _look_for_wins(self, positions: list[Position], found: list[Verdict], most: int) -> None:
        """Ask who wins within one turn, two turns, and so on, and write what comes out into `found`."""
        for turns in range(1, min(most, MOST_PLIES) + 1):
            still_open = [at for at, verdict in enumerate(found) if not _is_settled(verdict)]
            for at in still_open:
                by_mover = turns % 2 == 1
                yes = self._asked(positions[at], turns, by_mover=by_mover)
                if yes is None:
                    return
                if yes:
                    found[at] = won_in(turns) if by_mover else lost_in(turns)
                elif turns >= _last_turn(positions[at]):
                    found[at] = DRAWN
                else:
                    found[at] = unknown(turns)
            if not still_open:
                return

    def _asked(self, position: Position, turns: int, *, by_mover: bool, quiet: bool = False) -> bool | None:
        """Whether a side wins within so many turns: the one to move or the other; None if it is not known in time."""
        assert self._shape is not None, "all others are never asked"
        if self._search is None:
            taken = self._table.size if self._table else 0
            self._search = Search(self._shape, max(LEAST_BYTES, self.memory - taken), self._cores)
        own, other = position.own, position.other
        return self._search.ask(own, other, turns, by_mover=by_mover, quiet=quiet, watch=self._watch)

    def _best(self, position: Position, verdict: Verdict) -> tuple[Move, Position, Verdict] | None:
        """A best move, where it leads, and what that is worth; None if it was not found in time."""
        middle = (self.rules.width + 1) / 2
        for move in sorted(position.legal_moves, key=lambda move: abs(getattr(move, "column", middle) - middle)):
            after = position.play(move)
            wanted = _after_move(position, after, verdict)
            known = self._known(after)
            if known.worth is wanted.worth and known.plies == wanted.plies if known else self._is_worth(after, wanted):
                return move, after, wanted
        return None

    def _is_worth(self, position: Position, verdict: Verdict) -> bool:
        """Whether a position is worth what the best move before it must lead to; the search is asked."""
        if verdict.worth is Worth.LOSS:
            return self._asked(position, verdict.plies or 0, by_mover=False) is True
        if verdict.worth is Worth.WIN:
            sooner = (verdict.plies or 0) - 2
            return sooner < 1 or self._asked(position, sooner, by_mover=True) is False
        return self._asked(position, min(_last_turn(position), MOST_PLIES), by_mover=True) is False


def _is_settled(verdict: Verdict) -> bool:
    return verdict.worth is not Worth.UNKNOWN


def _of_end(position: Position) -> Verdict | None:
    """What a position is worth in which the game is over; None if it is not."""
    if position.ended is None:
        return None
    if position.ended.winner is None:
        return DRAWN
    return won_in(0) if position.ended.winner is position.turn else lost_in(0)


def _last_turn(position: Position) -> int:
    """After how many turns the game is over at the latest."""
    rules = position.rules
    return 1 << 30 if rules.pops else (rules.grid.full & ~(position.own | position.other)).bit_count()


def _of_move(position: Position, after: Position, verdict: Verdict) -> Verdict:
    return before(verdict, same_side=after.turn is position.turn, same_turn=is_mid_turn(after))


def _after_move(position: Position, after: Position, verdict: Verdict) -> Verdict:
    """What the position after a move is worth, if the move is worth this: the other way round than `_of_move`."""
    turned = before(verdict, same_side=after.turn is position.turn, same_turn=True)
    nearer = 0 if is_mid_turn(after) or turned.plies is None else 1
    return turned if turned.plies is None else turned._replace(plies=turned.plies - nearer)
