"""`popout layout show` and `check`: what they say to people and to programs, and their exit codes."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from popout.cli import main

Run = Callable[..., tuple[int, str, str]]

SHOWN = """\
Small 5x4 board (5x4): 5 columns, 4 rows

Wire         Pin     Place  Pull  Closed  Other uses
lamps' data  GPIO10     19                SPI0 MOSI
column 1     GPIO5      29  up    low     GPCLK1
column 2     GPIO6      31  up    low     GPCLK2
column 3     GPIO13     33  up    low     PWM1
column 4     GPIO19     35  up    low     PWM1, PCM FS, SPI1 MISO
bar          GPIO16     36  up    low     SPI1 CE2
column 5     GPIO26     37  up    low

The other contact of a switch goes to GND, wherever that is nearest.
The lamps' data go from their pin through a level shifter 74AHCT125, fed with 5 V, and a resistor of 330 to 470 ohms \
to DIN of the first lamp, and from DOUT of each lamp to DIN of the next one.
A capacitor of 1000 microfarads lies between 5 V and GND near the first lamp.
The lamps are fed by the computer: never more than 500 mA.
A wire over a metre long picks up what is switched nearby: twist it with a ground wire, and put 4.7 kilohms to 3.3 V \
and 100 nF to GND at its pin.

The 40-pin header from above, pin 1 next to the corner of the board:

                  3V3  ( 1) ( 2)  5V  the lamps' supply
                GPIO2  ( 3) ( 4)  5V
                GPIO3  ( 5) ( 6)  GND
                GPIO4  ( 7) ( 8)  GPIO14
                  GND  ( 9) (10)  GPIO15
               GPIO17  (11) (12)  GPIO18
               GPIO27  (13) (14)  GND
               GPIO22  (15) (16)  GPIO23
                  3V3  (17) (18)  GPIO24
  lamps' data  GPIO10  (19) (20)  GND
                GPIO9  (21) (22)  GPIO25
               GPIO11  (23) (24)  GPIO8
                  GND  (25) (26)  GPIO7
                GPIO0  (27) (28)  GPIO1
      column 1  GPIO5  (29) (30)  GND
      column 2  GPIO6  (31) (32)  GPIO12
     column 3  GPIO13  (33) (34)  GND
     column 4  GPIO19  (35) (36)  GPIO16  bar
     column 5  GPIO26  (37) (38)  GPIO20
                  GND  (39) (40)  GPIO21

The lamps from the front, by their numbers on the wire:

  5 4 3 2 1

  Turn lamps: red 6, yellow 7

The 7 lamps take 0.01 A when they are dark and 0.2 A when all are white at the cap of 50 %. \
The supply gives 0.4 A, enough for 93 %.
Draw it with: popout layout show 5x4 --svg 5x4.svg
"""

MATRIX = """\
title = "Test board"
driver = "gpio"
columns = 2
rows = 2
actuation = "button"

[switches]
columns = ["R1C1", "R1C2"]
bar = "X1.A3"

[matrix]
rows = ["GPIO5"]
columns = ["GPIO6", "GPIO13"]

[[expanders]]
address = 0x24
interrupt = "GPIO17"
"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["layout", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def test_the_wiring_of_a_board_is_told_whole(run: Run):
    assert run("show", "5x4") == (0, SHOWN, "")


def test_without_a_layout_the_usual_board_is_shown(run: Run):
    code, said, _ = run("show")

    assert code == 0
    assert said.startswith("7x6 board on a Raspberry Pi (7x6-pi): 7 columns, 6 rows\n")


def test_a_matrix_and_an_expander_are_told_with_their_lines(run: Run):
    Path("mine.toml").write_text(MATRIX)

    code, said, _ = run("show", "mine.toml")

    assert code == 0
    assert said.startswith("""\
Test board (mine): 2 columns, 2 rows

Wire                     Pin     Place  Pull  Closed  Other uses
I2C data                 GPIO2       3  up            I2C1 SDA, pulled up by 1800 ohms
I2C clock                GPIO3       5  up            I2C1 SCL, pulled up by 1800 ohms
interrupt of expander 1  GPIO17     11                SPI1 CE1
matrix row 1             GPIO5      29                GPCLK1
matrix column 1          GPIO6      31  up            GPCLK2
matrix column 2          GPIO13     33  up            PWM1
column 1                 R1C1                 low
column 2                 R1C2                 low
bar                      X1.A3      24  up    low
""")
    assert "Expander 1 (MCP23017, address 0x24) from above, its notch at the top:\n" in said
    assert "  GPIO2  SDA  (13) (16)  ADDR1  GND\n" in said
    assert "lamps" not in said
    assert (
        "The switch of a crossing lies between the two lines that it is named after, R1C2 between row 1 and column 2 "
        "of the matrix, with a diode in line.\n"
        "The other contact of any other switch goes to GND, wherever that is nearest.\n"
        "The diodes are 1N4148 or alike, the ring towards the row.\n"
        "At each expander: 100 nF between its legs 9 and 10. INTA tells of both ports; INTB stays free.\n"
    ) in said


def test_a_matrix_alone_has_no_switch_to_ground(run: Run):
    board = MATRIX.partition("[[expanders]]")[0].replace("X1.A3", "R1C3").replace('"GPIO13"]', '"GPIO13", "GPIO19"]')
    Path("mine.toml").write_text(board + "diodes = false\n")

    code, said, _ = run("show", "mine.toml")

    assert code == 0
    assert "R1C2 between row 1 and column 2 of the matrix.\n" in said
    assert "goes to GND" not in said
    assert "ring towards" not in said


@pytest.mark.parametrize(
    ("keys", "rail"),
    [
        ('pull = "down"', "3.3 V"),
        ('pull = "none"\nclosed = "high"', "3.3 V"),
        ('pull = "none"', "GND"),
        ('closed = "high"', "GND"),  # opened when it is pressed
    ],
)
def test_the_other_contact_goes_where_the_resistor_does_not(run: Run, keys: str, rail: str):
    Path("board.toml").write_text(
        'title = "Mine"\ndriver = "gpio"\ncolumns = 1\nrows = 1\nactuation = "disc"\n'
        f'[switches]\n{keys}\ncolumns = ["GPIO5"]\nbar = "GPIO6"\n'
    )

    assert f"The other contact of a switch goes to {rail}, wherever that is nearest.\n" in run("show", "board.toml")[1]


@pytest.mark.parametrize(("lit", "rail"), [("high", "GND"), ("low", "3.3 V")])
def test_leds_are_told_with_their_resistor_and_are_no_switches(run: Run, lit: str, rail: str):
    Path("mine.toml").write_text(MATRIX + f'[leds]\nred = "GPIO22"\nyellow = "GPIO27"\nlit = "{lit}"\n')

    _, said, _ = run("show", "mine.toml")

    assert re.search("^red LED  +GPIO22  +15$", said, re.MULTILINE)
    assert f"Each of the turn LEDs lies between its pin and {rail}, with a resistor of 330 ohms.\n" in said


def test_a_layout_for_any_driver_is_told_without_places(run: Run):
    Path("mine.toml").write_text(
        'title = "Mine"\ncolumns = 1\nrows = 1\nactuation = "disc"\n[switches]\ncolumns = ["left"]\nbar = "right"\n'
    )

    assert run("show", "mine.toml") == (
        0,
        "Mine (mine): 1 columns, 1 rows\n\n"
        "Wire      Pin    Place  Pull  Closed  Other uses\n"
        "column 1  left          up    low\n"
        "bar       right         up    low\n\n",
        "",
    )
    assert run("show", "mine.toml", "--svg", "mine.svg") == (
        2,
        "",
        "popout: The wiring of “mine” cannot be drawn: its key driver does not say whose pins these are. Write “gpio” "
        "for a Raspberry Pi or “serial” for a Pico.\n",
    )
    assert not Path("mine.svg").exists()


def test_a_program_gets_the_wires_and_the_lamps(run: Run):
    code, said, _ = run("show", "7x6-pico", "--json")
    answer = json.loads(said)

    assert code == 0
    assert (answer["layout"], answer["driver"], answer["columns"], answer["rows"]) == ("7x6-pico", "serial", 7, 6)
    assert answer["wires"][0] == {
        "name": "column 1",
        "kind": "switch",
        "number": 0,
        "pin": "GP2",
        "chip": 0,
        "place": {"number": 4, "name": "GP2", "functions": "I2C1 SDA"},
        "pull": "up",
        "closed": "low",
    }
    assert answer["lamps"][0] == {"number": 1, "kind": "cells", "column": 1, "row": 1, "side": None}
    assert answer["lamps"][42] == {"number": 43, "kind": "columns", "column": 7, "row": None, "side": None}
    assert answer["lamps"][50] == {"number": 51, "kind": "turns", "column": None, "row": None, "side": "yellow"}
    assert answer["current"]["supply"] == 0.4
    assert len(answer["remarks"]) == 1


def test_the_picture_is_drawn_into_a_file(run: Run):
    assert run("show", "5x4", "--svg", "5x4.svg") == (0, "The wiring is drawn in 5x4.svg.\n", "")
    assert ElementTree.parse("5x4.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_a_picture_that_is_there_is_kept_unless_it_is_to_be_replaced(run: Run):
    Path("there.svg").write_text("mine")

    assert run("show", "--svg", "there.svg") == (2, "", "popout: there.svg is there already, and was left as it is.\n")
    assert Path("there.svg").read_text() == "mine"
    assert run("show", "--svg", "there.svg", "--force")[0] == 0
    assert Path("there.svg").read_text() != "mine"


def test_the_picture_goes_to_standard_output_too(run: Run):
    code, said, _ = run("show", "5x4", "--svg", "-")

    assert code == 0
    assert ElementTree.fromstring(said.encode()).tag.endswith("svg")


def test_a_picture_and_json_are_not_both_possible(run: Run):
    code, said, error = run("show", "--json", "--svg", "x.svg")

    assert (code, said) == (2, "")
    assert "A picture is SVG: give either --svg or --json, not both." in error


def test_a_layout_that_is_not_there_is_a_sentence(run: Run):
    assert run("show", "nosuch") == (
        2,
        "",
        "popout: There is no board layout “nosuch”. Name one of the shipped ones (5x4, 7x6-club, 7x6-pi, 7x6-pico) or "
        "the path of a layout file.\n",
    )


def test_right_layouts_get_a_line_each_and_what_is_worth_knowing(run: Run):
    Path("mine.toml").write_text(MATRIX)
    Path("leds.toml").write_text(MATRIX + '[leds]\nred = "GPIO22"\nyellow = "GPIO27"\n')

    assert run("check", "7x6-pi", "5x4", "7x6-pico", "mine.toml", "leds.toml") == (
        0,
        "7x6-pi: 7x6, 10 switches, 51 lamps, 1.6 of 2 A\n"
        "5x4: 5x4, 6 switches, 7 lamps, 0.2 of 0.4 A\n"
        "7x6-pico: 7x6, 10 switches, 51 lamps, 0.4 of 0.4 A\n"
        "    The supply of 0.4 A lets all lamps together be white at a part of full light only (11 %), while the cap "
        "is 50 %: bright pictures are dimmed. 1.6 A would reach the cap.\n"
        "mine: 2x2, 3 switches, no lamps\n"
        "leds: 2x2, 3 switches, two turn LEDs\n",
        "",
    )


def test_a_wrong_layout_gets_its_sentence_and_the_others_their_line(run: Run):
    Path("wrong.toml").write_text(MATRIX.replace("GPIO13", "GPIO99"))

    assert run("check", "wrong.toml", "5x4") == (
        1,
        "wrong.toml, pin of “matrix column 2”: a Raspberry Pi has no pin “GPIO99” for it. Write GPIO2 to GPIO27, the "
        "GPIO's own number and not its place on the header.\n"
        "5x4: 5x4, 6 switches, 7 lamps, 0.2 of 0.4 A\n",
        "",
    )


def test_nothing_to_check_is_wrong_use(run: Run):
    assert run("check")[0] == 2


def test_a_screen_without_utf_8_gets_plain_letters(monkeypatch: pytest.MonkeyPatch):
    """Field bug T1: no crash on a console that cannot show every letter."""
    plain = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", plain)

    assert main(["layout", "show", "7x6-pi"]) == 0

    plain.flush()
    said = plain.buffer.getvalue()  # type: ignore[attr-defined]
    assert b"column 1  GPIO5  (29) (30)  GND" in said
    assert b"?" not in said
