"""How switches and LEDs are wired, as a layout says it: levels, matrix, expanders, routes, and what cannot be."""

import pytest

from popout.board.contacts import Crossing, Expander, ExpanderPin, Leds, Matrix, crossing, expander_pin, pin_number
from popout.board.layout import Layout, LayoutError, LayoutInvalid, LayoutPinConflict

HEAD = 'title = "Test"\ndriver = "gpio"\ncolumns = 2\nrows = 2\nactuation = "button"\n'
SWITCHES = '[switches]\ncolumns = ["GPIO5", "GPIO6"]\nbar = "GPIO16"\n'
MATRIX = '[matrix]\nrows = ["GPIO20", "GPIO21"]\ncolumns = ["GPIO22"]\n'
EXPANDER = '[[expanders]]\naddress = 0x20\ninterrupt = "GPIO17"\n'
LEDS = '[leds]\nred = "GPIO23"\nyellow = "GPIO24"\n'
LAMPS = '[lamps]\npin = "GPIO10"\norder = "grb"\nroute = "auto"\n[[lamps.parts]]\nkind = "turns"\nstart = "red"\n'
SUPPLY = "[supply]\nmilliamps = 400\n"


@pytest.fixture
def load(tmp_path):
    """Write a layout file and load it."""

    def write_and_load(text: str) -> Layout:
        path = tmp_path / "my.toml"
        path.write_text(text, encoding="utf-8")
        return Layout.load(path)

    return write_and_load


def test_a_closed_switch_pulls_its_pin_to_ground_unless_the_layout_says_otherwise(load):
    layout = load(HEAD + SWITCHES)

    assert (layout.pull, layout.closed) == ("up", "low")
    assert layout.closed_level("bar") == "low"


def test_with_a_resistor_to_ground_a_closed_switch_is_high(load):
    layout = load(HEAD + SWITCHES + 'pull = "down"\n')

    assert (layout.pull, layout.closed) == ("down", "high")


def test_with_an_outer_resistor_the_layout_can_say_the_level(load):
    assert load(HEAD + SWITCHES + 'pull = "none"\nclosed = "high"\n').closed_level("column 1") == "high"


def test_a_switch_that_rests_closed_counts_the_other_way_round(load):
    layout = load(HEAD + SWITCHES + 'drop_sensors = ["GPIO23", "GPIO24"]\ninverted = ["bar", "drop_sensors"]\n')

    assert layout.inverted == {"bar", "drop sensor 1", "drop sensor 2"}
    assert [layout.closed_level(switch) for switch in ("bar", "drop sensor 2", "column 1")] == ["high", "high", "low"]


def test_a_board_can_have_a_matrix_an_expander_and_leds(load):
    switches = '[switches]\ncolumns = ["R1C1", "R2C1"]\nbar = "X1.A0"\n'
    layout = load(HEAD + switches + MATRIX + EXPANDER + LEDS)

    assert layout.switches == {"column 1": "R1C1", "column 2": "R2C1", "bar": "X1.A0"}
    assert layout.matrix == Matrix(rows=("GPIO20", "GPIO21"), columns=("GPIO22",), diodes=True)
    assert layout.expanders == (Expander(address=0x20, interrupt="GPIO17"),)
    assert layout.leds == Leds(red="GPIO23", yellow="GPIO24", lit="high")
    assert layout.has_lamps("turns")
    assert not layout.has_lamps("cells")
    assert layout.places == ()


@pytest.mark.parametrize("order", ["rgb", "grb", "rgbw", "grbw"])
def test_lamps_take_their_colours_in_one_of_four_orders(load, order):
    layout = load(HEAD + SWITCHES + LAMPS.replace("grb", order) + SUPPLY)

    assert layout.chain is not None
    assert (layout.chain.order, layout.chain.route) == (order, "auto")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            HEAD + SWITCHES + 'inverted = ["menu"]\n',
            "my.toml, key switches.inverted: there are no switches “menu” on this board. Write keys of the table "
            "[switches], such as “bar”.",
        ),
        (
            HEAD + SWITCHES.replace("GPIO6", "R2C2") + MATRIX,
            "my.toml, pin of “column 2”: the matrix has no crossing “R2C2”. It has 2 rows and 1 columns; describe them "
            "in the table [matrix].",
        ),
        (
            HEAD + SWITCHES.replace("GPIO6", "R1C1"),
            "my.toml, pin of “column 2”: the matrix has no crossing “R1C1”. It has 0 rows and 0 columns; describe them "
            "in the table [matrix].",
        ),
        (
            HEAD + SWITCHES + "[matrix]\nrows = []\ncolumns = []\n",
            "my.toml, key matrix: it needs at least one pin in rows and one in columns.",
        ),
        (
            HEAD + SWITCHES.replace("GPIO6", "X2.B0") + EXPANDER,
            "my.toml, pin of “column 2”: there is no expander for “X2.B0”. Describe each in a table [[expanders]]; X1 "
            "is the first of them.",
        ),
        (
            HEAD + SWITCHES.replace("GPIO6", "X1.B7") + EXPANDER,
            "my.toml, pin of “column 2”: “X1.B7” can only be an output on an MCP23017. Use bits 0 to 6.",
        ),
        (
            HEAD + SWITCHES + EXPANDER.replace("0x20", "0x28"),
            "my.toml, key expanders.address: an MCP23017 has no address 0x28. Write 0x20 to 0x27, as its pins A0 to A2 "
            "set it.",
        ),
        (
            HEAD + SWITCHES.replace("GPIO6", "GPIO2") + 'pull = "none"\n',
            "my.toml, pin of “column 2”: GPIO2 has a resistor to 3.3 V on the Pi itself, so switches.pull must be "
            "“up”. Use another pin.",
        ),
        (
            HEAD + SWITCHES + 'pull = "down"\n' + EXPANDER,
            "my.toml, key switches.pull: an MCP23017 has no resistors to ground. Write “up”, or “none” with resistors "
            "of your own.",
        ),
        (
            HEAD + SWITCHES + LAMPS.replace("auto", "pwm") + SUPPLY,
            "my.toml, key lamps.pin: the route “pwm” cannot light lamps on GPIO10. Wire their data to GPIO12, GPIO13, "
            "GPIO18, GPIO19, or choose another route.",
        ),
        (
            HEAD + SWITCHES + LAMPS.replace("auto", "spi").replace("GPIO10", "GPIO18") + SUPPLY,
            "my.toml, key lamps.pin: the route “spi” cannot light lamps on GPIO18. Wire their data to GPIO10, or "
            "choose another route.",
        ),
        (
            HEAD + SWITCHES + LAMPS + LEDS + SUPPLY,
            "my.toml: the turn lamps are there twice, in [leds] and in [[lamps.parts]]. Leave out one of them.",
        ),
        (
            HEAD.replace("gpio", "serial") + SWITCHES.replace("GPIO", "GP") + MATRIX.replace("GPIO", "GP"),
            "my.toml, key matrix: a Pico does not read these. Give each switch a pin of its own.",
        ),
        (
            HEAD.replace("gpio", "serial") + SWITCHES.replace("GPIO", "GP") + EXPANDER.replace("GPIO", "GP"),
            "my.toml, key expanders: a Pico does not read these. Give each switch a pin of its own.",
        ),
        (
            HEAD.replace("gpio", "serial")
            + SWITCHES.replace("GPIO", "GP")
            + LAMPS.replace("GPIO", "GP").replace("auto", "spi")
            + SUPPLY,
            "my.toml, key lamps.route: a Pico has one way only to light lamps. Leave the key out.",
        ),
    ],
)
def test_a_wiring_that_cannot_be_is_refused_with_the_way_out(load, text, sentence):
    with pytest.raises(LayoutInvalid) as refusal:
        load(text)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("text", "first", "second", "pin"),
    [
        (HEAD + SWITCHES + MATRIX.replace("GPIO22", "GPIO16"), "bar", "matrix column 1", "GPIO16"),
        (HEAD + SWITCHES + EXPANDER.replace("GPIO17", "GPIO5"), "column 1", "expander 1", "GPIO5"),
        (HEAD + SWITCHES + LEDS.replace("GPIO24", "GPIO6"), "column 2", "yellow LED", "GPIO6"),
        (HEAD + SWITCHES.replace("GPIO6", "GPIO3") + EXPANDER, "column 2", "I2C", "GPIO3"),
        (HEAD + SWITCHES.replace("GPIO6", "GPIO9") + LAMPS + SUPPLY, "column 2", "SPI", "GPIO9"),
    ],
)
def test_a_pin_that_is_used_twice_names_both_uses(load, text, first, second, pin):
    """Field bug G15: a pin that a bus has is named before anybody wonders why it is busy."""
    with pytest.raises(LayoutPinConflict) as refusal:
        load(text)
    assert str(refusal.value) == (
        f"my.toml: the pin {pin} is used twice, for “{first}” and for “{second}”. Give one of them another pin."
    )


def test_two_expanders_have_two_addresses(load):
    with pytest.raises(LayoutError) as refusal:
        load(HEAD + SWITCHES + EXPANDER + EXPANDER.replace("GPIO17", "GPIO18"))
    assert str(refusal.value) == (
        "my.toml, key expanders.address: 0x20 is there twice. Wire the pins A0 to A2 of one of them otherwise."
    )


def test_the_pins_of_the_spi_are_free_where_the_lamps_go_another_way(load):
    lamps = LAMPS.replace("GPIO10", "GPIO18").replace("auto", "pwm")

    assert load(HEAD + SWITCHES.replace("GPIO6", "GPIO9") + lamps + SUPPLY).switches["column 2"] == "GPIO9"


def test_the_name_of_a_pin_says_where_it_is():
    assert (pin_number("GPIO5"), pin_number("GP28")) == (5, 28)
    assert crossing("R2C13") == Crossing(2, 13)
    assert expander_pin("X1.B6") == ExpanderPin(1, "B", 6)
    for text in ("GPIO5", "R0C1", "R1C1x", "X1.C0", "X1.A8", ""):
        assert crossing(text) is None
        assert expander_pin(text) is None
    for text in ("GPIO", "R1C1", "GPIO5 ", "GPI5"):
        with pytest.raises(ValueError, match="is no pin of a Raspberry Pi or a Pico itself"):
            pin_number(text)
