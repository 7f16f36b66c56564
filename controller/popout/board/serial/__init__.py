"""A board behind a microcontroller on a serial link. The driver needs pyserial; the description of a board, nothing."""

from typing import Final

DRIVER: Final = "serial"
"""The name of the driver, for layouts, settings and options."""
