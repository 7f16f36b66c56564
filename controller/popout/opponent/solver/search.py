"""The search with two answers, on all cores that it may use: threads that share what they find out.

Each thread asks the same question but looks at moves in an order of its own, so that they find out different things and
one finishes first. Compiled, they run at the same time; uncompiled one thread is all that is of use.
"""

from __future__ import annotations

import random
from threading import Event, Thread
from typing import Final

from popout.opponent.errors import no_memory_left, too_little_memory
from popout.opponent.kernel.compiling import COMPILED, Words, words
from popout.opponent.kernel.moves import MOVES
from popout.opponent.kernel.shape import MOST_PLIES, Shape
from popout.opponent.kernel.table import FEWEST_BITS
from popout.opponent.kernel.wins import NODES, STOP, wins
from popout.opponent.solver.watch import BREATH_S, Watch

MIB: Final = 1 << 20
ENTRY_BYTES: Final = 8
LEAST_BYTES: Final = ENTRY_BYTES << FEWEST_BITS
"""Of the smallest table."""
MOST_BITS: Final = 32
ALONE: Final = 9
"""Questions that look no further are answered faster than threads are started."""
SPREAD: Final = 2
"""How much the threads but the first differ in their first opinion of moves: as little as can be. What they find out
makes them differ more, and in a worse order everything would take longer."""


class Search:
    """One table of what is known of positions of one shape, and the threads that fill it.

    :param memory: bytes that the table may take; it takes the largest power of two that fits.
    :raises NotEnoughMemory: that is less than `LEAST_BYTES`, or cannot be had.
    """

    def __init__(self, shape: Shape, memory: int, cores: int = 1) -> None:
        if memory < LEAST_BYTES:
            raise too_little_memory(memory // MIB, LEAST_BYTES // MIB)
        self._shape = shape
        self._bits = min(MOST_BITS, (memory // ENTRY_BYTES).bit_length() - 1)
        self._table = self._new_table()
        self._quiet = False
        self._workers = [_Worker(number) for number in range(cores if COMPILED else 1)]

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(int(worker.counters[NODES]) for worker in self._workers)

    def ask(
        self, own: int, other: int, plies: int, *, by_mover: bool, quiet: bool = False, watch: Watch | None = None
    ) -> bool | None:
        """Whether a side wins within `plies` turns: with `by_mover` the side to move, otherwise the other.

        None if it was stopped before it knew. With `quiet` that side makes no pop that does not win at once: yes is the
        truth, no may not be. What was found out without it is forgotten then, and the other way round.
        """
        watch = watch or Watch()
        if quiet != self._quiet:
            self._quiet = quiet
            del self._table
            self._table = self._new_table()
        question = (own, other, min(plies, MOST_PLIES), int(by_mover), int(quiet))
        for worker in self._workers:
            worker.counters[STOP] = 0
        if plies <= ALONE:
            return None if watch.is_over else self._workers[0].answer(self._shape, question, self._table, self._bits)
        answers: list[bool] = []
        failures: list[BaseException] = []
        done = Event()

        def work(worker: _Worker) -> None:
            try:
                answer = worker.answer(self._shape, question, self._table, self._bits)
                if not worker.counters[STOP]:
                    answers.append(answer)
            except BaseException as error:
                failures.append(error)
            done.set()

        threads = [Thread(target=work, args=(worker,), daemon=True) for worker in self._workers]
        try:
            for thread in threads:
                thread.start()
            while not done.wait(BREATH_S) and not watch.is_over:
                watch.tell(self.positions, plies)
        finally:
            for worker in self._workers:
                worker.counters[STOP] = 1
            for thread in threads:
                thread.join()
        if failures:
            raise failures[0]
        return answers[0] if answers else None

    def _new_table(self) -> Words:
        try:
            return words(1 << self._bits)
        except MemoryError:
            raise no_memory_left((ENTRY_BYTES << self._bits) // MIB) from None


_Question = tuple[int, int, int, int, int]


class _Worker:
    """What each thread has for itself."""

    def __init__(self, number: int) -> None:
        self.counters = words(2)
        self._moves = words((MOST_PLIES + 1) * MOVES)
        self._scores = words((MOST_PLIES + 1) * MOVES)
        self._history = words(2 * MOVES)
        if number:
            chance = random.Random(number)
            for at in range(2 * MOVES):
                self._history[at] = chance.randrange(SPREAD)

    def answer(self, shape: Shape, question: _Question, table: Words, bits: int) -> bool:
        own, other, plies, attacking, quiet = question
        history, moves, scores, counters = self._history, self._moves, self._scores, self.counters
        found = wins(shape, own, other, plies, attacking, quiet, table, bits, history, moves, scores, counters)
        return bool(found)
