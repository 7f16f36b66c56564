"""Moves and records as text: what is read, what is written, and where a text goes wrong."""

from __future__ import annotations

from time import perf_counter

import pytest

from popout.rules import (
    GAMES,
    RED,
    YELLOW,
    Claim,
    Drop,
    Game,
    Move,
    NotationError,
    Pop,
    Power,
    PowerDisc,
    RecordFault,
    RuleSet,
    Termination,
    parse_move,
    parse_position,
    parse_records,
    parse_turn,
    read_records,
    replay,
    result_text,
    write_record,
)

WON = "d1 d2 d1 d2 d1 d2 d1"
NO_MOVE = "Write d4 to drop a disc in column 4, or p4 to pop one out of it."
LINES = "rules, start, moves, result, red, yellow, date, place, event"
GAME_NAMES = ", ".join(GAMES)
REASONS = "line, both-lines, opponent-line, full, empty, ten, stuck, claim, repetition, move-cap, agreed, resigned"


# Moves


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("d4", Drop(4)),
        ("D4", Drop(4)),
        ("4", Drop(4)),
        ("d04", Drop(4)),
        ("p4", Pop(4)),
        ("P32", Pop(32)),
        ("a4", Power(PowerDisc.ANVIL, 4)),
        ("B12", Power(PowerDisc.BOMB, 12)),
        ("w1", Power(PowerDisc.WALL, 1)),
        ("x4", Power(PowerDisc.DOUBLE, 4)),
        ("claim", Claim()),
        ("Claim", Claim()),
        ("d0", Drop(0)),
        ("d999999999", Drop(999999999)),
    ],
)
def test_a_move_is_read(text: str, move: Move) -> None:
    assert parse_move(text) == move


def test_a_move_is_written_as_it_is_read() -> None:
    assert [str(move) for move in (Drop(4), Pop(12), Claim())] == ["d4", "p12", "claim"]
    assert [str(Power(disc, 4)) for disc in PowerDisc] == ["a4", "b4", "w4", "x4"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [("b4p2", "b4 p2"), ("w4d12", "w4 d12"), ("X10D2", "x10 d2"), ("b4", "b4"), ("d4", "d4"), ("claim", "claim")],
)
def test_a_turn_of_two_steps_may_be_one_word(text: str, moves: str) -> None:
    assert " ".join(map(str, parse_turn(text))) == moves


@pytest.mark.parametrize("text", ["d4p2", "a4p2", "b4p", "b4p2d1", "p4b2", "x4a2", "b4 p2", "b4-p2", "b٤p2"])
def test_two_steps_that_are_no_turn_are_refused_as_one_word(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn(text, line=2, column=5)
    assert (caught.value.line, caught.value.column, str(caught.value)) == (2, 5, f'"{text}" is no move. {NO_MOVE}')


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", ""),
        ("d", "d"),
        ("p", "p"),
        ("z4", "z4"),
        ("x", "x"),
        ("b4p2", "b4p2"),
        ("d-1", "d-1"),
        ("d4.5", "d4.5"),
        ("d٤", "d٤"),
        ("d²", "d²"),
        ("４", "４"),
        ("dd4", "dd4"),
        ("4p", "4p"),
        ("d4!", "d4!"),
        ("d 4", "d 4"),
        ("d1000000000", "d1000000000"),
        ("{word}", "{word}"),
        ("\x1b[31m", "\\x1b[31m"),
        ("z" * 100_000, "z" * 40 + "…"),
    ],
    ids=str.__len__,
)
def test_what_is_no_move_is_refused(text: str, quoted: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, line=3, column=7)
    error = caught.value
    assert (error.code, error.line, error.column) == ("unreadable", 3, 7)
    assert str(error) == f'"{quoted}" is no move. {NO_MOVE}'


# Reading records


def moves_of(text: str) -> list[str]:
    (record,) = parse_records(text)
    return [str(written.move) for written in record.moves]


def test_a_record_is_read() -> None:
    (record,) = parse_records("""
        # Sunday
        rules: popout 7x6 connect=4
        red: Anna
        yellow: Bo
        moves: d4 d4 d3 p4
        result: unfinished
    """)
    assert record.start.rules == RuleSet()
    assert [(str(each.move), each.line, each.column) for each in record.moves] == [
        ("d4", 6, 16),
        ("d4", 6, 19),
        ("d3", 6, 22),
        ("p4", 6, 25),
    ]
    assert record.tags == {"red": "Anna", "yellow": "Bo"}
    assert (record.result, record.unfinished, record.line, record.result_line) == (None, True, 3, 7)


def test_moves_may_be_numbered_and_stand_on_any_number_of_lines() -> None:
    text = "rules: popout\n1. d4 d4 2.d3 2... D3\n\n moves:\n3 3\nmoves: p4 # well played\n17.\n"
    assert moves_of(text) == ["d4", "d4", "d3", "d3", "d3", "d3", "p4"]


def test_names_of_lines_may_be_written_in_capitals_and_with_spaces() -> None:
    assert moves_of("RULES : POPOUT 7X6\n Moves:D4 d5") == ["d4", "d5"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_computer_and_the_file_begin_with_a_mark(end: str) -> None:
    text = "\ufeff" + end.join(["rules: popout", "d4", "d5 zz"])
    with pytest.raises(NotationError) as caught:
        parse_records(text)
    assert (caught.value.line, caught.value.column) == (3, 4)


@pytest.mark.parametrize("space", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u00a0"])
def test_only_what_an_editor_calls_a_line_is_a_line(space: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_records(f"rules: popout\nd4{space}zz")
    assert (caught.value.line, caught.value.column) == (2, 4)


def test_a_file_may_hold_many_games() -> None:
    first, second, third = parse_records("rules: popout\nd4\nrules: standard 9x7\n\nrules: popout\nresult: draw agreed")
    assert [len(each.moves) for each in (first, second, third)] == [1, 0, 0]
    assert [each.line for each in (first, second, third)] == [1, 3, 5]
    assert second.start.rules == RuleSet("standard", 9, 7)


@pytest.mark.parametrize("text", ["", "\n\r\n ", "# only a comment", "\ufeff"])
def test_an_empty_text_has_no_game(text: str) -> None:
    assert parse_records(text) == []


def test_a_game_may_have_rules_only() -> None:
    assert moves_of("rules: popout 7x6") == []


def test_a_game_may_begin_from_a_position() -> None:
    (record,) = parse_records("rules: popout 3x3 connect=3\nstart: X/O/ X # puzzle\nmoves: p1")
    assert record.start == parse_position("X/O/ X", RuleSet.parse("popout 3x3 connect=3"))
    assert replay(record).position.grid == ("", "O", "")


def test_a_name_may_have_a_number_sign_and_a_colon_in_it() -> None:
    (record,) = parse_records("rules: popout\nred: Player #1: the first\nplace:\n")
    assert record.tags == {"red": "Player #1: the first", "place": ""}


@pytest.mark.parametrize(
    ("text", "line", "column", "reason", "sentence"),
    [
        ("d4", 1, 1, "unreadable", 'A record begins with its rules, for example "rules: popout 7x6".'),
        ("\n\nred: Anna", 3, 1, "unreadable", 'A record begins with its rules, for example "rules: popout 7x6".'),
        ("rules popout", 1, 1, "unreadable", 'A record begins with its rules, for example "rules: popout 7x6".'),
        ("\x1b[2J", 1, 1, "unreadable", 'A record begins with its rules, for example "rules: popout 7x6".'),
        ('{"moves": []}', 1, 1, "unreadable", 'A record begins with its rules, for example "rules: popout 7x6".'),
        ("rules:", 1, 7, "rules", 'The rules are missing. Write a game and a size, for example "popout 7x6".'),
        ("  rules:  chess 8x8", 1, 11, "unknown-game", f'There is no game "chess". Choose one of: {GAME_NAMES}.'),
        ("rules: popout 33x6", 1, 8, "size-out-of-range",
         "A grid of 33x6 (columns x rows) cannot be played. Choose from 1 to 32 for each."),
        ("rules: popout rules: standard", 1, 8, "rules",
         '"rules:" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.'),
        ("rules: popout\nmoves: d4 z4", 2, 11, "unreadable", f'"z4" is no move. {NO_MOVE}'),
        ("rules: popout\n1.d4 2.z4", 2, 8, "unreadable", f'"z4" is no move. {NO_MOVE}'),
        ("rules: popout\nd4,d5", 2, 1, "unreadable", f'"d4,d5" is no move. {NO_MOVE}'),
        ("rules: popout\nd4\x00", 2, 1, "unreadable", f'"d4\\x00" is no move. {NO_MOVE}'),
        ("rules: popout\n١. d4", 2, 1, "unreadable", f'"١." is no move. {NO_MOVE}'),
        ("rules: popout\nd4 " + "z" * 99_999, 2, 4, "unreadable", f'"{"z" * 40}…" is no move. {NO_MOVE}'),
        ("rules: popout\ncolour: blue", 2, 1, "unreadable", f'A record has no line "colour". It may have: {LINES}.'),
        ("rules: popout\nfull-grid: draw", 2, 1, "unreadable",
         f'A record has no line "full-grid". It may have: {LINES}.'),
        ("rules: popout\nstart: X////// X", 2, 8, "wrong-side-to-move",
         "With one disc on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs."),
        ("rules: popout\nstart: //Z//// X", 2, 10, "unreadable",
         '"Z" is no disc. Write X (red), O (yellow) and / between columns.'),
        ("rules: popout\nstart: //////", 2, 14, "unreadable",
         "The side to move is missing. Write X (red) or O (yellow) after the position."),
        ("rules: popout\nstart:", 2, 7, "unreadable", "The position is missing. Write for example X/O///// X."),
        ("rules: popout\nd4\nstart: ////// X", 3, 1, "unreadable",
         "The start stands after a move. Write it before the moves."),
        ("rules: popout\nstart: ////// X\nstart: ////// X", 3, 1, "unreadable",
         'This record has two lines "start". Leave one of the two out.'),
        ("rules: popout\nred: A\nRed: A", 3, 1, "unreadable",
         'This record has two lines "red". Leave one of the two out.'),
        ("rules: popout\nresult: unfinished\nresult: unfinished", 3, 1, "unreadable",
         'This record has two lines "result". Leave one of the two out.'),
        ("rules: popout\nresult: unfinished\nmoves: 1. d4", 3, 11, "unreadable",
         'A move stands after the result. Begin a new game with a line such as "rules: popout 7x6".'),
        ("rules: popout\nresult: blue", 2, 9, "unreadable",
         '"blue" is no result. Write red, yellow, draw or unfinished. '
         f"After one of the first three you may write why: {REASONS}."),
        ("rules: popout\nresult:", 2, 8, "unreadable",
         '"" is no result. Write red, yellow, draw or unfinished. '
         f"After one of the first three you may write why: {REASONS}."),
        ("rules: popout\nresult: red line 4", 2, 9, "unreadable",
         '"red line 4" is no result. Write red, yellow, draw or unfinished. '
         f"After one of the first three you may write why: {REASONS}."),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)  # fmt: skip
def test_a_text_that_cannot_be_read_is_refused_with_its_place(
    text: str, line: int, column: int, reason: str, sentence: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_records(text)
    error = caught.value
    assert (error.line, error.column, error.reason, str(error)) == (line, column, reason, sentence)


def test_games_around_one_that_cannot_be_read_are_read_all_the_same() -> None:
    text = "rules: popout\nd4\nrules: chess\nd4 e5\nrules: popout\nd4 zz\nresult: red\nrules: standard\nd1 d2"
    found = [
        (each.line, each.column) if isinstance(each, NotationError) else len(each.moves) for each in read_records(text)
    ]
    assert found == [1, (3, 8), (6, 4), 2]


def test_a_record_of_power_up_may_have_steps_or_whole_turns() -> None:
    rules = "rules: power 7x6"
    steps, turns = parse_records(f"{rules}\nd1 b2 p1 w4 d5\n{rules}\n1. d1 b2p1 2.w4d5")
    assert replay(steps) == replay(turns)
    assert [(str(each.move), each.column) for each in turns.moves] == [
        ("d1", 4), ("b2", 7), ("p1", 7), ("w4", 14), ("d5", 14),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("pop10 4x2 connect=3 target=2", "d1 d2 d3 d4 d1 d2 d3 d4 p3 d3 p4"),
        ("five 7x6 connect=5", "d2 d8"),
        ("power 7x6 connect=4", "d1 b2 p1 w4 d5 x3"),
        ("five+power+pop 7x6 connect=5", "d2 b3 p2 d4 p3"),
    ],
)
def test_a_record_of_any_game_is_written_and_read_back(rules: str, moves: str) -> None:
    game, problem = Game.start(RuleSet.parse(rules)).play_all(map(parse_move, moves.split()))
    assert problem is None
    written = write_record(game)
    assert written.startswith(f"rules: {rules} ")
    assert replay(parse_records(written)[0]) == game


def test_a_record_may_begin_in_the_middle_of_a_turn() -> None:
    text = "rules: power 3x3 connect=3\nstart: X/O/ O phase=bomb powers=abwx,awx\nmoves: p1\nresult: unfinished\n"
    game = replay(parse_records(text)[0])
    assert game.position.grid == ("", "O", "")
    assert "start: X/O/ O phase=bomb powers=abwx,awx\nmoves: p1\n" in write_record(game)


def test_a_position_that_the_game_does_not_have_is_refused_with_its_place() -> None:
    with pytest.raises(NotationError) as caught:
        parse_records("rules: popout 3x3 connect=3\nstart: X// O kept=1,0")
    error = caught.value
    assert (error.line, error.column, error.reason) == (2, 8, "not-in-this-game")
    assert str(error) == 'The game "popout" has nothing called "kept". Leave it out.'


# Judging records


def fault(text: str) -> RecordFault:
    (record,) = parse_records(text)
    with pytest.raises(RecordFault) as caught:
        replay(record)
    return caught.value


@pytest.mark.parametrize(
    ("moves", "ply", "line", "column", "reason", "sentence"),
    [
        ("d4\n d4 d4 p4 d1", 4, 3, 8, "not-your-disc",
         "Column 4: the bottom disc is red's. You may pop only your own."),
        ("p1", 1, 2, 8, "nothing-to-pop", "Column 1 is empty: there is nothing to pop."),
        ("d4 d8", 2, 2, 11, "no-such-column", "There is no column 8. Choose a column from 1 to 7."),
        ("1. d1 d1 2. d1 d1 3. d1 d1 4. d1", 7, 2, 38, "column-full", "Column 1 is full. Choose another column."),
        ("claim", 1, 2, 8, "nothing-to-claim",
         'A draw cannot be claimed by these rules. The option "full-grid=claim" would allow it.'),
        (f"{WON} d2 d3", 8, 2, 29, "game-over", "The game was over before this move. Red wins: 4 in a row."),
        ("d1 d1 p1 p1 d1", 5, 2, 20, "game-over",
         "The game was over before this move. "
         "Draw: the last disc was popped and the grid is empty (rule empty-grid=draw)."),
    ],
)  # fmt: skip
def test_the_first_illegal_move_is_named_with_its_place_and_reason(
    moves: str, ply: int, line: int, column: int, reason: str, sentence: str
) -> None:
    found = fault(f"rules: popout\nmoves: {moves}")
    assert (found.code, found.reason) == ("record-fault", reason)
    assert (found.ply, found.line, found.column, str(found)) == (ply, line, column, sentence)
    assert len(found.game.moves) == ply - 1


@pytest.mark.parametrize(
    ("moves", "claimed", "sentence"),
    [
        (WON, "yellow", 'The record ends with "yellow", which is wrong. Red wins: 4 in a row.'),
        (WON, "red full", 'The record ends with "red full", which is wrong. Red wins: 4 in a row.'),
        (WON, "draw agreed", 'The record ends with "draw agreed", which is wrong. Red wins: 4 in a row.'),
        (WON, "unfinished", 'The record ends with "unfinished", which is wrong. Red wins: 4 in a row.'),
        ("d4", "red", 'The record ends with "red", which is wrong. The game goes on after these moves.'),
        ("d4", "draw", 'The record ends with "draw", which is wrong. The game goes on after these moves.'),
        ("d4", "red agreed", 'The record ends with "red agreed", which is wrong. The game goes on after these moves.'),
        ("d4", "draw resigned",
         'The record ends with "draw resigned", which is wrong. The game goes on after these moves.'),
    ],
)  # fmt: skip
def test_a_result_that_the_moves_do_not_have_is_a_fault(moves: str, claimed: str, sentence: str) -> None:
    found = fault(f"rules: popout\n{moves}\nresult: {claimed}")
    assert (found.code, found.reason, found.ply, found.line) == ("record-fault", "wrong-result", 0, 3)
    assert str(found) == sentence
    assert " ".join(map(str, found.game.moves)) == moves


@pytest.mark.parametrize(
    ("moves", "claimed", "winner", "termination"),
    [
        (WON, "red", RED, Termination.LINE),
        (WON, "RED Line", RED, Termination.LINE),
        ("d1 d1 p1 p1", "draw", None, Termination.EMPTY),
        ("d4", "draw agreed", None, Termination.AGREED),
        ("d4", "yellow resigned", YELLOW, Termination.RESIGNED),
        ("d4", "red resigned", RED, Termination.RESIGNED),
    ],
)
def test_a_result_that_is_true_or_that_only_players_can_know_is_taken(
    moves: str, claimed: str, winner: object, termination: Termination
) -> None:
    (record,) = parse_records(f"rules: popout\n{moves}\nresult: {claimed}")
    outcome = replay(record).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (winner, termination)


@pytest.mark.parametrize("result", ["", "result: unfinished"])
def test_a_game_that_goes_on_may_say_so_or_nothing(result: str) -> None:
    (record,) = parse_records(f"rules: popout\nd4\n{result}")
    assert replay(record).outcome is None


def test_a_game_of_very_many_moves_is_judged_in_a_time_that_grows_with_its_length() -> None:
    moves = "d1 d2 " + "d1 d2 p1 p2 " * 15_000
    began = perf_counter()
    (record,) = parse_records(f"rules: popout\n{moves}d1")
    game = replay(record)
    assert (len(game.moves), game.outcome) == (60_003, None)
    assert perf_counter() - began < 15  # a copy of the game at every move would take minutes


# Writing records


def test_a_record_is_written_with_all_options_and_ten_moves_a_line() -> None:
    game = Game.start(RuleSet("standard"))
    for column in (4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3):
        game = game.play(Drop(column))
    assert write_record(game, {"red": "Anna", "event": "Sunday\nevening"}) == (
        "rules: standard 7x6 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no\n"
        "red: Anna\n"
        "event: Sunday evening\n"
        "moves: d4 d4 d4 d4 d4 d4 d3 d3 d3 d3\n"
        "       d3\n"
        "result: unfinished\n"
    )


def test_a_record_of_a_game_from_a_position_has_its_start() -> None:
    game = Game.from_position(parse_position("X/O/ X hands=1,2", RuleSet.parse("popout 3x3 connect=3 supply=3")))
    written = write_record(game.resign(YELLOW))
    assert written.splitlines()[1:] == ["start: X/O/ X hands=1,2", "moves:", "result: red resigned"]
    assert replay(parse_records(written)[0]) == game.resign(YELLOW)


def test_a_tag_that_no_record_has_is_not_written() -> None:
    with pytest.raises(NotationError) as caught:
        write_record(Game.start(RuleSet()), {"colour": "blue"})
    assert str(caught.value) == f'A record has no line "colour". It may have: {LINES}.'


def test_results_are_the_winner_and_the_code_of_the_reason() -> None:
    game = Game.start(RuleSet())
    assert result_text(game.outcome) == "unfinished"
    assert result_text(game.agree_draw().outcome) == "draw agreed"
    assert result_text(game.resign(RED).outcome) == "yellow resigned"
