"""What is true of every game on every grid: taking back, mirrors, legality, texts, and no crash on any text."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from popout.rules import (
    GAMES,
    RED,
    YELLOW,
    Claim,
    Drop,
    Game,
    IllegalMove,
    Message,
    Move,
    NotationError,
    Phase,
    Pop,
    PopoutError,
    Position,
    Power,
    PowerDisc,
    Record,
    RecordFault,
    RuleSet,
    Termination,
    draw,
    parse_move,
    parse_position,
    parse_records,
    parse_turn,
    position_text,
    read_records,
    replay,
    why_ended,
    write_record,
)
from popout.rules.games import FLANKS
from popout.rules.notation import TAGS
from popout.rules.options import OPTIONS

slowly = settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])

sizes = st.integers(1, 5) | st.integers(1, 32)


BY_LINES = (Termination.LINE, Termination.BOTH_LINES, Termination.OPPONENT_LINE)


OPTION_NUMBERS = {
    "repetition": st.sampled_from([0, 0, 2, 3]),
    "move-cap": st.sampled_from([0, 0, 0, 12]),
    "supply": st.sampled_from([0, 0, 1, 2, 5, 21]),
    "target": st.integers(1, 5),
}


@st.composite
def rule_sets(draw_from: st.DrawFn) -> RuleSet:
    game = draw_from(st.sampled_from(list(GAMES)))
    shortest = 2 if FLANKS in GAMES[game].parts else 1
    values: dict[str, Any] = {
        "game": game,
        "columns": draw_from(sizes),
        "rows": draw_from(sizes),
        "connect": draw_from(st.integers(2, 5) | st.integers(shortest, 32)),
    }
    for option in OPTIONS:
        if option.means_something(GAMES[game].parts):
            choices = st.sampled_from(option.choices or (True, False))
            values[option.attribute] = draw_from(OPTION_NUMBERS.get(option.name, choices))
    values["allow_unwinnable"] = True
    return RuleSet(**values)


@st.composite
def games(draw_from: st.DrawFn) -> Game:
    game = Game.start(draw_from(rule_sets()))
    length = draw_from(st.integers(0, 60))
    for choice in draw_from(st.lists(st.integers(0, 2**16), min_size=length, max_size=length)):
        if game.outcome:
            break
        # Drops come first in the list: half of the choices are made from its end, so that the others are many.
        legal = game.legal_moves
        game = game.play(legal[-1 - (choice >> 1) % len(legal) if choice & 1 else (choice >> 1) % len(legal)])
    return game


def mirrored(move: Move, width: int) -> Move:
    match move:
        case Drop(column):
            return Drop(width + 1 - column)
        case Pop(column):
            return Pop(width + 1 - column)
        case Power(disc, column):
            return Power(disc, width + 1 - column)
        case Claim():
            return move


OTHER_COLOUR = {"red": "yellow", "yellow": "red", "next": "next"}


def with_colours_exchanged(rules: RuleSet) -> RuleSet:
    return replace(
        rules,
        first=OTHER_COLOUR[rules.first],
        first_popper=OTHER_COLOUR[rules.first_popper],
        flanks=rules.flanks.translate(str.maketrans("RY", "YR")) if rules.first_column > 1 else rules.flanks,
    )


@slowly
@given(games(), st.integers(0, 60))
def test_taking_back_is_the_inverse_of_playing(game: Game, count: int) -> None:
    count = min(count, len(game.moves))
    before = game.take_back(count)
    assert before.moves == game.moves[: len(game.moves) - count]
    again = before
    for move in game.moves[len(before.moves) :]:
        following = again.play(move)
        assert following.take_back() == again
        again = following
    assert again == game
    assert (again.outcome, again.turn, again.repetitions) == (game.outcome, game.turn, game.repetitions)


@slowly
@given(games())
def test_playing_many_moves_at_once_is_playing_one_after_the_other(game: Game) -> None:
    assert Game.start(game.rules).play_all(game.moves) == (game, None)


@slowly
@given(games())
def test_a_mirrored_game_is_the_mirror_of_the_game(game: Game) -> None:
    width = game.rules.width
    mirror = Game.start(replace(game.rules, flanks=game.rules.flanks[::-1]))
    for move in game.moves:
        mirror = mirror.play(mirrored(move, width))
    assert mirror.position.grid == game.position.grid[::-1]
    assert (mirror.turn, mirror.outcome, mirror.passed) == (game.turn, game.outcome, game.passed)
    assert set(mirror.legal_moves) == {mirrored(move, width) for move in game.legal_moves}
    for side in (RED, YELLOW):
        reflected = {frozenset((width + 1 - column, row) for column, row in line) for line in game.position.lines(side)}
        assert {frozenset(line) for line in mirror.position.lines(side)} == reflected


@slowly
@given(games())
def test_with_the_other_side_first_the_same_moves_are_the_same_game_in_exchanged_colours(game: Game) -> None:
    other = Game.start(with_colours_exchanged(game.rules))
    for move in game.moves:
        other = other.play(move)
    exchange = str.maketrans("XO", "OX")
    assert other.position.grid == tuple(column.translate(exchange) for column in game.position.grid)
    assert other.legal_moves == game.legal_moves
    assert (other.outcome is None) is (game.outcome is None)
    if other.outcome and game.outcome:
        assert other.outcome.termination is game.outcome.termination
        assert other.outcome.winner is (game.outcome.winner and game.outcome.winner.other)


@slowly
@given(games())
def test_the_legal_moves_are_exactly_those_that_can_be_played(game: Game) -> None:
    columns = range(-1, game.rules.width + 3)
    every_move: list[Move] = [Claim(), *(kind(column) for kind in (Drop, Pop) for column in columns)]
    every_move += [Power(disc, column) for disc in PowerDisc for column in columns]
    played = set()
    for move in every_move:
        with suppress(IllegalMove):
            game.play(move)
            played.add(move)
    assert set(game.legal_moves) == played
    assert len(game.legal_moves) == len(played)
    assert bool(played) is (game.outcome is None)  # a game that goes on always has a move


@slowly
@given(games())
def test_from_a_finished_game_nothing_can_be_played_and_its_end_is_explained(game: Game) -> None:
    assume(game.outcome)
    assert game.outcome is not None
    event(game.outcome.termination.value)
    assert game.legal_moves == ()
    assert game.turn is None
    for move in (*Position.start(game.rules).legal_moves, Pop(1), Claim()):
        with pytest.raises(IllegalMove):
            game.play(move)
    reason = why_ended(game)
    assert reason is not None
    assert str(reason.message).endswith(".")


@slowly
@given(games())
def test_every_move_puts_one_disc_in_or_takes_one_out_and_nothing_floats(game: Game) -> None:
    discs = [sum(map(len, position.grid)) for position in game.positions]
    for before, after, move in zip(discs[:-1], discs[1:], game.moves, strict=True):
        if isinstance(move, Power) and move.disc is PowerDisc.ANVIL:
            assert after - before <= 1  # what lay under it has left
        else:
            assert after - before == {Drop: 1, Power: 1, Pop: -1, Claim: 0}[type(move)]
    position = game.position
    assert position.own & position.other == 0
    for column, text in enumerate(position.grid, 1):
        for row in range(1, game.rules.rows + 1):
            disc = position.disc(column, row)
            assert (disc.letter if disc else "") == text[row - 1 : row]


@slowly
@given(games())
def test_lines_end_a_game_and_the_winner_is_whose_line_it_is(game: Game) -> None:
    """R6, on every board; in Pop 10 lines end nothing, and a bomb that has landed is judged later."""
    assume(not game.rules.keeps and game.position.phase is not Phase.BOMB)
    owners = {side for side in (RED, YELLOW) if game.position.lines(side)}
    outcome = game.outcome
    if not outcome or outcome.termination not in BY_LINES:
        assert owners == set()
    elif outcome.termination is Termination.BOTH_LINES:
        assert owners == {RED, YELLOW}
    else:
        assert owners == {outcome.winner}


@slowly
@given(rule_sets())
def test_a_rule_set_is_read_back_from_both_of_its_texts(rules: RuleSet) -> None:
    assert RuleSet.parse(rules.text) == RuleSet.parse(rules.short_text) == rules
    assert hash(RuleSet.parse(rules.text)) == hash(rules)


@slowly
@given(games())
def test_a_position_is_read_back_from_its_line_and_from_its_drawing(game: Game) -> None:
    position = game.position
    assume(position.ended is None)
    text = position_text(position)
    copies = [
        parse_position(text, game.rules),
        parse_position(f"{draw(position)}\n{' '.join(text.split()[1:])}", game.rules),
        pickle.loads(pickle.dumps(position)),
    ]
    for each in copies:
        assert (each, hash(each), each.turn) == (position, hash(position), position.turn)
        assert each.legal_moves == position.legal_moves


@slowly
@given(games(), st.dictionaries(st.sampled_from(TAGS), st.text(max_size=20)), st.sampled_from(["", "draw", "red"]))
def test_a_record_is_read_back_as_the_same_game(game: Game, tags: dict[str, str], ending: str) -> None:
    if ending and not game.outcome:
        game = game.agree_draw() if ending == "draw" else game.resign(YELLOW)
    (record,) = parse_records(write_record(game, tags))
    assert replay(record) == game
    assert record.tags == {name: " ".join(value.split()) for name, value in tags.items()}


@slowly
@given(games(), st.integers(0, 60))
def test_a_record_from_any_position_of_a_game_is_read_back(game: Game, ply: int) -> None:
    start = game.positions[ply % len(game.positions)]
    assume(start.ended is None)
    later, _ = Game.from_position(start).play_all(game.moves[ply % len(game.positions) :])
    assert replay(parse_records(write_record(later))[0]) == later


# No text, however strange, does anything else than being read or being refused with a sentence.

words = st.sampled_from([
    "pop10", "five+pop", "power", "a1", "b1p2", "x1", "phase=pop", "phase=bomb", "kept=1,0", "from=2", "powers=ab,w",
    "popout", "standard", "7x6", "3x2", "1x1", "33x1", "connect=3", "connect=", "supply=2", "first=yellow",
    "full-grid=", "full-grid=claim", "allow-unwinnable=yes", "=", "rules:", "start:", "moves:", "result:", "red:",
    "date:", "d1", "d2", "p1", "p2", "4", "1.", "2.d1", "claim", "X", "O", "to move", "hands=1,1", "/", "//", "XO/X/",
    "X//", ".", "..", "red", "yellow", "draw", "line", "unfinished", "#", "\n", "\n", "\n", "\r\n", "\x00", "\u2028",
    "٣", "\ufeff", "{word}",
])  # fmt: skip
texts = st.text(max_size=30) | st.lists(words | st.text(max_size=3), max_size=25).map(" ".join)
records = st.lists(words, max_size=20).map(lambda found: "rules: popout 3x2 connect=3\n" + " ".join(found))


SMALL_GAMES = (
    "popout 3x2 connect=3 supply=5",
    "power 3x2 connect=3",
    "pop10 3x2 connect=3 target=1",
    "five 1x2 connect=3",
)


def said(error: PopoutError) -> None:
    assert isinstance(error.message, Message)
    sentence = str(error)
    assert sentence[-1] in ".?"
    assert sentence.isprintable()
    assert len(sentence) < 400


@slowly
@given(texts)
def test_any_text_is_a_rule_set_a_position_and_a_move_or_is_refused_with_a_sentence(text: str) -> None:
    readers: list[Callable[[str], object]] = [RuleSet.parse, parse_move, parse_turn]
    readers += [partial(parse_position, rules=RuleSet.parse(rules)) for rules in SMALL_GAMES]
    for read in readers:
        try:
            read(text)
        except PopoutError as error:
            said(error)


@slowly
@given(texts | records)
def test_any_text_is_a_file_of_games_or_is_refused_with_a_sentence_and_a_place_in_it(text: str) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for record in read_records(text):
        error = record if isinstance(record, NotationError) else fault(record)
        if error:
            said(error)
            assert 1 <= error.line <= len(lines)
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1


def fault(record: Record) -> RecordFault | None:
    try:
        replay(record)
    except RecordFault as error:
        return error
    return None
