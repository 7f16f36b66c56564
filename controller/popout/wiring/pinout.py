"""The pins of what a board is wired to: the header of a Raspberry Pi, the edges of a Pico, an expander.

Sources: the 40-pin header as the documentation of the Raspberry Pi shows it ("GPIO and the 40-pin header") with the
functions of "BCM2711 ARM Peripherals", 5.3; Pico and Pico 2, which share it: "Raspberry Pi Pico Datasheet", 2.1;
the expander in its case with 28 legs: Microchip DS20001952, "Package Types".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from popout.rules.messages import N_, Message

Computer = Literal["pi", "pico"]

GROUND: Final = "GND"
SUPPLY_3V3: Final = "3V3"
SUPPLY_5V: Final = ("5V", "VBUS")
"""The names of the pins with 5 V, on a Raspberry Pi and on a Pico."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin.

    :ivar number: its place, as it is counted on the header, the edge or the case.
    :ivar name: what a layout file calls it (``GPIO5``, ``GP5``, ``A0``), or what it carries (``GND``, ``3V3``, ``5V``).
    :ivar functions: what else it is for, in the words of the data sheet; empty if nothing in particular.
    """

    number: int
    name: str
    functions: str = ""

    def told(self) -> Message | str:
        """What else it is for, for people: names of the data sheet as they are, else a sentence."""
        return Message(self.functions) if self.functions in _SENTENCES else self.functions


@dataclass(frozen=True, slots=True)
class Pinout:
    """Two rows of pins, seen from above.

    :ivar left: the pins of the left row, from the top. :ivar right: those of the right row, from the top.
    """

    left: tuple[Pin, ...]
    right: tuple[Pin, ...]

    @property
    def pins(self) -> tuple[Pin, ...]:
        """All pins, by their numbers."""
        return tuple(sorted((*self.left, *self.right), key=lambda pin: pin.number))

    def pin(self, *names: str) -> Pin | None:
        """The first pin with one of these names; None if there is none."""
        return next((pin for pin in self.pins if pin.name in names), None)


# Of the pins that a layout can use; those of the others are never told.
_SENTENCES = N_(
    {
        "I2C1 SDA, pulled up by 1800 ohms": "I2C1 SDA, pulled up by 1800 ohms",
        "I2C1 SCL, pulled up by 1800 ohms": "I2C1 SCL, pulled up by 1800 ohms",
    }
)

# In the order of the header's numbers.
_HEADER = (
    Pin(1, SUPPLY_3V3),
    Pin(2, SUPPLY_5V[0]),
    Pin(3, "GPIO2", "I2C1 SDA, pulled up by 1800 ohms"),
    Pin(4, SUPPLY_5V[0]),
    Pin(5, "GPIO3", "I2C1 SCL, pulled up by 1800 ohms"),
    Pin(6, GROUND),
    Pin(7, "GPIO4", "GPCLK0, 1-Wire"),
    Pin(8, "GPIO14", "UART TXD"),
    Pin(9, GROUND),
    Pin(10, "GPIO15", "UART RXD"),
    Pin(11, "GPIO17", "SPI1 CE1"),
    Pin(12, "GPIO18", "PWM0, PCM CLK, SPI1 CE0"),
    Pin(13, "GPIO27"),
    Pin(14, GROUND),
    Pin(15, "GPIO22"),
    Pin(16, "GPIO23"),
    Pin(17, SUPPLY_3V3),
    Pin(18, "GPIO24"),
    Pin(19, "GPIO10", "SPI0 MOSI"),
    Pin(20, GROUND),
    Pin(21, "GPIO9", "SPI0 MISO"),
    Pin(22, "GPIO25"),
    Pin(23, "GPIO11", "SPI0 SCLK"),
    Pin(24, "GPIO8", "SPI0 CE0"),
    Pin(25, GROUND),
    Pin(26, "GPIO7", "SPI0 CE1"),
    Pin(27, "GPIO0", "HAT ID SD"),
    Pin(28, "GPIO1", "HAT ID SC"),
    Pin(29, "GPIO5", "GPCLK1"),
    Pin(30, GROUND),
    Pin(31, "GPIO6", "GPCLK2"),
    Pin(32, "GPIO12", "PWM0"),
    Pin(33, "GPIO13", "PWM1"),
    Pin(34, GROUND),
    Pin(35, "GPIO19", "PWM1, PCM FS, SPI1 MISO"),
    Pin(36, "GPIO16", "SPI1 CE2"),
    Pin(37, "GPIO26"),
    Pin(38, "GPIO20", "PCM DIN, SPI1 MOSI"),
    Pin(39, GROUND),
    Pin(40, "GPIO21", "PCM DOUT, SPI1 SCLK"),
)

# Down the left edge, the USB socket at the top, and up the right one.
_PICO = (
    Pin(1, "GP0", "UART0 TX"),
    Pin(2, "GP1", "UART0 RX"),
    Pin(3, GROUND),
    Pin(4, "GP2", "I2C1 SDA"),
    Pin(5, "GP3", "I2C1 SCL"),
    Pin(6, "GP4", "I2C0 SDA, UART1 TX"),
    Pin(7, "GP5", "I2C0 SCL, UART1 RX"),
    Pin(8, GROUND),
    Pin(9, "GP6", "I2C1 SDA"),
    Pin(10, "GP7", "I2C1 SCL"),
    Pin(11, "GP8", "I2C0 SDA, UART1 TX"),
    Pin(12, "GP9", "I2C0 SCL, UART1 RX"),
    Pin(13, GROUND),
    Pin(14, "GP10", "SPI1 SCK"),
    Pin(15, "GP11", "SPI1 TX"),
    Pin(16, "GP12", "SPI1 RX, UART0 TX"),
    Pin(17, "GP13", "SPI1 CSn, UART0 RX"),
    Pin(18, GROUND),
    Pin(19, "GP14", "SPI1 SCK"),
    Pin(20, "GP15", "SPI1 TX"),
    Pin(21, "GP16", "SPI0 RX"),
    Pin(22, "GP17", "SPI0 CSn"),
    Pin(23, GROUND),
    Pin(24, "GP18", "SPI0 SCK"),
    Pin(25, "GP19", "SPI0 TX"),
    Pin(26, "GP20", "I2C0 SDA"),
    Pin(27, "GP21", "I2C0 SCL"),
    Pin(28, GROUND),
    Pin(29, "GP22"),
    Pin(30, "RUN"),
    Pin(31, "GP26", "ADC0"),
    Pin(32, "GP27", "ADC1"),
    Pin(33, "AGND"),
    Pin(34, "GP28", "ADC2"),
    Pin(35, "ADC_VREF"),
    Pin(36, SUPPLY_3V3),
    Pin(37, "3V3_EN"),
    Pin(38, GROUND),
    Pin(39, "VSYS"),
    Pin(40, "VBUS", "5 V of the USB cable"),
)

# Round the case, its notch at the top.
_EXPANDER = (
    *(Pin(1 + bit, f"B{bit}", "output only" if bit == 7 else "") for bit in range(8)),
    Pin(9, "VDD", "3.3 V"),
    Pin(10, "VSS", "GND"),
    Pin(11, "NC"),
    Pin(12, "SCL"),
    Pin(13, "SDA"),
    Pin(14, "NC"),
    *(Pin(15 + bit, f"ADDR{bit}", f"A{bit}, a bit of the address") for bit in range(3)),
    Pin(18, "RESET"),
    Pin(19, "INTB"),
    Pin(20, "INTA"),
    *(Pin(21 + bit, f"A{bit}", "output only" if bit == 7 else "") for bit in range(8)),
)

PI: Final = Pinout(_HEADER[::2], _HEADER[1::2])
"""The 40-pin header, seen from above with pin 1 at the upper left: odd numbers left, even ones right."""

PICO: Final = Pinout(_PICO[:20], _PICO[:19:-1])
"""A Pico or Pico 2, seen from above with the USB socket at the top."""

EXPANDER: Final = Pinout(_EXPANDER[:14], _EXPANDER[:13:-1])
"""An MCP23017 in its case with 28 legs, seen from above with the notch at the top."""

PINOUTS: Final = {"gpio": PI, "serial": PICO}
"""What the pins of a layout's driver are on."""
