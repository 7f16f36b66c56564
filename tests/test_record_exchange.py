"""Games out of a record and into another: they come back as they were, and what is wrong is refused with its place."""

from __future__ import annotations

import json
import random
import time
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.record.exchange import NotImported, Written, as_object, as_text, read_games
from popout.record.journal import LATEST, Entry, Kind, Source, Step, read
from popout.rules import RED, Drop, Game, RuleSet
from records import corrected_game, random_game

NOW = 2_000_000_000.0
RULES = RuleSet.parse("popout 7x6")
NAMES = {"red": "Anna", "yellow": "鳩", "date": "2026-11-30", "place": "at home"}
SOURCES = [*Source, None]


def steps_of(entries: list[Entry]) -> tuple[Step, ...]:
    return tuple(
        Step(Entry(entry.kind, entry.text, SOURCES[number % len(SOURCES)]), 1e9 + number / 7)
        for number, entry in enumerate(entries)
    )


def game_of(entries: list[Entry]) -> Game:
    game = read(entries)
    assert game is not None
    return game


def only(text: str) -> Written:
    (found,) = read_games(text, NOW)
    assert isinstance(found, Written), str(found)
    return found


def refused(text: str) -> NotImported:
    (found,) = read_games(text, NOW)
    assert isinstance(found, NotImported)
    return found


JOURNALS = [
    random_game("popout 7x6", 60, random.Random(1)),
    random_game("pop10 7x6", 90, random.Random(2)),
    random_game("power 7x6", 40, random.Random(3)),
    corrected_game(40, random.Random(4)),
    [Entry.new(RULES)],
    [Entry.new(RULES), Entry.move(Drop(4)), Entry(Kind.DRAW)],
    [Entry.new(RULES), Entry.move(Drop(4)), Entry.resign(RED), Entry.take_back(), Entry.resign(RED)],
]


@pytest.mark.parametrize("entries", JOURNALS)
def test_json_brings_back_every_step_with_its_time_and_source(entries: list[Entry]):
    steps = steps_of(entries)
    text = json.dumps(as_object(game_of(entries), 1e9, NAMES, steps))
    found = only(text)
    assert found == Written(1e9, steps, NAMES)
    assert [step.source for step in found.steps] == [step.source for step in steps]
    assert json.dumps(as_object(game_of(entries), found.began, found.names, found.steps)) == text


@pytest.mark.parametrize("entries", JOURNALS)
def test_text_brings_back_the_game_as_it_stood(entries: list[Entry]):
    game = game_of(entries)
    text = as_text(game, 1e9, NAMES)
    found = only(text)
    again = game_of([step.entry for step in found.steps])
    assert (again, found.names) == (game, NAMES)
    assert as_text(again, found.began, found.names) == text


def test_the_text_says_on_which_day_the_game_began_if_nobody_has_said_it():
    game = game_of([Entry.new(RULES)])
    began = datetime(2026, 11, 30, 16, 31).timestamp()
    assert "date: 2026-11-30\n" in as_text(game, began, {})
    assert "date: then\n" in as_text(game, began, {"date": "then"})
    assert "date:" not in as_text(game, 1e300, {})


@pytest.mark.parametrize(
    ("day", "began"),
    [
        ("date: 2026-11-30\n", datetime(2026, 11, 30).timestamp()),
        ("date: last summer\n", NOW),
        ("date: 0001-01-01\n", NOW),
        ("date: 1950-01-01\n", NOW),
        ("", NOW),
    ],
)
def test_a_text_has_the_time_of_its_date_or_else_that_of_its_reading(day: str, began: float):
    found = only(f"rules: popout 7x6\n{day}moves: d4\n")
    assert (found.began, [step.at for step in found.steps]) == (began, [began, began])


def test_many_games_are_read_one_after_the_other_also_behind_each_other_in_json():
    text = "rules: popout 7x6\nmoves: d4\n\nrules: standard 7x6\nmoves: d1\n"
    assert len([each for each in read_games(text, NOW) if isinstance(each, Written)]) == 2
    objects = [as_object(game_of(entries), 1e9, {}, steps_of(entries)) for entries in JOURNALS]
    for lines in ("\n".join(map(json.dumps, objects)), json.dumps(objects, indent=1), "\ufeff" + json.dumps(objects)):
        assert len([each for each in read_games(lines, NOW) if isinstance(each, Written)]) == len(objects)


def test_an_empty_file_has_no_game():
    assert list(read_games("", NOW)) == []


# What is wrong


def test_an_illegal_move_in_a_text_has_its_place_and_reason_and_the_other_games_are_read():
    text = "rules: popout 7x6\nmoves: d4 p4\n\nrules: popout 7x6\nmoves: d1\n"
    wrong, right = read_games(text, NOW)
    assert isinstance(wrong, NotImported)
    assert (wrong.game, wrong.line, wrong.column) == (1, 2, 11)
    assert str(wrong) == "Column 4: the bottom disc is red's. You may pop only your own."
    assert isinstance(right, Written)


def test_a_text_that_cannot_be_read_has_its_place():
    wrong = refused("rules: popout 7x6\nmoves: q4\n")
    assert (wrong.game, wrong.line, wrong.column) == (1, 2, 8)


def good() -> dict[str, Any]:
    entries = [Entry.new(RULES), Entry.move(Drop(4)), Entry.move(Drop(5))]
    return as_object(game_of(entries), 1e9, {}, steps_of(entries))


def with_step(number: int, **values: Any) -> dict[str, Any]:
    changed = good()
    changed["steps"][number - 1] |= values
    return changed


NO_GAME = 'This is no game. It is an object with "steps", as "popout games export --json" writes it.'
NO_TIME = "One of its times is none. They are seconds since 1970."


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, NO_GAME),
        ([3], NO_GAME),
        (good() | {"steps": []}, NO_GAME),
        (good() | {"steps": ["d4"]}, NO_GAME),
        (good() | {"began": "today"}, NO_TIME),
        (good() | {"began": True}, NO_TIME),
        (with_step(2, at=1e12), NO_TIME),
        (with_step(2, at=-1), NO_TIME),
        (with_step(2, at=None), NO_TIME),
        (with_step(2, text=4), 'Step 2 has no "kind" and "text".'),
        (with_step(2, source=4), 'Step 2 has no "kind" and "text".'),
        (
            with_step(2, kind="swap2"),
            'Its entry 2 is of the kind "swap2", which this popout does not know; a newer one may.',
        ),
        (
            with_step(3, text="p4"),
            'Step 3, "move p4", cannot be right. Column 4: the bottom disc is red\'s. You may pop only your own.',
        ),
        (
            with_step(1, kind="move", text="d4"),
            'Step 1, "move d4", cannot be right. A game begins with its rules, and only there.',
        ),
        (
            with_step(3, kind="new", text="popout 7x6"),
            'Step 3, "new popout 7x6", cannot be right. A game begins with its rules, and only there.',
        ),
        (
            with_step(3, kind="correction", text="X////// O -> OX////// X"),
            'Step 3, "correction X////// O -> OX////// X", cannot be right. '
            "The position before the correction is not the one that its steps lead to.",
        ),
        (good() | {"result": "red line"}, 'It ends with "red line", but its steps lead to "unfinished".'),
        (
            good() | {"names": {"photo": "x"}},
            'Its "names" are wrong. It may have, as short texts: red, yellow, date, place, event.',
        ),
        (
            good() | {"names": {"red": "x" * 201}},
            'Its "names" are wrong. It may have, as short texts: red, yellow, date, place, event.',
        ),
    ],
)
def test_what_is_wrong_in_json_is_said_in_a_sentence(value: Any, sentence: str):
    wrong = refused("\n" + json.dumps(value))
    assert str(wrong) == sentence
    assert (wrong.game, wrong.line) == (1, 2)


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('{\n"steps": ]', 2, "This is no JSON: Expecting value."),
        ("[" * 100_000, 1, NO_GAME),
        ('{"at": ' + "9" * 5000 + "}", 1, NO_GAME),
        (json.dumps(good()).replace("1000000000.0", "NaN"), 1, NO_TIME),
    ],
)
def test_json_that_is_none_is_a_sentence_too(text: str, line: int, sentence: str):
    wrong = refused(text)
    assert (str(wrong), wrong.line) == (sentence, line)


def test_rules_and_moves_are_kept_as_this_program_writes_them():
    found = only(json.dumps(with_step(1, text="popout connect=4 7x6")))
    assert found.steps[0].entry == Entry.new(RULES)


@given(st.text() | st.text(alphabet='{}[]":,d4 \nrulesmovept76x'))
def test_whatever_a_file_says_every_game_is_read_or_refused(text: str):
    for each in read_games(text, NOW):
        assert isinstance(each, Written | NotImported)


@pytest.mark.parametrize("where", ["names", "text", "source", "kind"])
def test_half_a_letter_is_refused_in_a_sentence(where: str):
    rules = RuleSet.parse("popout 7x6")
    value = as_object(Game.start(rules), NOW, {}, [Step(Entry.new(rules), NOW)])
    if where == "names":
        value["names"] = {"red": "\ud800"}
    else:
        value["steps"][0][where] = "\ud800"
    (found,) = read_games(json.dumps(value), NOW)
    assert isinstance(found, NotImported)
    str(found.message).encode()


def test_an_agreed_draw_says_nothing_more_than_that():
    rules = RuleSet.parse("popout 7x6")
    steps = [Step(Entry.new(rules), NOW), Step(Entry(Kind.DRAW, "because it rained"), NOW)]
    (found,) = read_games(json.dumps(as_object(Game.start(rules).agree_draw(), NOW, {}, steps)), NOW)
    assert isinstance(found, Written)
    assert found.steps[1].entry.text == ""


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "UTC", "America/Los_Angeles"])
def test_the_latest_time_that_is_taken_over_can_be_shown_everywhere(zone: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert datetime.fromtimestamp(LATEST).year == 9999
    finally:
        monkeypatch.undo()
        time.tzset()
