"""The rule cards: complete, with the numbers and the options of the rules at hand."""

from __future__ import annotations

import pytest

from popout.rules import GAMES, PowerDisc, RuleSet
from popout.rules.options import OPTIONS
from popout.views.rulecards import RuleCard, power_text, rule_card


def sentences(rules: str) -> list[str]:
    """Everything on the card, the cards of its parts included."""
    card = rule_card(RuleSet.parse(rules))
    cards = (card, *card.parts)
    return [str(each) for one in cards for each in (one.aim, *one.steps, *(text for _, text in one.powers), *one.notes)]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_card_of_whole_sentences(game):
    card = rule_card(RuleSet.parse(game))

    assert str(card.title) == str(GAMES[game].title)
    said = sentences(game)
    assert len(said) >= 4
    for sentence in said:
        assert sentence[0].isupper() or sentence.startswith("x2"), sentence
        assert sentence.endswith("."), sentence
        assert "{" not in sentence
    assert len(said) == len(set(said)), "nothing is said twice"


def test_the_card_of_the_original_is_the_shortest():
    card = rule_card(RuleSet.parse("standard 9x7 connect=5"))

    assert str(card.aim) == ("Be the first to get 5 of your own discs in a straight line: across, upright or diagonal.")
    assert list(map(str, card.steps)) == [
        "In your turn, drop one of your discs into a column. It falls to the lowest free place."
    ]
    assert list(map(str, card.notes)) == [
        "Red starts.",
        "If the grid is full and nobody has a line, it is a draw.",
        "Both sides may agree a draw at any time.",
    ]
    assert (card.powers, card.parts) == ((), ())


def test_pop_10_says_how_many_and_what_happens_to_a_popped_disc():
    said = sentences("pop10 5x5 connect=3 target=4")

    assert said[0] == "Be the first to keep 4 discs, each popped out of a line of 3 discs of your own."
    assert "If the disc was part of a line of 3 when you popped it, keep it and pop again." in said
    assert "If you kept a disc and have none left in the bottom row, your turn ends." in said
    assert sentences("pop10 target=1")[0].startswith("Be the first to keep 1 disc, popped out of")


def test_the_filled_columns_are_told_with_their_colours_and_the_columns_between_them():
    assert "You play in columns 2 to 8." in sentences("five")
    assert "You play in column 2." in sentences("five 1x6 connect=3")
    assert any(
        "with yellow at the bottom left and red at the bottom right" in each for each in sentences("five flanks=YR")
    )


def test_power_discs_are_those_of_the_game_and_what_they_do_follows_the_options():
    card = rule_card(RuleSet.parse("power powers=bw wall-first-may-win=no"))

    assert [disc for disc, _ in card.powers] == [PowerDisc.BOMB, PowerDisc.WALL]
    assert str(card.powers[1][1]) == (
        "Wall: drop a second disc in the same turn. Neither the wall nor the second disc may make a line."
    )
    assert power_text(PowerDisc.WALL, RuleSet.parse("power")) == (rule_card(RuleSet.parse("power")).powers[2][1])


def test_a_combination_has_the_cards_of_its_parts_and_the_notes_once():
    card = rule_card(RuleSet.parse("five+power+pop"))

    assert [str(part.title) for part in card.parts] == ["5-in-a-Row", "Power Up", "Pop Out"]
    assert all(isinstance(part, RuleCard) and not part.notes for part in card.parts)
    assert sum("power disc that is popped" in str(note) for note in card.notes) == 1
    assert [str(part.title) for part in rule_card(RuleSet.parse("pop10+five")).parts] == ["Pop 10", "5-in-a-Row"]


@pytest.mark.parametrize(
    ("rules", "note"),
    [
        ("popout first=yellow", "Yellow starts."),
        ("popout both-lines=draw", "If a move makes lines for both sides at once, it is a draw."),
        ("power both-lines=other", "they win, even if it makes one for you as well."),
        ("popout full-grid=claim", "the side to move may claim a draw, or pop."),
        ("popout full-grid=continue", "A side that cannot move is passed over."),
        ("popout empty-grid=continue", "If pops empty the grid, the game goes on."),
        ("popout repetition=3", "If the same position stands 3 times, it is a draw."),
        ("standard move-cap=1", "After 1 move it is a draw."),
        ("standard move-cap=30", "After 30 moves it is a draw."),
        ("popout supply=21", "Each side has 21 discs. A popped disc does not come back."),
        ("standard supply=1", "Each side has 1 disc."),
        ("power judge=also-landing", "also counts where it lands"),
        ("pop10 first-popper=yellow", "When the grid is full, yellow pops first."),
        ("pop10 pop10-stuck=put-back", "put it back instead."),
    ],
)
def test_an_option_in_force_is_on_the_card(rules, note):
    usual = sentences(rules.split()[0])

    assert any(note in sentence for sentence in sentences(rules)), sentences(rules)
    assert not any(note in sentence for sentence in usual)


def test_every_choice_of_an_option_changes_the_card():
    for option in OPTIONS:
        games = [game for game, kind in GAMES.items() if option.means_something(kind.parts)]
        for choice in option.choices:
            cards = {tuple(sentences(f"{game} {option.name}={choice}")) for game in games}
            usual = {tuple(sentences(game)) for game in games}
            assert choice == option.default or cards.isdisjoint(usual), (option.name, choice)


@pytest.mark.parametrize(("powers", "absent"), [("wx", "bomb"), ("ab", "second disc"), ("x", "anvil"), ("w", "bomb")])
def test_nothing_is_said_of_a_power_disc_that_is_not_there(powers, absent):
    assert not any(absent in sentence for sentence in sentences(f"power powers={powers}"))
