"""The page is a function of what the server says: reload, other tabs, a restart; and what may not come in."""

from __future__ import annotations

import json
import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from board_page import containing
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

OPENING = "d4 d4 d3 d5 p4"
OPENED = ("", "", "X", "O", "O", "", "")

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_a_reload_in_mid_game_shows_the_same_game(board):
    board.play(OPENING)
    board.slide("open")

    board.page.reload()

    board.shows(*OPENED)
    expect(board.moves).to_have_count(5)
    expect(board.status).to_have_text("Yellow to move.")
    expect(board.bar).to_have_attribute("aria-checked", "true")
    board.play("p4")
    board.shows("", "", "X", "", "O", "", "")


def test_after_a_restart_of_the_server_the_page_finds_the_game_again_by_itself(board, program, complaints):
    board.play(OPENING)

    program.stop()
    expect(board.page.locator("#offline")).to_be_visible()
    expect(board.assertive).to_have_text("The connection to the board is lost. This page tries again by itself.")
    board.click(1)
    expect(board.notice).to_contain_text("Nothing was done")
    board.picture("offline")
    program.start()

    expect(board.page.locator("#offline")).to_be_hidden()
    expect(board.moves).to_have_count(5)
    board.shows(*OPENED)
    board.play("d7")
    board.shows("", "", "X", "O", "O", "", "O")
    # The browser itself notes each try that found nobody, and nothing else.
    assert all("ERR_CONNECTION_REFUSED" in each for each in complaints)
    complaints.clear()


def test_two_tabs_show_the_same_also_while_one_holds_a_button(open_page):
    mine, yours = open_page(), open_page()

    mine.play("d4")
    yours.shows("", "", "", "X", "", "", "")
    mine.page.mouse.move(*mine.cap(2))
    mine.page.mouse.down()

    for board in (mine, yours):
        expect(board.page.locator("#board .ghost")).to_be_visible()
        expect(board.page.locator("#board .button").nth(1)).to_have_class("button pressed")
    mine.page.mouse.up()
    yours.shows("", "O", "", "X", "", "", "")
    expect(yours.polite).to_contain_text("Yellow drops a disc in column 2.")
    yours.play("d6")
    mine.shows("", "O", "", "X", "", "X", "")


def test_a_tab_that_is_closed_while_it_holds_a_button_makes_no_move(open_page):
    mine, yours = open_page(), open_page()
    mine.page.mouse.move(*mine.cap(2))
    mine.page.mouse.down()
    expect(yours.page.locator("#board .ghost")).to_be_visible()

    mine.page.close()

    expect(yours.page.locator("#board .pressed")).to_have_count(0)
    expect(yours.moves).to_have_count(0)
    yours.play("d3")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("not json", "The message is not JSON."),
        ("x" * 3_000, "The message has 3000 characters, and 2048 are the most. Nothing was changed."),
        ("☃" * 100_000, "The message has 100000 characters, and 2048 are the most. Nothing was changed."),
        ("[" * 2_000, "The message is not JSON."),
        ('{"do": "fly"}', "The message names no command that is known here"),
        ('{"do": "press", "switch": 4}', "The fields of the command “press” are not right"),
        ('{"do": "press", "switch": "column 99"}', "This board has no switch “column 99”."),
        ('{"do": "new", "rules": "popout 99x6"}', "99"),
    ],
    ids=lambda value: value[:20],
)
def test_a_bad_message_is_refused_with_a_sentence_and_the_game_goes_on(board, hand, said, sentence):
    board.play("d4")

    answer = hand.say(said)

    assert answer["type"] == "refused"
    assert sentence in answer["text"]
    assert re.search(r"[.”]$", answer["text"])
    board.play("d4")
    board.shows("", "", "", "XO", "", "", "")


def test_a_page_of_another_origin_may_not_connect(chromium, program, hand, tmp_path):
    (tmp_path / "index.html").write_text("<title>Elsewhere</title>")
    address = program.address.replace("http:", "ws:") + "ws"
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as elsewhere:
        Thread(target=elsewhere.serve_forever).start()
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{elsewhere.server_port}/")
        outcome = page.evaluate(
            """(address) => new Promise((tell) => {
                const socket = new WebSocket(address);
                socket.onopen = () => tell("open");
                socket.onerror = () => tell("refused");
            })""",
            address,
        )
        page.close()
        elsewhere.shutdown()

    assert outcome == "refused"
    with pytest.raises(InvalidStatus) as refusal, connect(address, origin=f"http://127.0.0.1:{elsewhere.server_port}"):
        pass
    assert refusal.value.response.status_code == 403
    assert hand.state["moves"] == []


def test_text_from_outside_never_becomes_markup(open_page, hand):
    def poison(value):
        if isinstance(value, dict):
            return {key: value[key] if key in KEPT else poison(value[key]) for key in value}
        if isinstance(value, list):
            return [poison(each) for each in value]
        return value + EVIL if isinstance(value, str) else value

    def through(route):
        server = route.connect_to_server()
        server.on_message(lambda text: route.send(poisoned(text)))

    def poisoned(text: str) -> str:
        message = json.loads(text)
        return text if message["type"] == "lamps" else json.dumps(poison(message))

    hand.play("d4 d4")
    board = open_page(prepare=lambda page: page.route_web_socket(re.compile(r"/ws\b"), through))

    expect(board.status).to_have_text(f"Red to move.{EVIL}")
    expect(board.page.locator("#game-title")).to_contain_text(EVIL)
    expect(board.moves.first).to_contain_text(EVIL)
    board.button("Menu of the board").click()
    expect(board.page.locator("#menu-entries")).to_contain_text(EVIL)
    board.page.locator("#menu-entries button").first.click()
    board.moves.locator("button").first.click()
    expect(board.page.locator("#past")).to_contain_text(EVIL)
    board.page.locator("#open-help").click()
    expect(board.page.locator("#help")).to_contain_text(EVIL)
    board.page.keyboard.press("Escape")
    board.page.locator("#open-new-game").click()
    expect(board.page.locator("#games")).to_contain_text(EVIL)
    board.page.get_by_label("Columns", exact=True).fill("99")
    board.button("Start").click()
    expect(board.page.locator("#new-game-refused")).to_contain_text(EVIL)
    assert board.page.locator("img:not(h1 img), script:not([src]), [onerror]").count() == 0


def test_what_a_player_writes_into_the_form_comes_back_as_text(board):
    board.button("New game").click()
    board.page.get_by_text("More rules").click()
    board.page.evaluate(
        """(evil) => {
            const option = new Option(evil, evil);
            document.querySelector("[name=both-lines]").append(option);
            option.selected = true;
        }""",
        EVIL.replace(" ", "/"),
    )

    board.button("Start").click()

    expect(board.page.locator("#new-game-refused")).to_have_text(
        containing("both-lines", "<img/src=x", "Choose one of")
    )
    assert board.page.locator("img:not(h1 img), [onerror]").count() == 0


KEPT = {"type", "side", "turn", "kind", "winner", "grid", "fallen", "bar", "game", "believed", "seen", "letter", "do"}
KEPT |= {"phase", "parts", "name", "value", "default", "disc", "rank"}
"""Fields that are no text for people: the page's own letters and words for sides, and what the server's own code is."""


class Quiet(SimpleHTTPRequestHandler):
    """Another web server on this machine."""

    def log_message(self, *_: object) -> None:
        pass
