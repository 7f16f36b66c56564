"""The slow rules of `slow_rules.py` against the records in `data/vectors`, and the options that no record has.

`python tests/test_slow_rules.py FILE.jsonl ...` replays whole files and counts the records that agree.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from slow_rules import IllegalStep, SlowGame

VECTORS = Path(__file__).parent / "data" / "vectors"
SIDES = {"X": 1, "O": 2, None: 0}
Record = dict[str, Any]


def records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text().splitlines()]


SPECIAL = records(VECTORS / "special.jsonl")
LEGAL = records(VECTORS / "legal.jsonl")
PERFT = json.loads((VECTORS / "perft.json").read_text())


@pytest.mark.parametrize("record", SPECIAL, ids=lambda record: record["name"])
def test_special_game(record: Record):
    replay(record)


@pytest.mark.parametrize("record", LEGAL, ids=lambda record: f"{record['variant']} {' '.join(record['moves'])}")
def test_legal_moves_of_position(record: Record):
    check_legal(record)


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: "{variant} {cols}x{rows} {connect} {opts}".format(**entry))
def test_perft(entry: Record):
    shallow = [count for count in entry["counts"] if count <= 1500] or entry["counts"][:1]
    assert [perft(start(entry), depth + 1) for depth in range(len(shallow))] == shallow


def test_both_lines_draw_and_other():
    name = "pop makes lines for both, player 1 popped and wins, small board"
    moves = next(record["moves"] for record in SPECIAL if record["name"] == name)
    for option, winner in (("mover", "X"), ("draw", None), ("other", "O")):
        game = SlowGame("popout", 4, 3, 3, {"both-lines": option})
        play_all(game, moves)
        assert game.result == (winner, "both-lines")


def test_full_grid_is_claimed_or_played_on():
    fill = ["d1", "d1", "d2", "d2", "d3", "d3"]  # X at the bottom everywhere
    options = {"allow-unwinnable": True}
    game = SlowGame("popout", 3, 2, 4, options | {"full-grid": "claim"})
    play_all(game, fill)
    assert game.legal_steps() == ["claim", "p1", "p2", "p3"]
    game.play("claim")
    assert game.result == (None, "claim")
    game = SlowGame("popout", 3, 2, 4, options | {"full-grid": "continue", "first": "Y"})
    play_all(game, fill)
    assert (game.turn, game.legal_steps()) == ("O", ["p1", "p2", "p3"])


def test_full_grid_without_a_pop_passes_the_turn():
    game = SlowGame("popout", 1, 2, 3, {"full-grid": "continue", "allow-unwinnable": True})
    play_all(game, ["d1", "d1", "p1", "d1"])  # O fills the grid with an O at the bottom; X cannot pop it
    assert columns_text(game) == "OO"
    assert (game.turn, game.legal_steps()) == ("O", ["p1"])
    game = SlowGame("popout", 1, 1, 2, {"full-grid": "continue", "allow-unwinnable": True})
    game.play("d1")  # O has neither a drop nor a pop
    assert (game.turn, game.legal_steps()) == ("X", ["p1"])


def test_emptied_grid_played_on_starts_again_with_drops():
    game = SlowGame("popout", 7, 6, 4, {"empty-grid": "continue", "repetition": 2})
    play_all(game, ["d1", "d2", "p1"])
    assert game.result is None
    game.play("p2")
    assert game.result == (None, "repetition")  # the start is a position, too


def test_move_cap_counts_a_power_turn_once():
    game = SlowGame("power", 7, 6, 4, {"move-cap": 2})
    play_all(game, ["w1", "d2", "x3"])
    assert game.result is None
    game.play("d4")
    assert game.result == (None, "move-cap")


def test_pop10_first_popper_and_put_back():
    fill = ["d1", "d4", "d2", "d5", "d3"]  # XXXOO, one row
    options = {"target": 1, "allow-unwinnable": True}
    game = SlowGame("pop10", 5, 1, 3, options | {"first-popper": "R"})
    play_all(game, fill)
    assert (game.turn, game.phase) == ("X", "pop")
    game.play("p1")
    assert (game.result, game.kept) == (("X", "ten"), {"X": 1, "O": 0})
    for option, kept, phase, turn in (("end", 1, "pop", "O"), ("put-back", 0, "put", "X")):
        game = SlowGame("pop10", 2, 1, 1, options | {"target": 5, "pop10-stuck": option})
        play_all(game, ["d1", "d2", "p1"])  # a line of one; X has no other disc
        assert (game.kept["X"], game.phase, game.turn) == (kept, phase, turn)


def test_bomb_judged_where_it_lands():
    moves = ["d1", "d5", "d2", "d6", "d3", "d1"]
    for option, result in (("after", None), ("also-landing", ("X", "line"))):
        game = SlowGame("power", 7, 6, 4, {"judge": option})
        play_all(game, [*moves, "b4"])
        assert game.result == result
        assert game.phase == ("play" if result else "bomb")


def test_anvil_judged_where_it_lands_stays_on_top():
    # X on the diagonal 1-1, 2-2, 3-3; column 4 is XOO
    moves = ["d1", "d2", "d2", "d3", "d4", "d3", "d3", "d4", "d6", "d4"]
    for option, column in (("after", "X"), ("also-landing", "XOOX")):
        game = SlowGame("power", 7, 6, 4, {"judge": option})
        play_all(game, [*moves, "a4"])
        assert "".join(game.columns[3]) == column
        assert game.result == (None if option == "after" else ("X", "line"))


def test_supply_leaves_power_discs_but_no_second_disc():
    game = SlowGame("power", 7, 6, 4, {"supply": 1, "powers": "wx"})
    play_all(game, ["d1", "d2", "x3"])
    assert (game.turn, game.phase) == ("O", "play")
    play_all(game, ["w4", "w5", "x6"])
    assert game.result == (None, "stuck")


@pytest.mark.parametrize("game", ["pop10+popout", "pop10+power", "standard+five", "six"])
def test_games_that_do_not_go_together_are_refused(game: str):
    with pytest.raises(ValueError, match=r"game|Pop 10"):
        SlowGame(game, 7, 6, 4, {})


def test_games_that_nobody_can_win_are_refused_unless_allowed():
    for game, columns, rows, connect, target in (("popout", 3, 2, 4, 10), ("pop10", 7, 6, 4, 19)):
        with pytest.raises(ValueError, match="nobody"):
            SlowGame(game, columns, rows, connect, {"target": target})
        assert SlowGame(game, columns, rows, connect, {"target": target, "allow-unwinnable": True}).turn == "X"
    assert SlowGame("pop10", 7, 6, 4, {"target": 18}).turn == "X"
    assert SlowGame("five", 3, 4, 5, {}).turn == "X"  # the flanks count


def test_copy_is_played_on_by_itself():
    game = SlowGame("power+pop", 7, 6, 4, {"supply": 3})
    game.copy().play("x4")
    assert (columns_text(game), game.phase, len(game.powers["X"]), len(game.history)) == ("//////", "play", 4, 1)


# Reading the records.


def start(record: Record) -> SlowGame:
    """The game of a record; the data has games that the set-up of RULES.md refuses, so it is told to allow them."""
    game = record["variant"]
    opts = dict(record["opts"])
    options: dict[str, str | int | bool] = {"allow-unwinnable": True}
    if "sides" in opts:
        options["flanks"] = opts.pop("sides").translate({ord("X"): "R", ord("O"): "Y"})
        game += "+five" if "five" not in game else ""
    names = {"power": "powers", "wall_first_may_win": "wall-first-may-win"}
    options |= {names.get(name, name): value for name, value in opts.items()}
    return SlowGame(game, record["cols"], record["rows"], record["connect"], options)


def columns_text(game: SlowGame) -> str:
    return "/".join("".join(column) for column in game.columns)


def play_all(game: SlowGame, steps: list[str]) -> None:
    for step in steps:
        game.play(step)


def play_word(game: SlowGame, word: str) -> None:
    """Play a whole move as the data writes it; a power turn that is not finished is refused like a wrong step."""
    play_all(game, re.findall(r"[a-z]\d+", word))
    if game.phase in ("bomb", "wall", "x2"):
        raise IllegalStep(word)


def words(game: SlowGame) -> Iterator[tuple[str, SlowGame]]:
    """Every whole move, with the game after it."""
    for step in game.legal_steps():
        after = game.copy()
        after.play(step)
        if after.phase in ("bomb", "wall", "x2"):
            yield from ((step + rest, end) for rest, end in words(after))
        else:
            yield step, after


def perft(game: SlowGame, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(after, depth - 1) for _, after in words(game))


def replay(record: Record) -> None:
    """Play a recorded game and compare all that is written down after every move."""
    game = start(record)
    assert columns_text(game) == record["start"]
    for index, word in enumerate(record["moves"]):
        assert len(list(words(game))) == record["legal"][index], (index, word)
        play_word(game, word)
        assert columns_text(game) == record["boards"][index], (index, word)
        assert SIDES[game.turn] == record["next"][index], (index, word)
        if "kept" in record:
            assert [game.kept["X"], game.kept["O"]] == record["kept"][index], (index, word)
    if record["result"] is None:
        assert game.result is None
    else:
        assert game.result is not None
        assert (SIDES[game.result[0]], game.result[1]) == (record["result"]["winner"], record["result"]["reason"])
        for side, cells in (("X", "cells1"), ("O", "cells2")):
            assert game.lines(side) == {(column, row) for column, row in record["result"][cells]}


def check_legal(record: Record) -> None:
    """Compare the moves of a recorded position, and try those that must be refused."""
    game = start(record)
    for word in record["moves"]:
        play_word(game, word)
    assert columns_text(game) == record["board"]
    assert SIDES[game.turn] == record["next"]
    assert game.phase == record["phase"]
    assert sorted(word for word, _ in words(game)) == sorted(record["legal"])
    for word in record["refuse"]:
        with pytest.raises(IllegalStep):
            play_word(game.copy(), word)


def main(names: list[str]) -> None:
    for name in names:
        agree = 0
        for number, record in enumerate(records(Path(name)), 1):
            try:
                check_legal(record) if "refuse" in record else replay(record)
                agree += 1
            except (AssertionError, ValueError) as error:
                print(f"{name}:{number}: {error!r}")
        print(f"{name}: {agree} of {number} agree")


if __name__ == "__main__":
    main(sys.argv[1:])
