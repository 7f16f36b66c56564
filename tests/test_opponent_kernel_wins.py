"""The search with two answers says of random positions what trying everything on the rules core says."""

from __future__ import annotations

import pytest

from kernel_positions import KNOWN, game_positions, wins_within
from popout.opponent.kernel.compiling import Words, words
from popout.opponent.kernel.moves import MOVES
from popout.opponent.kernel.shape import MOST_PLIES, Shape, shape_of
from popout.opponent.kernel.table import DATA_BITS, FEWEST_BITS, best_move, says_no, says_yes, with_answer
from popout.opponent.kernel.wins import NODES, STOP, wins
from popout.rules import Pop, Position, RuleSet, Termination, parse_position

SMALL = [rules for rules in KNOWN if RuleSet.parse(rules).columns <= 5] + ["popout 7x1 connect=3"]
DEEPEST = 5


class Asking:
    """Questions to the kernel, about one game, with one table."""

    def __init__(self, rules: str) -> None:
        shape = shape_of(RuleSet.parse(rules))
        assert shape is not None
        self.shape: Shape = shape
        self.table = words(1 << FEWEST_BITS)
        self.counters = words(2)
        self._own: tuple[Words, Words, Words] = (
            words(2 * MOVES),
            words((MOST_PLIES + 1) * MOVES),
            words((MOST_PLIES + 1) * MOVES),
        )

    def __call__(self, position: Position, plies: int, *, by_mover: bool, quiet: bool = False) -> bool:
        return bool(
            wins(
                self.shape,
                position.own,
                position.other,
                plies,
                int(by_mover),
                int(quiet),
                self.table,
                FEWEST_BITS,
                *self._own,
                self.counters,
            )
        )


@pytest.mark.parametrize("rules", SMALL)
def test_who_wins_soon(rules: str):
    ask = Asking(rules)
    for position in list(game_positions(rules, games=5))[::3]:
        if position.ended is None:
            for plies in range(1, DEEPEST + 1):
                for by_mover in (True, False):
                    assert ask(position, plies, by_mover=by_mover) == wins_within(position, plies, by_mover)


@pytest.mark.parametrize("rules", ["popout 4x4 connect=3", "five+pop 3x3 connect=3"])
def test_a_win_without_quiet_pops_is_a_win(rules: str):
    ask = Asking(rules)
    for position in game_positions(rules, games=5):
        if position.ended is None and ask(position, DEEPEST, by_mover=True, quiet=True):
            assert wins_within(position, DEEPEST, True)


def test_a_new_entry_says_nothing():
    """Nor does it seem to, where the number of a position is zero as far as an entry keeps it."""
    for plies in range(1, MOST_PLIES + 1):
        assert not says_no(0, plies)
        assert not says_yes(0, plies)
    assert best_move(0) == -1


def test_an_entry_keeps_the_strongest_of_both_answers_and_the_newest_move():
    entry = with_answer(0, 9, False, 3)
    entry = with_answer(entry, 7, False, -1)
    entry = with_answer(entry, 15, True, 37)
    entry = with_answer(entry, MOST_PLIES, True, 38)

    assert [plies for plies in range(1, MOST_PLIES + 1) if says_no(entry, plies)] == list(range(1, 10))
    assert [plies for plies in range(1, MOST_PLIES + 1) if says_yes(entry, plies)] == list(range(15, MOST_PLIES + 1))
    assert best_move(entry) == 38
    assert 0 <= entry < 1 << DATA_BITS


def test_what_is_stopped_says_and_keeps_nothing():
    ask = Asking("popout 4x4 connect=3")
    start = Position.start(RuleSet.parse("popout 4x4 connect=3"))
    ask.counters[STOP] = 1

    assert not ask(start, 9, by_mover=True)
    assert not any(ask.table)

    ask.counters[STOP] = 0
    assert ask(start, 9, by_mover=True)
    assert ask.counters[NODES] > 100


def test_a_popped_line_of_both_wins_for_whom_the_rules_say():
    drawing = """
        . . . .
        X . O .
        O X X .
        X O O .
        X to move
    """
    answers = {}
    for both in ("mover", "draw", "other"):
        rules = f"popout 4x4 connect=3 both-lines={both}"
        position = parse_position(drawing, RuleSet.parse(rules))
        answers[both] = Asking(rules)(position, 1, by_mover=True)
        assert position.play(Pop(1)).outcome.termination is Termination.BOTH_LINES

    assert answers == {"mover": True, "draw": False, "other": False}
