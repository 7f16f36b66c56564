"""`popout terminal`: a board that runs already, in this terminal."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from popout.commands.console import Console, language_option, settings_option, speak, wanted_language

if TYPE_CHECKING:
    from popout.views.lines import Lines
    from popout.views.terminal.link import Link


@click.command(short_help="Play in this terminal at a board that runs already.")
@click.argument("address", required=False)
@settings_option
@language_option
def terminal(address: str | None, settings: Path | None) -> None:
    """Show the board that runs on this machine, as a service or in another window, and play there.

    Where nothing can be drawn, as in a pipe, moves are read and answers printed line by line: "help" lists the words.

    ADDRESS is that of the page, such as http://127.0.0.1:8407/, which is where it is looked for without one.

    Exit code: 0; 1 if lines were piped in and one was refused; 2 if there is no board.
    """
    from popout.play.settings import load_settings
    from popout.views.terminal.link import SocketLink, page_address

    chosen = load_settings(settings)
    catalogue = speak(wanted_language(chosen))
    console = Console(catalogue)

    async def attach() -> int:
        link = SocketLink(address or page_address(chosen.port), catalogue.language)
        await link.connect()
        return await sit_down(link, console, standard_input())

    refused = asyncio.run(attach())
    raise click.exceptions.Exit(1 if refused and not console.interactive else 0)


def standard_input() -> Lines:
    """The lines of standard input; none if there is no such thing."""
    from popout.views.lines import Lines

    try:
        return Lines(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):
        return Lines(-1)


async def sit_down(link: Link, console: Console, lines: Lines) -> int:
    """Show a board in this terminal until somebody leaves: drawn if it can be, else in lines. How many were refused."""
    from popout.views import screen

    say = console.catalogue.text
    why = screen.why_plain((sys.stdin, sys.stdout, sys.stderr))
    if why is None:
        from popout.views.terminal.run import run_terminal

        await run_terminal(link, say)
        return 0
    from popout.views.plain import Plain
    from popout.views.plain_words import Teller

    symbols = console.style.symbols and screen.speaks_utf8(sys.stdout)
    style = replace(console.style, symbols=symbols)
    teller = Teller(say, style, console.write, draw=console.interactive)
    if console.interactive:
        teller.say(why)
    plain = Plain(link, teller, prompt=console.interactive)
    await plain.run(aiter(lines))
    return plain.refused
