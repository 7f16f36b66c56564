"""`popout firmware`: the program of a Pico that is a board."""

from __future__ import annotations

from pathlib import Path

import click

from popout.board.layout import Layout
from popout.board.serial.description import description
from popout.commands.console import Console, language_option, settings_option, speak, wanted_language, write_bytes
from popout.commands.firmware_files import USUAL_LAYOUT, base_image, layout_option
from popout.commands.firmware_install import install
from popout.commands.firmware_talk import info, log
from popout.firmware.image import TITLES, with_description
from popout.firmware.uf2 import FAMILIES, write_uf2
from popout.play.settings import load_settings
from popout.rules.messages import Message


@click.group(short_help="Make and install the firmware of a board on a Pico.")
def firmware() -> None:
    """Make and install the firmware of a board on a Pico: the program that reads its switches and lights its lamps."""


@firmware.command(short_help="Build the firmware for a board.")
@layout_option
@click.option("--model", type=click.Choice(list(FAMILIES)), help="The Pico. [default: that of --base, or pico]")
@click.option("--base", metavar="FILE", help="Compile nothing; put the board into this firmware, built before.")
@click.option("--output", metavar="FILE", help="Where to write it. [default: popout-LAYOUT-MODEL.uf2]")
@settings_option
@language_option
def build(layout: str | None, model: str | None, base: str | None, output: str | None, settings: Path | None) -> None:
    """Build the firmware for a board: one UF2 file, with the pins and lamps of the layout in it.

    The first time it is compiled from Debian's sources, which takes Debian or a 64-bit Raspberry Pi OS, the network and
    some minutes; after that only the layout is put in. Elsewhere, take a file that was built before, for any layout, as
    --base.

    A Pico 2 needs another file than a Pico: --model pico2.

    To put it onto the Pico, hold its button BOOTSEL while you plug it in, and copy the file onto the drive that
    appears.
    """
    from popout.firmware.build import licences_of

    chosen = load_settings(settings)
    console = Console(speak(wanted_language(chosen)))
    described = description(board := Layout.load(layout or chosen.layout or USUAL_LAYOUT))
    image, base = base_image(base, model, console.say)
    data = write_uf2(with_description(image, described, base))
    written = output or f"popout-{board.name}-{image.model}.uf2"
    write_bytes(written, data, replace=True)
    licences = licences_of(Path(base))
    if licences.exists():
        write_bytes(str(licences_of(Path(written))), licences.read_bytes(), replace=True)
    console.say(
        Message(
            "{file} is the firmware of “{title}” for a {model} (board {digest}). Hold the button BOOTSEL while you "
            "plug the Pico in, and copy the file onto the drive that appears.",
            file=written,
            title=board.title,
            model=Message(TITLES[image.model]),
            digest=described["digest"],
        )
    )
    if licences.exists():
        console.say(
            Message(
                "The licences of what is in it are in {file}. Whoever gets the firmware from you is to get them too.",
                file=str(licences_of(Path(written))),
            )
        )


for command in (install, info, log):
    firmware.add_command(command)
