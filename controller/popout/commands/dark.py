"""`popout dark`: the lamps of a board that nobody plays on any more go dark."""

from __future__ import annotations

from pathlib import Path

import click

from popout.board.find import choose, default_layout
from popout.board.layout import Layout
from popout.commands.console import language_option, settings_option, speak, wanted_language
from popout.commands.device import device_option, wanted_board
from popout.play.settings import load_settings


@click.command(short_help="Darken the lamps of a board.")
@click.option("--board", metavar="NAME", help="The board driver, such as gpio or serial.")
@device_option
@click.option("--layout", metavar="LAYOUT", help="The board's layout: a shipped one by its name, or a file.")
@settings_option
@click.option("--as-set", is_flag=True, help="Leave the lamps lit if the settings say that they stay so.")
@language_option
def dark(board: str | None, device: str | None, layout: str | None, settings: Path | None, as_set: bool) -> None:
    """Darken the lamps of the board that "popout play" with the same options would play on.

    For when a program was killed and the lamps have stayed lit. Without a board there is nothing to do.
    """
    chosen = load_settings(settings)
    speak(wanted_language(chosen))
    named = layout or chosen.layout
    described = Layout.load(named) if named else None
    board, device = wanted_board(board, device, chosen)
    driver, _ = choose(board, described)
    with driver.opener(device)(described or default_layout(driver.name)) as opened:
        opened.dark_on_close = chosen.dark_on_exit or not as_set
