"""What a page may say: read strictly, refused with one whole sentence."""

from __future__ import annotations

import json

import pytest

from popout.views.web.commands import (
    COMMANDS,
    Adopt,
    AgreeDraw,
    BadMessage,
    Bar,
    ChoosePower,
    Claim,
    Consider,
    Correct,
    Enter,
    Hand,
    Invite,
    Look,
    Menu,
    Move,
    New,
    Press,
    PutOut,
    Release,
    Repaired,
    Return,
    SetUp,
    TakeBack,
    Withdraw,
    name_of,
    read_command,
)

EXAMPLES = [
    ({"do": "press", "switch": "column 4"}, Press("column 4")),
    ({"do": "release", "switch": "column 4"}, Release("column 4")),
    ({"do": "withdraw", "switch": "column 4"}, Withdraw("column 4")),
    ({"do": "bar", "to": "open"}, Bar("open")),
    ({"do": "hand", "action": {"do": "tidy"}}, Hand({"do": "tidy"})),
    ({"do": "take-back"}, TakeBack()),
    ({"do": "new", "rules": "popout 7x6"}, New("popout 7x6")),
    ({"do": "agree-draw"}, AgreeDraw()),
    ({"do": "claim"}, Claim()),
    ({"do": "power", "disc": "a"}, ChoosePower("a")),
    ({"do": "power", "disc": None}, ChoosePower(None)),
    ({"do": "move", "move": "p4"}, Move("p4")),
    ({"do": "menu"}, Menu()),
    ({"do": "look", "ply": 0}, Look(0)),
    ({"do": "correct", "grid": ["XO", ""]}, Correct(["XO", ""])),
    ({"do": "adopt", "turn": "yellow"}, Adopt("yellow")),
    ({"do": "consider", "grid": [""], "turn": "red"}, Consider([""], "red")),
    ({"do": "set-up", "grid": ["X"], "turn": "yellow", "kept": [1, 0]}, SetUp(["X"], "yellow", None, (1, 0))),
    ({"do": "repaired"}, Repaired()),
    ({"do": "invite", "side": "red"}, Invite("red")),
    ({"do": "put-out", "id": 3}, PutOut(3)),
    ({"do": "enter", "code": "012345"}, Enter("012345")),
    ({"do": "return", "token": "a-token"}, Return("a-token")),
]


@pytest.mark.parametrize(("said", "command"), EXAMPLES)
def test_every_command_is_read_and_knows_its_name(said, command):
    assert read_command(json.dumps(said)) == command
    assert name_of(command) == said["do"]


def test_the_examples_are_all_there_is():
    assert list(dict.fromkeys(said["do"] for said, _ in EXAMPLES)) == list(COMMANDS)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("take back, please", 'The message is not JSON. Send an object such as {"do":"take-back"}.'),
        ("", 'The message is not JSON. Send an object such as {"do":"take-back"}.'),
        ("[" * 2048, 'The message is not JSON. Send an object such as {"do":"take-back"}.'),
        ('{"do":"claim"} more', 'The message is not JSON. Send an object such as {"do":"take-back"}.'),
        ("null", 'The message is not an object. Send one such as {"do":"take-back"}.'),
        ('["press"]', 'The message is not an object. Send one such as {"do":"take-back"}.'),
        ("x" * 2049, "The message has 2049 characters, and 2048 are the most. Nothing was changed."),
    ],
)
def test_what_is_no_command_at_all_is_named(said, sentence):
    with pytest.raises(BadMessage) as refused:
        read_command(said)

    assert str(refused.value) == sentence


@pytest.mark.parametrize("said", ['{"do":"fly"}', '{"do":7}', "{}", '{"Do":"claim"}', '{"do":["claim"]}'])
def test_an_unknown_command_is_told_the_known_ones(said):
    with pytest.raises(BadMessage) as refused:
        read_command(said)

    assert str(refused.value) == (
        "The message names no command that is known here in “do”. The commands are press, release, withdraw, bar, hand,"
        " take-back, new, agree-draw, claim, power, move, menu, look, correct, adopt, consider, set-up, repaired,"
        " invite, put-out, enter, return."
    )


@pytest.mark.parametrize(
    "said",
    [
        {"do": "press"},
        {"do": "press", "switch": 4},
        {"do": "press", "switch": ""},
        {"do": "press", "switch": "c" * 41},
        {"do": "press", "switch": "column 4", "force": True},
        {"do": "bar", "to": "half"},
        {"do": "hand", "action": "tidy"},
        {"do": "new", "rules": ["popout"]},
        {"do": "look", "ply": -1},
        {"do": "look", "ply": "1"},
        {"do": "look", "ply": True},
        {"do": "look", "ply": 1e300},
        {"do": "claim", "now": 1},
        {"do": "power"},
        {"do": "power", "disc": "q"},
        {"do": "adopt", "turn": "green"},
    ],
)
def test_missing_wrong_and_additional_fields_are_refused(said):
    with pytest.raises(BadMessage) as refused:
        read_command(json.dumps(said))

    assert str(refused.value).startswith(f"The fields of the command “{said['do']}” are not right (")
    assert str(refused.value).endswith("). Reload the page.")
