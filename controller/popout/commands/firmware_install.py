"""`popout firmware install`: the firmware onto a Pico."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import click

from popout.board.layout import Layout, shipped
from popout.board.serial.description import description
from popout.commands.console import Console, language_option, settings_option, speak, wanted_language
from popout.commands.device import device_option
from popout.commands.firmware_files import USUAL_LAYOUT, base_image, known_layouts, layout_option, read_image
from popout.commands.layout_questions import Asker
from popout.firmware.computer import Computer, Firmware, Person
from popout.firmware.image import TITLES, check_is_ours, description_in, with_description
from popout.firmware.install import Installation
from popout.firmware.uf2 import FAMILIES, write_uf2
from popout.play.settings import load_settings
from popout.rules.messages import Message, PopoutError


class OptionsContradict(PopoutError, ValueError):
    """Options say two things about one."""

    code = "options-contradict"


@click.command(short_help="Put the firmware onto a Pico.")
@layout_option
@click.option("--model", type=click.Choice(list(FAMILIES)), help="The Pico. [default: the one that is found]")
@click.option("--base", metavar="FILE", help="Compile nothing; put the board into this firmware, built before.")
@click.option("--uf2", metavar="FILE", help="Install this file as it is, with the board that is in it.")
@device_option
@click.option("--drive", metavar="FOLDER", type=Path, help="The drive of the Pico, if it is not found.")
@click.option("--yes", is_flag=True, help="Do not ask before another program or layout on a Pico is replaced.")
@settings_option
@language_option
def install(
    layout: str | None,
    model: str | None,
    base: str | None,
    uf2: str | None,
    device: str | None,
    drive: Path | None,
    yes: bool,
    settings: Path | None,
) -> None:
    """Put the firmware onto a Pico, and see that the board answers.

    A Pico that is a board already, or runs another MicroPython, goes into its boot loader by itself. A new one has to
    be plugged in while its button BOOTSEL is held: then it is a drive, which is looked for.

    The firmware is made as "popout firmware build" does, unless a file is named.
    """
    chosen = load_settings(settings)
    console = Console(speak(wanted_language(chosen)))
    _check_options(layout, base, uf2)
    usual = chosen.layout or USUAL_LAYOUT
    make, only = _from_file(uf2, model) if uf2 is not None else _made(layout or usual, base, model, console)
    may = None if not console.interactive else _question(console)
    person = Person(console.say, (lambda _: True) if yes else may, waits=console.interactive)
    port, hello = Installation(make, only, person, Computer()).run(device, drive)
    console.say(
        Message(
            "The {model} on {port} is a board now, with version {version} of the firmware (board {digest}). To play, "
            "type: {command}",
            model=Message(TITLES[hello.model]),
            port=port.device,
            version=hello.version,
            digest=hello.digest,
            command=_play(_name(hello.digest, layout, usual), usual, settings),
        )
    )


def _name(made_for: str, wanted: str | None, usual: str) -> str:
    """How commands name the layout that is on the board now."""
    names = (usual, *shipped()) if wanted is None else (wanted,)
    return next((name for _, name in known_layouts(made_for, names)), "LAYOUT")


def _play(layout: str, usual: str, settings: Path | None) -> str:
    """How to play with a layout, where another one may be the usual one."""
    return shlex.join(
        (
            *("popout", "play"),
            *(() if settings is None else ("--settings", str(settings))),
            *(() if layout == usual else ("--layout", layout)),
        )
    )


def _check_options(layout: str | None, base: str | None, uf2: str | None) -> None:
    for option, given in (("--layout", layout), ("--base", base)):
        if uf2 is not None and given is not None:
            raise OptionsContradict(
                Message(
                    "The file of --uf2 has its board in it and is installed as it is. Leave out {option}, or name the "
                    "file by --base instead.",
                    option=option,
                )
            )


def _from_file(file: str, model: str | None) -> tuple[Callable[[str], Firmware], str]:
    """The firmware in a file, and the model that it is for."""
    image = read_image(file, model)
    check_is_ours(image, file)
    digest = str(description_in(image, file)["digest"])
    firmware = Firmware(write_uf2(image), image.model, digest, compiled=False)
    return lambda _: firmware, image.model


def _made(
    layout: str, base: str | None, model: str | None, console: Console
) -> tuple[Callable[[str], Firmware], str | None]:
    """What makes the firmware for a layout, and the model that it is for if that is known."""
    described = description(board := Layout.load(layout))
    console.say(
        Message(
            "This installs the firmware for the layout “{layout}”: {title} (board {digest}).",
            layout=layout,
            title=board.title,
            digest=described["digest"],
        )
    )
    only = model if base is None else read_image(base, model).model

    def make(model: str) -> Firmware:
        image, file = base_image(base, model, console.say)
        data = write_uf2(with_description(image, described, file))
        return Firmware(data, image.model, described["digest"], compiled=base is None)

    return make, only


def _question(console: Console) -> Callable[[Message], bool]:
    return lambda what: Asker(console, ()).confirm(Message("{what} Go on?", what=what), default=False)
