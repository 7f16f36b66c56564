"""A position as it is being said: discs and what is beside them."""

from __future__ import annotations

from dataclasses import replace

from popout.rules import RED, YELLOW
from popout.views.terminal.editing import Draft

STATE = {
    "grid": ["X", "O", ""],
    "turn": "yellow",
    "differs": None,
    "telling": None,
    "rules": {"rows": 2, "firstColumn": 1, "columns": 3},
    "beside": {
        "phases": [{"value": "play"}],
        "phase": "play",
        "kept": None,
        "hands": None,
        "powers": None,
        "source": None,
    },
}


def draft(**changes: object) -> Draft:
    return replace(Draft.begun(STATE, 1), **changes)  # type: ignore[arg-type]


def test_it_begins_with_what_the_board_believes():
    assert (draft().grid, draft().turn, draft().fields) == (("X", "O", ""), YELLOW, ("turn",))


def test_it_begins_with_what_is_known_to_be_there_where_that_is_known():
    seen = Draft.begun({**STATE, "differs": {"seen": ["", "O", ""]}}, 1)
    told = Draft.begun({**STATE, "telling": {"grid": ["", "", "X"]}}, 1)

    assert (seen.grid[0], told.grid[2]) == ("", "X")


def test_discs_come_on_top_until_a_column_is_full_and_go_from_the_top():
    full = draft().put(YELLOW).put(RED)

    assert full.grid[0] == "XO"
    assert full.taken().taken().taken().grid[0] == ""


def test_only_columns_that_can_be_played_are_chosen_and_said():
    flanked = draft(grid=("XO", "", "OX"), first=2, last=2)

    assert (flanked.chosen(1).column, flanked.chosen(9).column, flanked.playable) == (2, 2, [""])


def test_the_cells_that_differ():
    assert draft().put(RED).chosen(2).taken().differing(STATE) == ((1, 2), (2, 1))


def test_what_a_game_has_beside_the_board_can_be_changed():
    rich = draft(phases=("pop", "put"), phase="put", kept=(0, 1), hands=(3, 4), powers=("a", ""), source=2)

    assert rich.fields == (
        *("turn", "phase", "source", "kept red", "kept yellow"),
        *("hands red", "hands yellow", "powers red", "powers yellow"),
    )
    assert rich.changed("turn", 1).turn is RED
    assert rich.changed("phase", 1).phase == "pop"
    assert rich.changed("source", 5).source == 3
    assert rich.changed("kept red", -1).kept == (0, 1)
    assert rich.changed("kept yellow", 1).kept == (0, 2)
    assert rich.changed("hands red", -1).hands == (2, 4)
    assert rich.toggled("powers yellow", "x").powers == ("a", "x")
    assert rich.toggled("powers red", "a").powers == ("", "")
    assert rich.toggled("turn", "a") == rich


def test_a_column_that_a_disc_came_from_is_said_only_while_it_is_to_be_put_back():
    rich = draft(phases=("pop", "put"), phase="put", source=2)

    assert (rich.said()["source"], rich.changed("phase", 1).said()["source"]) == (2, None)
