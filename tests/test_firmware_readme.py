"""What the firmware's page says of the wire is what is done: its example is played, and its tables are complete."""

from __future__ import annotations

import re
from pathlib import Path

from popout.board.chain import CellPlace, ColumnPlace, TurnPlace
from popout.board.layout import Layout
from popout.board.layout_file import Switches
from popout.link import debounce, words
from popout.link.board_end import BoardEnd
from popout.link.frames import MOST_BYTES, MOST_PAYLOAD, Decoder, checksum, encode
from popout.link.pictures import MOST_COLOURS, chunks

FOLDER = Path(__file__).parent.parent / "firmware"
PAGE = (FOLDER / "README.md").read_text("utf-8")
EXAMPLE = re.findall(r"^```frames\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[0].splitlines()
LINES = [line.split(maxsplit=2) for line in EXAMPLE]
HOST = {
    *(words.HELLO, words.DEBOUNCE, words.LAMPS, words.PING, words.ASK_STATE, words.ACK_EVENT),
    *(words.SELF_TEST, words.TO_PROMPT, words.TO_BOOT_LOADER, words.ASK_LOG, words.BYE),
}
BOARD = {words.HELLO_BACK, words.ACK, words.REFUSAL, words.PONG, words.STATE, words.EVENT, words.LOG}


def test_each_line_of_the_example_is_a_frame_that_is_encoded_the_same():
    for _, who, said in LINES:
        if who in "<>":
            line = f"{said}\n".encode()
            decoder = Decoder()
            ((kind, number, payload),) = decoder.feed(line, len(line))
            assert encode(kind, number, payload) == line
            assert kind.islower() == (who == ">")


def test_the_board_says_in_the_example_what_it_says_indeed():
    end = BoardEnd(
        ("0.1.0", "e6613852830012ab", "3f9c01d7", "power-on", "pico"), 3, closed := [False, False], 0, resting=2
    )
    end.note("started: power-on")
    end.free_bytes, end.loop_us = 0x36DF0, 0x5E0
    told: list[str] = []
    now = 0
    for time, who, said in LINES:
        while now < int(time):
            now += 1
            end.poll(now, closed)
            end.tick(now)
            while (line := end.outgoing(now)) is not None:
                told.append(f"{now} {line.decode().strip()}")
        if who == ">":
            line = f"{said}\n".encode()
            end.receive(line, len(line), now)
            while (line := end.outgoing(now)) is not None:
                told.append(f"{now} {line.decode().strip()}")
        elif who == "switch":
            switch, how = said.split()
            closed[int(switch)] = how == "closes"
            end.edge(int(switch), closed[int(switch)], now)
    assert told == [f"{time} {said}" for time, who, said in LINES if who == "<"]
    assert end.wish == words.TO_BOOT_LOADER


def test_the_example_has_every_kind_of_frame():
    said = {said[0] for _, who, said in LINES if who in "<>"}
    assert said >= HOST | BOARD


def test_the_tables_explain_every_kind_and_every_reason():
    assert set(re.findall(r"^\| `([a-zA-Z])` \| (?:`[a-z]|see|\|)", PAGE, re.MULTILINE)) == HOST | BOARD
    for reason in (*(words.WRONG_PROTOCOL, words.HELLO_FIRST, words.UNKNOWN_KIND, words.UNREADABLE, words.INCOMPLETE),):
        assert f"`{reason}`" in PAGE


def test_the_times_and_counts_are_those_of_the_link():
    for said in (
        f"at least every {words.PING_MS / 1000} s",
        f"hears no frame for {words.SILENCE_MS / 1000} s",
        f"again every {words.RESEND_MS / 1000} s",
        f"It keeps {words.MOST_EVENTS};",
        f"A line is {MOST_BYTES} bytes at most",
        f"the payload has {MOST_PAYLOAD} characters at most",
        f"mean, at most {MOST_COLOURS} ",
    ):
        assert said in PAGE


def test_the_limits_of_the_debouncing_times_are_those_of_the_debouncer():
    for said in (
        f"the glitch limit 0 to {debounce.MOST_GLITCH_MS} ms",
        f"each lock-out 1 to {debounce.MOST_LOCKOUT_MS} ms",
        f"They are {debounce.GLITCH_MS}, {debounce.BUTTON_LOCKOUT_MS} and {debounce.DISC_LOCKOUT_MS} until",
    ):
        assert said in PAGE


def test_the_switches_are_counted_as_the_page_says():
    keys = ("columns", "yellow_columns", "drop_sensors", "pop_sensors")
    more = ("bar", "menu", "take_back", "anvil", "bomb", "wall", "x2")
    assert tuple(Switches(columns=("GP2",), bar="GP3").by_key()) == keys + more
    assert f"the keys `{keys[0]}`, `{keys[1]}`, `{keys[2]}` and `{keys[3]}`, each from the left" in PAGE
    assert ", ".join(f"`{key}`" for key in more) in PAGE
    columns = [f"column {column}" for column in range(1, 8)]
    assert list(Layout.load("7x6-pico").switches) == [*columns, "bar", "menu", "take back"]


def test_the_lamps_are_counted_as_the_page_says():
    places = Layout.load("7x6-pico").places
    assert places[0:6] == tuple(CellPlace(1, row) for row in range(1, 7))
    assert places[6:12] == tuple(CellPlace(2, row) for row in range(6, 0, -1))
    assert places[41] == CellPlace(7, 6)
    assert places[42:49] == tuple(ColumnPlace(column) for column in range(7, 0, -1))
    assert places[49:] == (TurnPlace("red"), TurnPlace("yellow"))


def test_a_board_keeps_as_many_answers_as_the_page_says_and_is_dark_after_an_empty_picture():
    end = BoardEnd(("", "", "", "", ""), 2, [], 0)
    lines = [encode("h", 1, "1.0"), *(encode("l", 2 + place, said) for place, said in enumerate(chunks(1, [1, 2])))]
    for line in lines:
        end.receive(line, len(line), 0)
    assert end.colours == [1, 2]
    line = encode("l", 9, "0200S00")
    end.receive(line, len(line), 0)
    assert end.colours == [0, 0]
    for number in range(100):
        line = encode("p", number)
        end.receive(line, len(line), 0)
    kept = 0
    while end.outgoing(0) is not None:
        kept += 1
    assert f"The board keeps {kept} answers" in PAGE


def test_the_check_value_of_the_sum_is_right():
    assert f"That of `123456789` is `{checksum(b'123456789', 9):X}`" in PAGE


def test_every_module_of_the_program_is_explained():
    explained = set(re.findall(r"^\| `program/(\w+\.py)`", PAGE, re.MULTILINE))
    assert explained == {file.name for file in (FOLDER / "program").glob("*.py")}
