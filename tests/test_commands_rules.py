"""`popout rules`: the games, the card of one of them, and what cannot be told."""

from __future__ import annotations

import pytest

from popout.cli import main
from popout.rules import GAMES


def test_without_a_game_all_are_listed(capsys):
    assert main(["rules"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(GAMES)]] == list(GAMES)
    assert lines[0].endswith("The original: Drop a disc in turn; the first line wins.")
    assert lines[-1] == 'For the rules of one of them write for example "popout rules pop10".'


def test_the_card_of_a_game_and_its_options_are_printed(capsys):
    assert main(["rules", "pop10", "5x4", "connect=3", "target=4"]) == 0

    said = capsys.readouterr().out
    assert said.startswith("Pop 10\n")
    assert "Be the first to keep 4 discs, each popped out of a line of 3 discs of your own." in said
    assert "- If the disc was part of a line of 3 when you popped it, keep it and pop again." in said
    assert "Options in force" in said
    assert "pop10 5x4 connect=3 target=4 first-popper=next" in said
    assert "- How many discs must be kept to win? 4." in said
    assert "Power discs" not in said


def test_a_combination_has_a_heading_for_each_of_its_games(capsys):
    assert main(["rules", "power+five"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "5-in-a-Row with Power Up"
    assert {"How to play", "5-in-a-Row", "Power Up", "Power discs", "Good to know"} < set(lines)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], 'popout: There is no game "chess".'),
        (["pop10", "target=40"], "popout: Nobody can keep 40 discs"),
        (["pop10+pop"], "popout: Pop 10 cannot be combined with Pop Out"),
        (["power", "--lang", "tlh"], 'popout: There is no language "tlh". Choose one of: en'),
    ],
)
def test_what_cannot_be_told_is_a_sentence(arguments, sentence, capsys):
    assert main(["rules", *arguments]) == 2

    said = capsys.readouterr()
    assert said.err.startswith(sentence)
    assert "Traceback" not in said.err
    assert said.out == ""


def test_the_language_is_chosen_by_the_option(capsys):
    assert main(["rules", "popout", "--lang", "en-GB"]) == 0

    assert capsys.readouterr().out.startswith("Pop Out\n")
