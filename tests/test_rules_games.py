"""The games: their names, what they are made of, which may be combined, and how others play."""

from __future__ import annotations

import pytest

from popout.rules import GAMES, RuleSet, RuleSetError
from popout.rules.games import PRESETS
from popout.rules.options import OPTIONS

EVERYWHERE = {"repetition", "move-cap", "first", "allow-unwinnable"}
OF_POPS = {"both-lines", "full-grid", "empty-grid", "supply"}
OF_POWERS = {"both-lines", "powers", "judge", "wall-first-may-win", "supply"}
OF_POP10 = {"target", "first-popper", "pop10-stuck"}


def refusal(text: str) -> tuple[str, str]:
    with pytest.raises(RuleSetError) as caught:
        RuleSet.parse(text)
    return caught.value.code, str(caught.value)


def test_every_game_has_a_title() -> None:
    assert {name: str(kind.title) for name, kind in GAMES.items()} == {
        "standard": "The original",
        "popout": "Pop Out",
        "pop10": "Pop 10",
        "five": "5-in-a-Row",
        "power": "Power Up",
        "five+pop": "5-in-a-Row with Pop Out",
        "power+pop": "Power Up with Pop Out",
        "five+power": "5-in-a-Row with Power Up",
        "five+power+pop": "5-in-a-Row with Power Up and Pop Out",
        "pop10+five": "Pop 10 with 5-in-a-Row",
    }


def test_every_game_has_one_sentence_that_says_what_it_is() -> None:
    texts = [str(kind.text) for kind in GAMES.values()]
    assert all(text.endswith(".") and text.count(".") == 1 for text in texts)
    assert len(set(texts)) == len(texts)


def test_a_game_is_made_of_parts() -> None:
    assert {name: (kind.pops, kind.usual_connect) for name, kind in GAMES.items()} == {
        "standard": (False, 4),
        "popout": (True, 4),
        "pop10": (True, 4),
        "five": (False, 5),
        "power": (False, 4),
        "five+pop": (True, 5),
        "power+pop": (True, 4),
        "five+power": (False, 5),
        "five+power+pop": (True, 5),
        "pop10+five": (True, 5),
    }


def test_a_rule_set_knows_what_its_game_is_made_of() -> None:
    facts = {}
    for name in GAMES:
        rules = RuleSet(name)
        facts[name] = (rules.pops, rules.keeps, bool(rules.power_discs), rules.first_column, rules.width)
    assert facts == {
        "standard": (False, False, False, 1, 7),
        "popout": (True, False, False, 1, 7),
        "pop10": (False, True, False, 1, 7),
        "five": (False, False, False, 2, 9),
        "power": (False, False, True, 1, 7),
        "five+pop": (True, False, False, 2, 9),
        "power+pop": (True, False, True, 1, 7),
        "five+power": (False, False, True, 2, 9),
        "five+power+pop": (True, False, True, 2, 9),
        "pop10+five": (False, True, False, 2, 9),
    }


@pytest.mark.parametrize(
    ("written", "game"),
    [
        ("pop", "popout"),
        ("five+popout", "five+pop"),
        ("pop+five", "five+pop"),
        ("popout+five", "five+pop"),
        ("pop+power", "power+pop"),
        ("power+five", "five+power"),
        ("pop+power+five", "five+power+pop"),
        ("power+popout+five", "five+power+pop"),
        ("five+pop10", "pop10+five"),
        ("FIVE+Pop", "five+pop"),
    ],
)
def test_games_are_joined_in_any_order(written: str, game: str) -> None:
    rules = RuleSet.parse(f"{written} 6x5")
    assert (rules.game, rules) == (game, RuleSet(game, 6, 5))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pop10+popout",
         "Pop 10 cannot be combined with Pop Out: no rule says what a disc that is popped would do."),
        ("pop+pop10", "Pop 10 cannot be combined with Pop Out: no rule says what a disc that is popped would do."),
        ("pop10+power", "Pop 10 cannot be combined with Power Up: no rule says what a power disc would do in it."),
        ("five+pop10+power",
         "Pop 10 cannot be combined with Power Up: no rule says what a power disc would do in it."),
        ("standard+five",
         "The original is not combined with another game: leave it out of standard+five."),
        ("five+five", "five+five names a game twice. Leave one of the two out."),
        ("pop+popout", "pop+popout names a game twice. Leave one of the two out."),
        ("five+chess", f'There is no game "chess". Choose one of: {", ".join(GAMES)}.'),
        ("five+", f'There is no game "". Choose one of: {", ".join(GAMES)}.'),
        ("powr+pop", 'There is no game "powr". Did you mean "power"?'),
        ("joly", 'There is no game "joly". Did you mean "jocly"?'),
    ],
)  # fmt: skip
def test_games_that_make_no_sense_together_are_refused_with_the_reason(text: str, sentence: str) -> None:
    assert refusal(text) == ("unknown-game", sentence)


# Options


def test_every_game_has_the_options_that_mean_something_in_it() -> None:
    found = {
        name: {option.name for option in OPTIONS if option.means_something(kind.parts)} for name, kind in GAMES.items()
    }
    assert found == {
        "standard": EVERYWHERE | {"supply"},
        "popout": EVERYWHERE | OF_POPS,
        "pop10": EVERYWHERE | OF_POP10,
        "five": EVERYWHERE | {"supply", "flanks"},
        "power": EVERYWHERE | OF_POWERS,
        "five+pop": EVERYWHERE | OF_POPS | {"flanks"},
        "power+pop": EVERYWHERE | OF_POPS | OF_POWERS,
        "five+power": EVERYWHERE | OF_POWERS | {"flanks"},
        "five+power+pop": EVERYWHERE | OF_POPS | OF_POWERS | {"flanks"},
        "pop10+five": EVERYWHERE | OF_POP10 | {"flanks"},
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_is_written_into_its_records_and_read_back(game: str) -> None:
    rules = RuleSet(game)
    for option in OPTIONS:
        assert (f" {option.name}=" in rules.text) is option.means_something(GAMES[game].parts)
    assert RuleSet.parse(rules.text) == RuleSet.parse(rules.short_text) == rules
    assert rules.short_text == f"{game} 7x6 connect={rules.connect}"


@pytest.mark.parametrize("game", GAMES)
def test_an_option_that_means_nothing_in_a_game_is_refused(game: str) -> None:
    values = {"supply": 5, "target": 3, "wall-first-may-win": "no"}
    for option in OPTIONS:
        if not option.means_something(GAMES[game].parts):
            value = values.get(option.name) or option.choices[-1 if option.default != option.choices[-1] else 0]
            assert refusal(f"{game} {option.name}={value}") == (
                "unknown-option",
                f'The option "{option.name}" means nothing in the game "{game}". Leave it out.',
            )


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("target=0", 'The option "target" cannot be "0". Write a whole number from 1 to 999999999.'),
        ("target=ten", 'The option "target" cannot be "ten". Write a whole number from 1 to 999999999.'),
        ("first-popper=blue",
         'The option "first-popper" cannot be "blue". Choose one of: next, red, yellow.'),
        ("pop10-stuck=pass", 'The option "pop10-stuck" cannot be "pass". Choose one of: end, put-back.'),
    ],
)  # fmt: skip
def test_a_value_that_an_option_of_pop_10_cannot_have_is_refused(option: str, sentence: str) -> None:
    assert refusal(f"pop10 {option}") == ("option-value", sentence)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("flanks=RB", 'The option "flanks" cannot be "rb". Choose one of: RR, YY, RY, YR.'),
        ("powers=q",
         'The option "powers" cannot be "q". Choose one of: '
         "a, b, w, x, ab, aw, ax, bw, bx, wx, abw, abx, awx, bwx, abwx."),
        ("judge=landing", 'The option "judge" cannot be "landing". Choose one of: after, also-landing.'),
        ("wall-first-may-win=maybe", 'The option "wall-first-may-win" cannot be "maybe". Choose one of: yes, no.'),
    ],
)  # fmt: skip
def test_a_value_that_an_option_of_power_up_or_5_in_a_row_cannot_have_is_refused(option: str, sentence: str) -> None:
    assert refusal(f"five+power {option}") == ("option-value", sentence)


def test_letters_of_options_may_be_small() -> None:
    assert RuleSet.parse("five flanks=ry").flanks == "RY"


# How others play


@pytest.mark.parametrize(
    ("preset", "rules"),
    [
        ("four-the-win", "popout full-grid=continue empty-grid=continue repetition=3"),
        ("thesis-2014", "popout full-grid=claim empty-grid=continue"),
        ("jocly", "popout both-lines=draw full-grid=continue repetition=3"),
        ("drop-out-1979", "popout both-lines=other"),
    ],
)
def test_a_preset_is_pop_out_by_anothers_conventions(preset: str, rules: str) -> None:
    assert RuleSet.parse(preset) == RuleSet.parse(rules)
    assert RuleSet.parse(f"{preset} 9x7 both-lines=draw") == RuleSet.parse(
        f"{rules} 9x7".replace(" both-lines=other", "").replace(" both-lines=draw", "") + " both-lines=draw"
    )


def test_every_preset_is_tested() -> None:
    assert list(PRESETS) == ["four-the-win", "thesis-2014", "jocly", "drop-out-1979"]


def test_a_preset_is_no_game_to_be_combined() -> None:
    assert refusal("jocly+five")[0] == "unknown-game"
