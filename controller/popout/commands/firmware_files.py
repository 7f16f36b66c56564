"""What the commands for the firmware share: the files that it is made of, and the layouts that it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import click

from popout.board.layout import Layout
from popout.board.serial.description import digest
from popout.commands.console import FileUnreadable, read_bytes
from popout.firmware.image import TITLES
from popout.firmware.uf2 import Image, Uf2Invalid, read_uf2
from popout.rules.messages import Message, PopoutError

USUAL_LAYOUT: Final = "7x6-pico"
USUAL_MODEL: Final = "pico"

layout_option = click.option(
    "--layout",
    metavar="LAYOUT",
    help=f"The board: a shipped layout, or a file. [default: that of the settings, or {USUAL_LAYOUT}]",
)


def known_layouts(wanted: str, names: Iterable[str]) -> Iterator[tuple[Layout, str]]:
    """Those of some layouts that have this digest, each with the name that it was found by."""
    for name in names:
        try:
            layout = Layout.load(name)
            if digest(layout) == wanted:
                yield layout, name
        except PopoutError:  # it is for other pins, or is that of the settings, of which nobody speaks here
            continue


def base_image(base: str | None, model: str | None, say: Callable[[Message], None]) -> tuple[Image, str]:
    """The image into which a layout can be put, and the file that it is in; it is compiled if none is named.

    :param base: the file. :param model: the model that it must be for; None takes that of the file, or a Pico.
    :param say: told what is done while it is compiled.
    :raises FirmwareError: it cannot be compiled here, or is no firmware, or one for the other model.
    :raises FileUnreadable: it cannot be read.
    """
    if base is None:
        from popout.commands.stopping import stopped_as_by_ctrl_c
        from popout.firmware.build import base_image as compiled

        with stopped_as_by_ctrl_c():
            base = str(compiled(model or USUAL_MODEL, say))
    return read_image(base, model), base


def read_image(file: str, model: str | None) -> Image:
    """The image in a UF2 file.

    :param model: the model that it must be for, if any.
    :raises Uf2Invalid: it is none, or is for the other model. :raises FileUnreadable: it cannot be read.
    """
    try:
        data = read_bytes(file)
    except FileUnreadable as error:
        raise FileUnreadable(Message("{file}: {problem}", file=file, problem=error.message)) from None
    image = read_uf2(data, file)
    if model is not None and model != image.model:
        raise Uf2Invalid(
            Message(
                "{file} is for a {its}, not for a {wanted}. Take another file, or another --model.",
                file=file,
                its=Message(TITLES[image.model]),
                wanted=Message(TITLES[model]),
            )
        )
    return image
