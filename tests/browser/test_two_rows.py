"""A board on which each side has its own row of buttons, with beams that see the discs: as the page shows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from board_page import PHONE, BoardPage
from playwright.sync_api import expect
from running import Hand, Program

LAYOUT = """
title = "A board with everything"
columns = 5
rows = 4
actuation = "button"

[switches]
columns = ["R1", "R2", "R3", "R4", "R5"]
yellow_columns = ["Y1", "Y2", "Y3", "Y4", "Y5"]
drop_sensors = ["D1", "D2", "D3", "D4", "D5"]
pop_sensors = ["P1", "P2", "P3", "P4", "P5"]
bar = "BAR"
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The simulator of that board."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "everything.toml").write_text(LAYOUT)
    running = Program(folder, "--layout", folder / "everything.toml", "--rules", "popout 5x4")
    yield running
    running.stop()


@pytest.fixture
def hand(program: Program) -> Iterator[Hand]:
    """Another hand at the table, at a new game that fits this board."""
    with Hand(program) as hand:
        hand.begin("popout 5x4")
        yield hand


@pytest.fixture
def rows(open_page) -> BoardPage:
    """The page."""
    board: BoardPage = open_page()
    expect(board.page.locator("#board .button")).to_have_count(10)
    return board


def key(board: BoardPage, side: str, column: int):
    return board.page.get_by_role("button", name=f"{side}'s button of column {column}")


def test_each_side_presses_its_own_buttons(rows):
    key(rows, "Red", 3).click()
    expect(rows.moves).to_have_count(1)
    key(rows, "Yellow", 3).click()
    expect(rows.moves).to_have_count(2)

    rows.shows("", "", "XO", "", "")
    rows.picture("two-rows")


def test_a_press_out_of_turn_is_named_and_changes_nothing(rows):
    key(rows, "Yellow", 3).click()

    expect(rows.notice).to_have_text("That was a button of yellow's, whose turn it is not. Red to move.")
    expect(rows.notice).to_have_class("notice refused")
    expect(rows.moves).to_have_count(0)


def test_a_press_of_the_column_is_one_of_the_side_to_move(rows):
    rows.columns.nth(1).click(position={"x": 20, "y": 60})
    expect(rows.moves).to_have_count(1)
    rows.page.keyboard.press("2")
    expect(rows.moves).to_have_count(2)
    rows.slide("open")
    rows.page.keyboard.press("2")

    expect(rows.moves.last).to_contain_text("p2")
    rows.shows("", "O", "", "", "")


def test_the_button_that_is_held_is_the_one_that_goes_down(rows):
    box = key(rows, "Yellow", 4).bounding_box()
    rows.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    rows.page.mouse.down()

    expect(rows.page.locator("#board .of-yellow.pressed")).to_have_count(1)
    expect(rows.page.locator("#board .of-red.pressed")).to_have_count(0)
    rows.page.mouse.up()


def test_a_row_is_reached_and_walked_with_the_keyboard(rows):
    key(rows, "Red", 1).focus()
    rows.page.keyboard.press("ArrowRight")
    expect(key(rows, "Red", 2)).to_be_focused()
    rows.page.keyboard.press("Enter")

    expect(rows.moves.last).to_contain_text("d2")


def test_a_disc_that_a_beam_sees_is_a_move_without_a_press(rows):
    rows.page.get_by_label("Only the disc: let it in or out, press no button").check()

    rows.click(3)

    expect(rows.moves.last).to_contain_text("d3")
    expect(rows.page.locator("#differs")).to_be_hidden()


def test_a_press_without_its_disc_is_asked_about(rows):
    rows.page.get_by_label("Only the button: press it, leave the discs alone").check()

    rows.click(3)

    expect(rows.page.locator("#differs")).to_contain_text("Column 3 was pressed, but no disc was seen.")


def test_the_menu_is_chosen_from_by_either_row(rows):
    rows.play("d1")
    rows.button("Menu of the board").click()

    key(rows, "Red", 1).click()

    expect(rows.page.locator("#menu")).to_be_hidden()
    expect(rows.moves).to_have_count(1)


def test_two_rows_fit_a_phone(rows):
    rows.page.set_viewport_size(PHONE)
    caps = rows.page.locator("#board .cap")
    boxes = [caps.nth(index).bounding_box() for index in range(10)]

    assert all(box["y"] + box["height"] < PHONE["height"] for box in boxes)
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[5]["y"]
    rows.picture("phone-two-rows")
