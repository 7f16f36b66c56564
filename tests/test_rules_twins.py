"""The rules core and a second, slow implementation of the rules, played side by side.

Hypothesis chooses sizes, options, steps and take-backs; after every step all that can be seen is compared. What is
done where the rule text is silent, the docstring of `slow_rules` says. The core agrees with all of it, but refuses two
things that the slow rules let through: an option that a game has no use for, and a line of one beside filled outer
columns.

``POPOUT_TWINS=10`` plays ten times as many steps.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from popout.rules import GAMES, RED, YELLOW, Game, IllegalMove, Phase, RuleSet, Side, parse_move
from popout.rules.errors import UnknownOption
from popout.rules.games import FLANKS
from popout.rules.options import OPTIONS, Option
from slow_rules import IllegalStep, SlowGame

STEPS = 10_000 * int(os.environ.get("POPOUT_TWINS", "1"))
"""Of each game; there are ten."""

SIDES: dict[str | None, Side | None] = {"X": RED, "O": YELLOW, None: None}
NUMBERS = {"target": st.integers(1, 6), "repetition": st.integers(2, 4), "move-cap": st.integers(1, 40)}


def values_of(option: Option) -> st.SearchStrategy[Any]:
    """The values of an option that are worth playing with."""
    if option.choices:
        return st.sampled_from(option.choices)
    if isinstance(option.default, bool):
        return st.booleans()
    return NUMBERS.get(option.name, st.integers(1, 14))


class Twins(RuleBasedStateMachine):
    """One game at a time, as the core and as the slow rules play it."""

    game: str
    steps = 0

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        flanked = FLANKS in GAMES[self.game].parts  # there a line of one is refused
        limits = {"columns": (1, 6), "rows": (1, 5), "connect": (1 + flanked, 5)}
        size = [data.draw(st.integers(*least_and_most), name) for name, least_and_most in limits.items()]
        options: dict[str, Any] = {}
        for option in OPTIONS:
            if option.means_something(GAMES[self.game].parts) and data.draw(st.integers(0, 2)) == 0:
                options[option.name] = data.draw(values_of(option), option.name)
        options["allow-unwinnable"] = True
        names = {name.replace("-", "_"): value for name, value in options.items()}
        self.core = [Game.start(RuleSet(self.game, *size, **names))]
        if options.get("first-popper") == "next":
            del options["first-popper"]  # the slow rules have no word for it
        self.slow = [SlowGame(self.game, *size, options)]
        self.compare()

    @rule(choices=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=12))
    def play(self, choices: list[int]) -> None:
        """Play on; from an end go back some way. Each number is four choices, which is faster to draw than four are."""
        for choice in b"".join(number.to_bytes(4, "big") for number in choices):
            legal = self.slow[-1].legal_steps()
            if not legal:
                self.take_back(choice)
                continue
            step = legal[choice % len(legal)]
            slow = self.slow[-1].copy()
            slow.play(step)
            self.slow.append(slow)
            self.core.append(self.core[-1].play(parse_move(step)))
            type(self).steps += 1
            self.compare()

    @rule(count=st.integers(0, 50))
    def take_back(self, count: int) -> None:
        count %= len(self.core)
        self.core = [*self.core[: len(self.core) - count - 1], self.core[-1].take_back(count)]
        self.slow = self.slow[: len(self.slow) - count]
        self.compare()

    @rule(kind=st.sampled_from("dpabwx"), column=st.integers(0, 10))
    def try_any_step(self, kind: str, column: int) -> None:
        step = f"{kind}{column}"
        if step in self.slow[-1].legal_steps():
            return
        with pytest.raises(IllegalMove):
            self.core[-1].play(parse_move(step))
        with pytest.raises(IllegalStep):
            self.slow[-1].copy().play(step)

    def compare(self) -> None:
        """All that can be seen of both."""
        slow, game = self.slow[-1], self.core[-1]
        position, outcome = game.position, game.outcome
        sides = (("X", RED), ("O", YELLOW))
        assert tuple("".join(column) for column in slow.columns) == position.grid
        assert (slow.result is None) is (outcome is None)
        if slow.result and outcome:
            assert (SIDES[slow.result[0]], slow.result[1]) == (outcome.winner, outcome.termination.value)
        else:
            assert slow.phase == position.phase.value
        assert SIDES[slow.turn] is game.turn
        assert slow.legal_steps() == sorted(map(str, game.legal_moves))
        for mark, side in sides:
            assert slow.kept[mark] == position.kept(side)
            assert slow.powers[mark] == {disc.value for disc in position.powers_left(side)}
            assert (slow.hands and slow.hands[mark]) == position.in_hand(side)
            assert slow.lines(mark) == {cell for line in position.lines(side) for cell in line}
        if not outcome and position.phase not in (Phase.BOMB, Phase.WALL, Phase.DOUBLE):
            assert slow.moves == game.turns
            assert slow.history.count(slow.history[-1]) == game.repetitions


@pytest.mark.parametrize("game", GAMES)
def test_the_core_and_the_slow_rules_agree_on_every_step(game: str) -> None:
    machine = type("TwinsOfOneGame", (Twins,), {"game": game, "steps": 0})
    chosen = settings(
        max_examples=40,
        stateful_step_count=8,
        database=None,
        phases=(Stage.generate,),
        suppress_health_check=list(HealthCheck),
    )
    attempt = 0
    while machine.steps < STEPS:
        attempt += 1
        run_state_machine_as_test(seed(attempt)(machine), settings=chosen)
    print(f"{game}: {machine.steps} steps")


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [("standard", "target", 3), ("popout", "judge", "also-landing"), ("pop10", "supply", 5), ("power", "flanks", "YY")],
)
def test_an_option_that_a_game_has_no_use_for_is_refused_by_the_core_and_ignored_by_the_slow_rules(
    game: str, option: str, value: object
) -> None:
    with pytest.raises(UnknownOption) as caught:
        RuleSet.parse(f"{game} {option}={value}")
    assert str(caught.value) == f'The option "{option}" means nothing in the game "{game}". Leave it out.'
    ignored = SlowGame(game, 7, 6, 4, {option: value})  # type: ignore[dict-item]
    assert ignored.legal_steps() == SlowGame(game, 7, 6, 4, {}).legal_steps()
