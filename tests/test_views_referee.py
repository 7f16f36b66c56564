"""The referee of a plain set: moves and words in, answers out."""

from __future__ import annotations

import pytest

from popout.locale import Catalogue
from popout.rules import Game, RuleSet
from popout.views.drawing import Style
from popout.views.referee import Referee, Refused, Saving
from popout.views.referee_words import as_lines, as_object, farewell, farewell_object

ENGLISH = Catalogue("en")
PLAIN = Style(symbols=False)


def referee(rules: str = "popout 7x6", moves: str = "") -> Referee:
    listening = Referee(Game.start(RuleSet.parse(rules)))
    listening.hear(moves)
    return listening


def said(listening: Referee, *lines: str) -> list[str]:
    """Everything that the referee says to these lines, as it is piped."""
    return [
        text
        for line in lines
        for answer in listening.hear(line)
        for text in as_lines(answer, ENGLISH, PLAIN, draw=False)
    ]


# Moves


def test_a_move_is_judged_and_the_turn_passes():
    assert said(referee(), "d4", "4", "P4") == [
        "1. Red drops a disc in column 4. Yellow to move.",
        "2. Yellow drops a disc in column 4. Red to move.",
        "3. Red pops a disc out of column 4. Yellow to move.",
    ]


def test_several_moves_on_a_line_with_numbers_and_a_comment():
    assert said(referee(), "1. d4 d3 2.p4 # a bold one") == [
        "1. Red drops a disc in column 4. Yellow to move.",
        "2. Yellow drops a disc in column 3. Red to move.",
        "3. Red pops a disc out of column 4. Yellow to move.",
    ]


def test_an_illegal_move_is_refused_with_its_reason_and_changes_nothing():
    listening = referee(moves="d4 d3")
    before = listening.game

    assert said(listening, "p3") == [
        "p3 is refused. Column 3: the bottom disc is yellow's. You may pop only your own. "
        "Nothing has changed. Red to move."
    ]
    assert listening.game == before
    assert listening.refused == 1


def test_what_stands_behind_a_refused_move_is_not_looked_at():
    listening = referee()

    assert said(listening, "d1 d9 d2 d3")[1:] == [
        "d9 is refused. There is no column 9. Choose a column from 1 to 7. Nothing has changed. Yellow to move.",
        "The rest of the line was not looked at: d2 d3",
    ]
    assert len(listening.game.moves) == 1


def test_the_end_says_why_and_where():
    assert said(referee(moves="d1 d2 d1 d2 d1 d2"), "d1") == [
        "7. Red drops a disc in column 1. Red wins: 4 in a row.",
        "   Red's line: column 1, rows 1 to 4.",
    ]


def test_lines_are_described_in_every_direction():
    row = referee("popout 4x3 connect=3", "d1 d1 d2 d2")
    rising = referee("standard 4x4 connect=3", "d1 d2 d2 d3 d4 d3")
    falling = referee("standard 4x4 connect=3", "d4 d3 d3 d2 d1 d2")

    assert said(row, "d3")[1:] == ["   Red's line: row 1, columns 1 to 3."]
    assert said(rising, "d3")[1:] == ["   Red's line: from column 1, row 1 to column 3, row 3."]
    assert said(falling, "d2")[1:] == ["   Red's line: from column 2, row 3 to column 4, row 1."]


def test_a_pop_that_makes_lines_for_both_shows_both_the_winners_first():
    listening = referee("popout 4x3 connect=3", "d1 d2 d4 d1 d1 d3 d2 d4 d3 d4")

    texts = said(listening, "p1")

    assert texts[1:] == ["   Red's line: row 2, columns 1 to 3.", "   Yellow's line: row 1, columns 1 to 3."]
    assert texts[0].startswith("11. Red pops a disc out of column 1. Red wins: ")
    assert texts[0].endswith("(rule both-lines=mover).")


def test_a_move_after_the_end_is_refused():
    listening = referee(moves="d1 d2 d1 d2 d1 d2 d1")

    (answer,) = listening.hear("d2")

    assert isinstance(answer, Refused)
    assert answer.code == "game-over"
    assert "Nothing has changed. Red wins: 4 in a row." in said(listening, "d2")[0]


def test_a_position_that_stands_for_the_third_time_is_announced_and_so_is_the_fourth():
    listening = referee("popout 4x4", "d1 d2")
    third = "This position stands for the third time; the players may agree a draw."
    fourth = "This position has stood 4 times; the players may agree a draw."

    last = [said(listening, "d3 d4 p3 p4")[-1] for _ in range(3)]

    assert last == ["6. Yellow pops a disc out of column 4. Red to move.", third, fourth]


def test_a_side_that_cannot_move_is_passed_over_aloud():
    listening = referee("popout 1x3 connect=3 full-grid=continue", "d1 d1")

    assert said(listening, "d1") == [
        "3. Red drops a disc in column 1. Red to move.",
        "Yellow cannot move and is passed over. Red moves again.",
    ]


@pytest.mark.parametrize("word", ["zz", "d", "-1", "d4x"])
def test_a_word_that_is_no_move_is_refused(word: str):
    listening = referee()

    (answer,) = listening.hear(word)

    assert isinstance(answer, Refused)
    assert (answer.code, answer.move) == ("unreadable", False)
    assert str(answer.message).endswith('Write "help" for the commands.')


def test_a_word_that_is_almost_a_command_is_asked_about():
    assert said(referee(), "undoo") == ['"undoo" is neither a move nor a command. Did you mean "undo"?']


def test_a_command_among_moves_is_refused():
    assert said(referee(), "d1 board d2")[1:] == [
        '"board" is a command. Write it on a line of its own.',
        "The rest of the line was not looked at: d2",
    ]


def test_a_line_of_a_record_is_recognised():
    assert said(referee(), "rules: popout 7x6") == [
        "This looks like a line of a record. To judge a record, run popout check FILE; "
        "to go on from one, popout referee --from FILE."
    ]


@pytest.mark.parametrize("line", ["", "   ", "# only a comment", "1. 2."])
def test_a_line_with_nothing_to_judge_says_nothing(line: str):
    listening = referee()

    assert listening.hear(line) == ()
    assert listening.refused == 0


# Commands


def test_undo_takes_back_one_move_or_several():
    listening = referee(moves="d1 d2 p1 d3")

    assert said(listening, "undo", "u 2", "undo") == [
        "Move 4 (d3) is taken back. Yellow to move.",
        "2 moves are taken back. Yellow to move.",
        "Move 1 (d1) is taken back. Red to move.",
    ]


def test_undo_goes_back_from_the_end():
    listening = referee(moves="d1 d2 d1 d2 d1 d2 d1")

    assert said(listening, "undo") == ["Move 7 (d1) is taken back. Red to move."]
    assert said(listening, "draw", "undo") == [
        "Draw: the players agreed.",
        "The end of the game is taken back. Red to move.",
    ]


@pytest.mark.parametrize("words", ["undo", "undo 3", "undo 0", "undo -1", "undo x", "undo 1 2", "undo " + "9" * 5000])
def test_an_undo_that_cannot_be_is_refused(words: str):
    listening = referee(moves="" if words == "undo" else "d1 d2")
    before = listening.game

    (answer,) = listening.hear(words)

    assert isinstance(answer, Refused)
    assert not answer.move
    assert listening.game == before


def test_moves_are_listed_as_they_can_be_typed_again():
    assert said(referee(moves="d1 d2 p1"), "moves") == ["1. d1  2. d2  3. p1", "Yellow to move."]
    assert said(referee(), "moves") == ["No move has been made. Red to move."]


def test_the_board_is_drawn_when_asked_for():
    assert said(referee("popout 4x2 connect=3", "d1 d1"), "board") == [
        "",
        " 2 |>O . . . |",
        " 1 | X . . . |",
        "   +---------+",
        "     1 2 3 4",
        "",
        "Red to move.",
    ]


def test_resigning_is_for_the_side_to_move_or_the_one_named():
    assert said(referee(moves="d1"), "resign") == ["Red wins: yellow gave up."]
    assert said(referee(moves="d1"), "resign Red") == ["Yellow wins: red gave up."]
    assert said(referee(), "resign blue") == [
        'Write who gives up: "resign red" or "resign yellow"; alone it is the side to move.'
    ]


def test_a_draw_is_agreed_once():
    listening = referee(moves="d1")

    assert said(listening, "draw") == ["Draw: the players agreed."]
    assert isinstance(listening.hear("draw")[0], Refused)


def test_why_explains_the_last_refusal_and_what_may_be_done():
    assert said(referee(moves="d4 d3"), "p3", "why")[1:] == [
        "p3 was refused. Column 3: the bottom disc is yellow's. You may pop only your own.",
        "Red may drop in: 1, 2, 3, 4, 5, 6, 7.",
        "Red may pop: 4.",
    ]


def test_why_names_the_claim_where_there_is_one():
    listening = referee("popout 3x1 connect=3 full-grid=claim", "d1 d2 d3")
    assert said(listening, "d1", "why")[-1] == "Yellow may claim the draw."
    assert said(listening, "claim")[0].startswith("4. Yellow claims the draw. Draw: ")


def test_why_explains_the_end_with_lines_and_rules():
    assert said(referee("standard 4x4", "d1 d2 d1 d2 d1 d2 d1"), "why") == [
        "Red wins: 4 in a row.",
        "Red's line: column 1, rows 1 to 4.",
        "Rules: standard 4x4 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no",
    ]


def test_why_has_nothing_to_explain_when_nothing_was_refused():
    assert said(referee(moves="d9 d1"), "d1", "why")[-1] == "Nothing was refused, and the game goes on. Yellow to move."


def test_rules_say_what_is_played_with_every_option_of_the_game():
    texts = said(referee("standard 5x4"), "rules")

    assert texts[:2] == [
        "The original on 5 columns by 4 rows, 4 in a row.",
        "Drop a disc in turn; the first line wins.",
    ]
    assert "Who makes the first move? first=red" in texts
    assert not [text for text in texts if "both-lines" in text]
    assert "A pop, an anvil or a bomb makes lines for both sides: who wins? both-lines=mover" in said(
        referee(), "rules"
    )


def test_help_lists_every_command():
    texts = "\n".join(said(referee(), "?"))

    for command in ("undo", "board", "moves", "why", "rules", "draw", "resign", "save", "save!", "new", "quit"):
        assert command in texts
    assert "claim" not in texts
    assert "claim" in "\n".join(said(referee("popout full-grid=claim"), "help"))


def test_a_new_game_by_the_same_rules_or_others():
    listening = referee("popout 5x4")

    assert said(listening, "new") == ["Pop Out on 5 columns by 4 rows, 4 in a row. Red to move."]
    assert said(listening, "new standard 6x5 connect=5 first=yellow") == [
        "The original on 6 columns by 5 rows, 5 in a row. Yellow to move."
    ]


def test_a_game_that_is_left_without_being_saved_is_shown_so_that_it_is_not_lost():
    texts = said(referee("standard 4x4", "d1 d2"), "new")

    assert texts == [
        "The game before was not saved. This is its record:",
        "rules: standard 4x4 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no",
        "moves: d1 d2",
        "result: unfinished",
        "",
        "The original on 4 columns by 4 rows, 4 in a row. Red to move.",
    ]


@pytest.mark.parametrize("rules", ["nonsense", "popout 99x9", "popout both-lines=me", "popout 7x6 connect=40"])
def test_a_new_game_by_rules_that_there_are_not_is_refused(rules: str):
    listening = referee(moves="d1")
    before = listening.game

    (answer,) = listening.hear(f"new {rules}")

    assert isinstance(answer, Refused)
    assert listening.game == before


def test_saving_is_asked_for_with_the_path_as_it_was_written():
    listening = referee(moves="d1")

    assert listening.hear("save  My  games/#1.txt ") == (Saving("My  games/#1.txt", listening.game, replace=False),)
    assert listening.hear("save! a.txt") == (Saving("a.txt", listening.game, replace=True),)
    assert said(listening, "save") == ['Write where to save the record, for example "save friday.txt".']


def test_a_saved_game_counts_as_saved_until_the_next_move():
    listening = referee(moves="d1")
    listening.saved(Saving("a.txt", listening.game, replace=False))
    assert not listening.unsaved

    listening.hear("d1")
    assert listening.unsaved


def test_a_word_behind_a_command_that_stands_alone_is_refused():
    assert said(referee(), "board please") == ['"board" stands alone: leave out "please".']


# On a terminal, at the end, for programs


def test_on_a_terminal_the_board_is_drawn_above_what_is_said():
    listening = referee("popout 4x2 connect=3")
    (answer,) = listening.hear("d2")

    assert as_lines(answer, ENGLISH, PLAIN, draw=True) == (
        "",
        " 2 | . . . . |",
        " 1 | .>X . . |",
        "   +---------+",
        "     1 2 3 4",
        "",
        "1. Red drops a disc in column 2. Yellow to move.",
    )


def test_the_farewell_says_what_became_of_the_game_and_prints_its_record():
    listening = referee("standard 4x4", "d1 d2 d9")

    assert farewell(listening, {"red": "Anna"}, ENGLISH, record=True) == (
        "The game goes on: red to move after 2 moves.",
        "1 entry was refused.",
        "",
        "rules: standard 4x4 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no",
        "red: Anna",
        "moves: d1 d2",
        "result: unfinished",
    )


def test_the_farewell_to_a_game_without_moves():
    assert farewell(referee(), {}, ENGLISH, record=True) == ("No move was made.",)


def test_the_farewell_to_a_saved_game_leaves_the_record_out_if_it_may():
    listening = referee(moves="d1")
    listening.saved(Saving("a.txt", listening.game, replace=False))

    assert farewell(listening, {}, ENGLISH, record=False) == ("The game goes on: yellow to move after 1 move.",)


def test_a_legal_move_for_a_program():
    (answer,) = referee("popout 4x2 connect=3").hear("d2")

    assert as_object(answer, ENGLISH) == {
        "event": "move",
        "legal": True,
        "code": "legal",
        "move": "d2",
        "ply": 1,
        "side": "red",
        "sentence": "Red drops a disc in column 2.",
        "remarks": [],
        "passed": None,
        "repetitions": 1,
        "moves": 1,
        "turn": "yellow",
        "grid": ["", "X", "", ""],
        "outcome": None,
    }


def test_a_refused_move_for_a_program():
    (answer,) = referee("popout 4x2 connect=3").hear("p2 d1")

    told = as_object(answer, ENGLISH)

    assert (told["event"], told["legal"], told["code"], told["move"]) == ("refused", False, "nothing-to-pop", "p2")
    assert (told["left_out"], told["moves"], told["turn"]) == (["d1"], 0, "red")


def test_the_last_move_of_a_game_for_a_program_has_the_outcome_with_its_lines():
    (answer,) = referee("popout 4x3 connect=3", "d1 d1 d2 d2").hear("d3")

    told = as_object(answer, ENGLISH)

    assert told["turn"] is None
    assert told["outcome"] == {
        "winner": "red",
        "termination": "line",
        "sentence": "Red wins: 3 in a row.",
        "lines": {"red": [[[1, 1], [2, 1], [3, 1]]], "yellow": []},
    }


def test_commands_for_a_program():
    listening = referee(moves="d1 d2")
    events = {}
    for words in ("undo", "moves", "board", "rules", "why", "draw", "new", "help", "save a.txt", "quit"):
        (answer,) = listening.hear(words)
        events[words] = as_object(answer, ENGLISH)

    assert [told["event"] for told in events.values()] == [words.partition(" ")[0] for words in events]
    assert events["undo"]["moves"] == 1
    assert events["draw"]["outcome"]["termination"] == "agreed"
    assert events["new"]["left"].endswith("moves: d1\nresult: draw agreed\n")


def test_the_end_for_a_program():
    told = farewell_object(referee(moves="d1 d9"), {}, ENGLISH)

    assert (told["event"], told["refused"], told["moves"], told["turn"]) == ("end", 1, 1, "yellow")
    assert told["record"].endswith("moves: d1\nresult: unfinished\n")
