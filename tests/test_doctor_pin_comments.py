"""Comments that name pins beside pins that were corrected: they are true, or they are gone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.doctor.correcting import edited
from popout.doctor.edits import Edits
from popout.doctor.pin_comments import put_right
from popout.wiring.plan import plan
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text


def righted(before: str, *changes: tuple[str, str], driver: str = "gpio") -> str:
    after = before
    for old, new in changes:
        after = after.replace(old, new, 1)
    return put_right(before, after, driver)


SWAP = (('"GPIO5", "GPIO6"', '"GPIO6", "GPIO5"'),)


def test_the_layout_that_popout_writes_stays_true():
    planned = plan(Wishes(title="Mine"))
    pins = {**planned.switches, "column 2": planned.switches["menu"], "menu": planned.switches["column 2"]}

    corrected = edited(layout_text(planned), Edits(pins={"column 2": pins["column 2"], "menu": pins["menu"]}))

    ours, its = (text[text.index("[switches]") :] for text in (corrected, layout_text(replace(planned, switches=pins))))
    assert ours == its


@pytest.mark.parametrize(
    ("comment", "later"),
    [
        ("# Pins 29, 31, 33.", "# Pins 31, 29, 33."),
        ("# From the left. Pins 29, 31, 33.", "# From the left. Pins 31, 29, 33."),
        ("# Pins 29, 31,\n# 33.", "# Pins 31, 29,\n# 33."),
        ("# pins 29, 31 and 33", "# pins 31, 29 and 33"),
        ("# Pins 3, 5, 7.", "# Pins 3, 5, 7."),
        ("# the 3 columns from the left", "# the 3 columns from the left"),
    ],
)
def test_a_line_above_a_list(comment: str, later: str):
    text = f'[switches]\n{comment}\ncolumns = ["GPIO5", "GPIO6", "GPIO13"]\n'

    assert righted(text, *SWAP) == f'[switches]\n{later}\ncolumns = ["GPIO6", "GPIO5", "GPIO13"]\n'


@pytest.mark.parametrize(
    ("comment", "later"),
    [
        ("# Pins 29 to 33.\n", ""),
        ("# From the left, pins 29 to 33.\n", "# From the left\n"),
        ("# Not yet soldered.\n# Pins 29 to 33.\n", "# Not yet soldered.\n"),
    ],
)
def test_what_cannot_be_put_right_goes(comment: str, later: str):
    text = f'[switches]\n{comment}columns = ["GPIO5", "GPIO6", "GPIO13"]\n'

    assert righted(text, *SWAP) == f'[switches]\n{later}columns = ["GPIO6", "GPIO5", "GPIO13"]\n'


def test_comments_behind_values_are_put_right_and_keep_their_column():
    text = 'bar = "GPIO16"   # closed while the bar is open, pin 36\nmenu = "GPIO5"   # pin 29\n'

    assert righted(text, ("GPIO16", "GPIO6"), ("GPIO5", "GPIO16")) == (
        'bar = "GPIO6"    # closed while the bar is open, pin 31\nmenu = "GPIO16"  # pin 36\n'
    )


def test_comments_behind_a_pin_that_is_on_no_header_any_more_go():
    text = 'bar = "GPIO16"   # closed while the bar is open, pin 36\nmenu = "GPIO5"   # pin 29\n'

    assert righted(text, ("GPIO16", "X1.A0"), ("GPIO5", "R1C2")) == (
        'bar = "X1.A0"    # closed while the bar is open\nmenu = "R1C2"\n'
    )


def test_a_list_over_several_lines_with_a_comment_at_each():
    text = 'columns = [\n  "GPIO5",   # pin 29, left\n  "GPIO13",  # pin 33\n] # pins 29, 33\nrows = 6 # pin 29\n'

    assert righted(text, ("GPIO5", "GPIO6")) == (
        'columns = [\n  "GPIO6",   # pin 31, left\n  "GPIO13",  # pin 33\n] # pins 31, 33\nrows = 6 # pin 29\n'
    )


def test_lines_as_on_windows_stay_so():
    assert righted('menu = "GPIO5" # pin 29\r\n', ("GPIO5", "GPIO6")) == 'menu = "GPIO6" # pin 31\r\n'


def test_a_board_whose_pins_are_not_known_is_left_alone():
    text = 'menu = "GPIO5" # pin 29\n'

    assert righted(text, ("GPIO5", "GPIO6"), driver="mine") == 'menu = "GPIO6" # pin 29\n'
