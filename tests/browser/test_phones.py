"""A phone on the network: it watches, plays after typing the code that the board's page shows, and is put out again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from board_page import PHONE, BoardPage
from playwright.sync_api import expect
from running import Program

from popout.views.web.network import addresses_of_this_machine


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program, offered to the network."""
    running = Program(tmp_path_factory.mktemp("program"), "--listen")
    yield running
    running.stop()


@pytest.fixture
def phone(open_page, program: Program) -> BoardPage:
    """The page on a phone, which comes from this machine's own address on the network."""
    port = program.address.rstrip("/").rpartition(":")[2]
    if not (addresses := addresses_of_this_machine(int(port))):
        pytest.skip("this machine has no address but loopback")
    return open_page(base_url=addresses[0], viewport=PHONE, has_touch=True, is_mobile=True)


def code_for(board: BoardPage, side: str) -> str:
    """The code that the board's page shows after the button was pressed."""
    if not board.page.locator("#phones").is_visible():
        board.button("Phones").click()
    digits = board.page.locator(f"#digits-{side}")
    before = digits.text_content() or "none yet"
    board.button(f"Let {side} play on a phone").click()
    expect(digits).not_to_have_text(before)  # one that was not used is void from now on
    expect(digits).to_have_text(re.compile(r"^\d{3} \d{3}$"))
    return digits.inner_text()


def enter(phone: BoardPage, code: str) -> None:
    phone.page.get_by_label("Code from the board").fill(code)
    phone.button("Play").click()


def let_in(board: BoardPage, phone: BoardPage, side: str) -> None:
    enter(phone, code_for(board, side))
    expect(phone.page.locator("#rank-text")).to_have_text(f"You play {side}.")
    board.page.keyboard.press("Escape")


def test_a_phone_watches_and_can_do_nothing_else(board, phone):
    expect(phone.page.locator("#rank-text")).to_have_text("You are watching.")
    for name in ("New game", "Take back", "Menu of the board", "Phones"):
        expect(phone.button(name)).to_be_hidden()
    expect(phone.page.locator("#hands")).to_be_hidden()

    phone.click(4)
    expect(phone.notice).to_contain_text("You are watching. To play, type the code")
    board.play("d4 d3")

    phone.shows("", "", "O", "X", "", "", "")
    phone.page.locator("#step-first").click()
    phone.shows("", "", "", "", "", "", "")
    phone.picture("phone-watching", whole=True)


def test_a_phone_that_has_typed_the_code_plays_its_side_and_no_other(board, phone):
    let_in(board, phone, "red")
    expect(phone.page.locator("#enter")).to_be_hidden()

    phone.click(4)
    board.shows("", "", "", "X", "", "", "")
    phone.click(4)
    expect(phone.notice).to_have_text("It is yellow's turn. You play red.")
    board.play("d4")
    phone.shows("", "", "", "XO", "", "", "")
    phone.picture("phone-playing")


def test_a_phone_pops_with_a_bar_of_its_own(board, phone):
    let_in(board, phone, "red")
    board.play("d4 d3")

    phone.slide("open")
    expect(board.bar).to_have_attribute("aria-checked", "false")
    phone.click(4)

    board.shows("", "", "O", "", "", "", "")
    expect(phone.moves.last).to_contain_text("p4")


def test_a_finger_that_slips_off_the_column_makes_no_move(board, phone):
    let_in(board, phone, "red")
    phone.page.mouse.move(*phone.cap(4))
    phone.page.mouse.down()
    phone.page.mouse.move(5, 5)
    phone.page.mouse.up()
    phone.click(5)

    board.shows("", "", "", "", "X", "", "")
    expect(board.moves).to_have_count(1)


def test_a_phone_plays_its_power_discs(board, phone, hand):
    let_in(board, phone, "red")
    hand.begin("power 7x6")

    phone.power("a").click()
    expect(phone.power("a")).to_have_attribute("aria-pressed", "true")
    phone.click(4)

    expect(board.moves.last).to_contain_text("a4")
    assert phone.signs() == ["a red"]


def test_a_reload_and_a_lost_connection_do_not_end_the_game(board, phone):
    let_in(board, phone, "yellow")

    phone.page.reload()

    expect(phone.page.locator("#rank-text")).to_have_text("You play yellow.")
    board.play("d4")
    phone.click(1)
    board.shows("O", "", "", "X", "", "", "")


def test_a_wrong_code_is_told_beside_its_field(board, phone):
    code = code_for(board, "red")
    wrong = "000 000" if code != "000 000" else "111 111"

    enter(phone, "12")
    expect(phone.page.locator("#enter-refused")).to_have_text(
        "The code has six digits. The board's page or terminal shows it."
    )
    enter(phone, wrong)

    expect(phone.page.locator("#enter-refused")).to_have_text(
        "This is not the code. Look at the board's page or terminal, and type its six digits."
    )
    expect(phone.page.locator("#rank-text")).to_have_text("You are watching.")
    phone.picture("phone-wrong-code")


def test_a_device_is_listed_and_put_out(board, phone):
    let_in(board, phone, "red")
    board.button("Phones").click()
    devices = board.page.locator("#players li", has_text="Red, since")
    board.picture("phones")
    while devices.count():
        count = devices.count()
        devices.last.get_by_role("button").click()
        expect(devices).to_have_count(count - 1)

    expect(phone.page.locator("#rank-text")).to_have_text("You are watching.")
    phone.click(4)
    expect(phone.notice).to_contain_text("You are watching.")
    phone.page.reload()
    expect(phone.page.locator("#rank-text")).to_have_text("You are watching.")
    expect(board.moves).to_have_count(0)


def test_the_address_is_there_to_be_read_and_to_be_scanned(board, program):
    board.button("Phones").click()
    code = board.page.locator("#qr img")

    board.eventually(lambda: code.evaluate("image => image.complete && image.naturalWidth > 0"), True)
    port = program.address.rstrip("/").rpartition(":")[2]
    expect(board.page.locator("#addresses")).to_contain_text(f":{port}/")
    code_for(board, "yellow")
    expect(board.page.locator("#left-yellow")).to_have_text(re.compile(r"^[45]:\d\d left$"))
    board.picture("phones-code")
