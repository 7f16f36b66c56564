"""The option ``--device``: which board of several on cables, and what it says about the driver."""

from __future__ import annotations

import click

from popout.board.serial import DRIVER
from popout.play.settings import Settings

device_option = click.option(
    "--device", metavar="DEVICE", help="The port or the serial number of the board, such as /dev/ttyACM0."
)


def wanted_board(board: str | None, device: str | None, settings: Settings) -> tuple[str | None, str | None]:
    """The driver and the device that are wanted by name, by the options of a command or else by the settings.

    Where a device is named and no driver, the driver is the one that has devices. The device of the settings is for
    the driver of the settings, so that another one may be named without it.
    """
    if device is not None:
        return board or settings.board or DRIVER, device
    if settings.device is None:
        return board or settings.board, None
    of_settings = settings.board or DRIVER
    return board or of_settings, settings.device if board in (None, of_settings) else None
