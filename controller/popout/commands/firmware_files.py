"""What the commands for the firmware share: the files that it is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from popout.commands.console import FileUnreadable, read_bytes
from popout.firmware.image import TITLES
from popout.firmware.uf2 import Image, Uf2Invalid, read_uf2
from popout.rules.messages import Message

USUAL_LAYOUT: Final = "7x6-pico"
USUAL_MODEL: Final = "pico"


def base_image(base: str | None, model: str | None, say: Callable[[Message], None]) -> tuple[Image, str]:
    """The image into which a layout can be put, and the file that it is in; it is compiled if none is named.

    :param base: the file. :param model: the model that it must be for; None takes that of the file, or a Pico.
    :param say: told what is done while it is compiled.
    :raises FirmwareError: it cannot be compiled here, or is no firmware, or one for the other model.
    :raises FileUnreadable: it cannot be read.
    """
    if base is None:
        from popout.firmware.build import base_image as compiled

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
