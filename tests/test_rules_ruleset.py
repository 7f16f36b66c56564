"""Rule sets: reading and writing them, and what each refusal says."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from popout.rules import GAMES, RED, YELLOW, RuleSet, RuleSetError
from popout.rules.options import OPTIONS

ALL_OPTIONS = (
    "connect, both-lines, full-grid, empty-grid, target, first-popper, pop10-stuck, flanks, powers, judge, "
    "wall-first-may-win, repetition, move-cap, supply, first, allow-unwinnable"
)
ALL_GAMES = "standard, popout, pop10, five, power, five+pop, power+pop, five+power, five+power+pop, pop10+five"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("popout", RuleSet()),
        ("standard", RuleSet("standard", 7, 6, 4)),
        ("popout 9x7", RuleSet("popout", 9, 7)),
        ("  POPOUT\t7X6  Connect=5 ", RuleSet("popout", 7, 6, 5)),
        ("popout connect=3 3x3", RuleSet("popout", 3, 3, 3)),
        ("popout 007x06", RuleSet()),
        ("popout 32x32 connect=32", RuleSet("popout", 32, 32, 32)),
        ("popout 1x1 connect=2 allow-unwinnable=yes", RuleSet("popout", 1, 1, 2, allow_unwinnable=True)),
        ("popout connect=1 allow-unwinnable=yes", RuleSet(connect=1, allow_unwinnable=True)),
        ("popout full-grid=claim empty-grid=continue both-lines=draw",
         RuleSet(full_grid="claim", empty_grid="continue", both_lines="draw")),
        ("popout repetition=3 move-cap=200 supply=21 first=yellow",
         RuleSet(repetition=3, move_cap=200, supply=21, first="yellow")),
    ],
)  # fmt: skip
def test_a_rule_set_is_read_from_a_line(text: str, rules: RuleSet) -> None:
    assert RuleSet.parse(text) == rules
    assert hash(RuleSet.parse(text)) == hash(rules)


def test_the_whole_text_has_every_option_that_means_something_in_the_game() -> None:
    assert RuleSet().text == (
        "popout 7x6 connect=4 both-lines=mover full-grid=draw empty-grid=draw "
        "repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no"
    )
    assert RuleSet("standard").text == (
        "standard 7x6 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no"
    )


def test_the_short_text_has_what_differs() -> None:
    assert str(RuleSet()) == RuleSet().short_text == "popout 7x6 connect=4"
    assert RuleSet("standard", 9, 7, 5, supply=30).short_text == "standard 9x7 connect=5 supply=30"


def test_both_texts_are_read_back_as_the_same_rules() -> None:
    rules = RuleSet("popout", 12, 1, 6, full_grid="claim", move_cap=999_999_999, first="yellow")
    assert RuleSet.parse(rules.text) == RuleSet.parse(rules.short_text) == rules


def test_a_rule_set_has_the_title_of_its_game() -> None:
    assert (RuleSet("popout").title, RuleSet("popout").pops) == (GAMES["popout"].title, True)
    assert (RuleSet("standard").title, RuleSet("standard").pops) == (GAMES["standard"].title, False)


def test_each_option_has_a_question_for_people_and_a_default_that_it_can_read() -> None:
    for option in OPTIONS:
        assert str(option.question).endswith("?")
        assert option.read(option.write(option.default)) == option.default


def test_the_starter_is_the_side_that_the_option_names() -> None:
    assert RuleSet().starter is RED
    assert RuleSet(first="yellow").starter is YELLOW


@pytest.mark.parametrize(
    ("rules", "may"),
    [
        ("popout", False),
        ("popout supply=21", True),
        ("popout full-grid=continue", True),
        ("popout full-grid=claim", False),
    ],
)
def test_a_turn_may_pass_only_where_discs_are_counted_or_a_full_grid_plays_on(rules: str, may: bool) -> None:
    assert RuleSet.parse(rules).turn_may_pass is may


def test_a_rule_set_is_immutable_and_can_be_copied_and_sent_to_another_process() -> None:
    rules = RuleSet("popout", 9, 7, supply=30)
    assert rules.grid.columns == 9
    with pytest.raises(AttributeError):
        rules.columns = 7  # type: ignore[misc]
    for other in (copy.copy(rules), copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert (other, hash(other), other.grid) == (rules, hash(rules), rules.grid)


# Refusals


def refusal(text: str) -> tuple[str, str]:
    with pytest.raises(RuleSetError) as caught:
        RuleSet.parse(text)
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("", "rules", 'The rules are missing. Write a game and a size, for example "popout 7x6".'),
        (" \n ", "rules", 'The rules are missing. Write a game and a size, for example "popout 7x6".'),
        ("chess", "unknown-game", f'There is no game "chess". Choose one of: {ALL_GAMES}.'),
        ("poput 7x6", "unknown-game", 'There is no game "poput". Did you mean "popout"?'),
        ("x" * 9999, "unknown-game", f'There is no game "{"x" * 40}…". Choose one of: {ALL_GAMES}.'),
        ("7x6 popout", "rules",
         'The rules must begin with the game, not with "7x6". Write for example "popout 7x6".'),
        ("connect=4", "rules",
         'The rules must begin with the game, not with "connect=4". Write for example "popout 7x6".'),
        ("play popout", "rules",
         'The rules must begin with the game, not with "play". Write for example "popout 7x6".'),
        ("popout\x007x6", "unknown-game", 'There is no game "popout\\x007x6". Did you mean "popout"?'),
        ("popout 7", "rules",
         '"7" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("popout 7×6", "rules",
         '"7×6" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("popout ٧x٦", "rules",
         '"٧x٦" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("popout 7x6x5", "rules",
         '"7x6x5" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("popout -7x6", "rules",
         '"-7x6" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("popout \x1b[31m", "rules",
         '"\\x1b[31m" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("popout 33x6", "size-out-of-range",
         "A grid of 33x6 (columns x rows) cannot be played. Choose from 1 to 32 for each."),
        ("popout 7x33", "size-out-of-range",
         "A grid of 7x33 (columns x rows) cannot be played. Choose from 1 to 32 for each."),
        ("popout 0x6", "size-out-of-range",
         "A grid of 0x6 (columns x rows) cannot be played. Choose from 1 to 32 for each."),
        ("popout 7x" + "9" * 6000, "size-out-of-range",
         f"A grid of 7x{'9' * 40}… (columns x rows) cannot be played. Choose from 1 to 32 for each."),
        ("popout connect=33", "size-out-of-range",
         "A line of 33 cannot be played. Choose a line length (connect) from 2 to 32."),
        ("popout connect=1", "size-out-of-range",
         "A line of 1 cannot be played. Choose a line length (connect) from 2 to 32."),
        ("popout connect=0 allow-unwinnable=yes", "size-out-of-range",
         "A line of 0 cannot be played. Choose a line length (connect) from 2 to 32."),
        ("popout connect=" + "9" * 6000, "size-out-of-range",
         f"A line of {'9' * 40}… cannot be played. Choose a line length (connect) from 2 to 32."),
        ("popout 7x6 connect=8", "size-out-of-range",
         "Nobody can make a line of 8 on a grid of 7x6. "
         'Choose a shorter line (connect), or add the option "allow-unwinnable=yes".'),
        ("popout 3x3", "size-out-of-range",
         "Nobody can make a line of 4 on a grid of 3x3. "
         'Choose a shorter line (connect), or add the option "allow-unwinnable=yes".'),
        ("popout connect=-4", "option-value",
         'The line length in "connect=-4" must be a whole number from 2 to 32, for example connect=4.'),
        ("popout connect=", "option-value",
         'The line length in "connect=" must be a whole number from 2 to 32, for example connect=4.'),
        ("popout connect=4.0", "option-value",
         'The line length in "connect=4.0" must be a whole number from 2 to 32, for example connect=4.'),
        ("popout connect", "option-value", 'The option "connect" needs a value. Write for example connect=4.'),
        ("popout supply", "option-value", 'The option "supply" needs a value. Write for example supply=0.'),
        ("popout 7x6 7x6", "rules", "The rules give the size twice. Leave one of the two out."),
        ("popout connect=4 connect=5", "rules",
         'The rules give the option "connect" twice. Leave one of the two out.'),
        ("popout first=red 9x9 first=red", "rules",
         'The rules give the option "first" twice. Leave one of the two out.'),
        ("popout both-line=draw", "unknown-option",
         'There is no option "both-line". Did you mean "both-lines"?'),
        ("popout columns=7", "unknown-option",
         'There is no option "columns". Write the size as 7x6 (columns x rows). '
         f"The options are: {ALL_OPTIONS}."),
        ("popout =", "unknown-option",
         'There is no option "". Write the size as 7x6 (columns x rows). '
         f"The options are: {ALL_OPTIONS}."),
        ("popout both-lines=", "option-value",
         'The option "both-lines" cannot be "". Choose one of: mover, draw, other.'),
        ("popout first=blue", "option-value",
         'The option "first" cannot be "blue". Choose one of: red, yellow.'),
        ("popout allow-unwinnable=true", "option-value",
         'The option "allow-unwinnable" cannot be "true". Choose one of: yes, no.'),
        ("popout supply=-1", "option-value",
         'The option "supply" cannot be "-1". Write a whole number from 0 (off) to 999999999.'),
        ("popout supply=1000000000", "option-value",
         'The option "supply" cannot be "1000000000". Write a whole number from 0 (off) to 999999999.'),
        ("popout supply=٣", "option-value",
         'The option "supply" cannot be "٣". Write a whole number from 0 (off) to 999999999.'),
        ("popout repetition=1", "option-value",
         'The option "repetition" cannot be 1: the first position would end the game. '
         "Write 0 (off), 2, 3 or more."),
        ("standard both-lines=draw", "unknown-option",
         'The option "both-lines" means nothing in the game "standard". Leave it out.'),
    ],
)  # fmt: skip
def test_a_text_that_is_no_rule_set_is_refused_with_the_reason(text: str, code: str, sentence: str) -> None:
    assert refusal(text) == (code, sentence)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ({"game": None}, "unknown-game", f'There is no game "None". Choose one of: {ALL_GAMES}.'),
        ({"game": ["chess"]}, "unknown-game", f'There is no game "[\'chess\']". Choose one of: {ALL_GAMES}.'),
        ({"columns": "7"}, "option-value", "\"columns\" must be a whole number, not '7'."),
        ({"columns": True}, "option-value", '"columns" must be a whole number, not True.'),
        ({"rows": 6.0}, "option-value", '"rows" must be a whole number, not 6.0.'),
        ({"connect": None}, "option-value", '"connect" must be a whole number, not None.'),
        ({"rows": -1}, "size-out-of-range",
         "A grid of 7x-1 (columns x rows) cannot be played. Choose from 1 to 32 for each."),
        ({"columns": 10**5000}, "size-out-of-range",
         "A grid of 0x31e20801036510f3c591fde5361dc619987896…x6 (columns x rows) cannot be played. "
         "Choose from 1 to 32 for each."),
        ({"first": 3}, "option-value", 'The option "first" cannot be "3". Choose one of: red, yellow.'),
        ({"first": RED}, "option-value",
         "The option \"first\" cannot be \"<Side.RED: 'red'>\". Choose one of: red, yellow."),
        ({"both_lines": ["mover"]}, "option-value",
         "The option \"both-lines\" cannot be \"['mover']\". Choose one of: mover, draw, other."),
        ({"allow_unwinnable": 1}, "option-value",
         'The option "allow-unwinnable" cannot be "1". Choose one of: yes, no.'),
        ({"repetition": True}, "option-value",
         'The option "repetition" cannot be "True". Write a whole number from 0 (off) to 999999999.'),
        ({"supply": 10**9}, "option-value",
         'The option "supply" cannot be "1000000000". Write a whole number from 0 (off) to 999999999.'),
        ({"move_cap": None}, "option-value",
         'The option "move-cap" cannot be "None". Write a whole number from 0 (off) to 999999999.'),
    ],
)  # fmt: skip
def test_values_of_the_wrong_kind_are_refused_with_the_reason(
    arguments: dict[str, Any], code: str, sentence: str
) -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet(**arguments)
    assert (caught.value.code, str(caught.value)) == (code, sentence)


@pytest.mark.parametrize("value", [None, 7, b"popout", ["popout"], {}])
def test_what_is_no_text_is_no_rule_set(value: Any) -> None:
    with pytest.raises(RuleSetError):
        RuleSet.parse(value)
