"""`popout play` and `popout sim`: a game at a board, with its page."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click

from popout.board.driver import BoardDriver
from popout.board.find import SIMULATOR, choose, default_layout
from popout.board.find import driver as driver_called
from popout.board.layout import Layout
from popout.commands.console import Console, language_option, settings_option, speak, wanted_language
from popout.commands.device import device_option, wanted_board
from popout.commands.session import Page, Session
from popout.play.seats import read_levels
from popout.play.settings import load_settings
from popout.play.table import Table
from popout.record.places import default_path
from popout.record.store import Store
from popout.rules import Message, RuleSet
from popout.service import logs

LEAVE_WITHIN_S = 1.5

_COMMON = (
    click.option(
        "--rules", metavar="RULES", help='The game, such as "popout 9x7 connect=5". Begins a new one if it differs.'
    ),
    click.option("--new", "anew", is_flag=True, help="Begin a new game; the last one stays in the record."),
    click.option(
        "--opponent",
        metavar="WHO",
        help='Let the program play a side, such as "yellow=5" or "red=3,yellow=7"; or "off".',
    ),
    click.option("--record", metavar="FILE", help="Keep the games in this file instead of the usual one."),
    settings_option,
    click.option("--host", default="127.0.0.1", show_default=True, help="Offer the page at this address."),
    click.option("--listen", is_flag=True, help="Offer the page to the local network. A code lets a phone play."),
    click.option("--port", type=click.IntRange(0, 65535), help="Offer the page at this port; 0 takes a free one."),
    click.option("--no-page", is_flag=True, help="Play with the board alone."),
    click.option("--terminal", is_flag=True, help="Play in this terminal; leaving it stops the board."),
    click.option("--no-browser", is_flag=True, help="Do not open the browser."),
    click.option("--verbose", "-v", is_flag=True, help="Log on standard error what goes on inside."),
    language_option,
)


def _common(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_COMMON):
        command = option(command)
    return command


@click.command(short_help="Play at the board, or on the simulator if there is none.")
@click.option("--board", metavar="NAME", help="The board driver, such as gpio, serial or sim.")
@device_option
@click.option("--layout", metavar="LAYOUT", help="The board's layout: a shipped one by its name, or a file.")
@_common
def play(board: str | None, device: str | None, layout: str | None, **options: Any) -> None:
    """Play at the board that is attached, or on the simulator.

    The game goes on where it stopped. The board can be played without the page; the page shows the same game.

    With --opponent the program plays a side, at a level from 1 to 10. Its lamps blink where it wants to move, and a
    hand makes that move; on the simulator the disc falls by itself.
    """
    _play(board, device, layout, **options)


@click.command(short_help="Play on the simulator.")
@click.option("--layout", metavar="LAYOUT", help="Simulate this board: a shipped layout by its name, or a file.")
@click.option("--faults", metavar="FAULTS", help='Let things go wrong, such as "bounce,stuck:3@20s"; "list" names all.')
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Let them go wrong in another way.")
@click.option("--as-serial", is_flag=True, help="Offer the board on a serial port, for a program of your own.")
@click.option("--link", metavar="FILE", type=Path, help="With --as-serial: a link that always leads to that port.")
@_common
def sim(layout: str | None, faults: str | None, as_serial: bool, link: Path | None, **options: Any) -> None:
    """Play on the simulated board, in the browser.

    The simulator is a board of any size: "popout sim --rules 'popout 12x10'".

    With --as-serial nothing is played here. The board is on a serial port, and talks there as a Pico with the firmware
    does; lines that are typed or piped in are what hands do at it, such as d4 or "bar open". Type help for all of them.
    Where they end it stays a board; quit ends it.
    """
    from popout.commands.sim_serial import offer_serial_board, refuse_link

    if faults == "list":
        _list_faults()
        return
    if as_serial:
        offer_serial_board(layout, faults, options["seed"], link, options["settings"])
        return
    refuse_link(link)
    _play(SIMULATOR, None, layout, faults=faults, **options)


def _list_faults() -> None:
    console = Console()
    faults = driver_called(SIMULATOR).faults()
    width = max(map(len, faults)) + 2
    for name, sentence in faults.items():
        console.write(f"{name:<{width}}{console.catalogue.text(sentence)}")
    console.say(
        Message("Join several with commas. “:3” names a column, “:5ms” a length, “:10%” a chance; “@20s” is a time."),
        Message("“@~20s” is: about every 20 s. For example “glitch:5ms@~2s,stuck:3@1min,lost-edge:10%”."),
    )


def _play(
    board: str | None,
    device: str | None,
    layout: str | None,
    rules: str | None,
    anew: bool,
    opponent: str | None,
    record: str | None,
    settings: Path | None,
    verbose: bool,
    faults: str | None = None,
    seed: int = 0,
    terminal: bool = False,
    **page: Any,
) -> None:
    logs.configure(verbose=verbose)
    chosen = load_settings(settings)
    language = wanted_language(chosen)
    console = Console(speak(language))
    ruleset = None if rules is None else RuleSet.parse(rules)
    levels = None if opponent is None else read_levels(opponent)
    named = layout or chosen.layout
    described = Layout.load(named) if named else None
    board, device = wanted_board(board, device, chosen)
    driver, reason = choose(board, described)
    make = driver.opener(device) if faults is None else driver.with_faults(faults, seed)

    def open_board() -> BoardDriver:
        opened = make(described or default_layout(driver.name))
        opened.dark_on_close = chosen.dark_on_exit
        return opened

    with ExitStack() as stack:
        listener = None
        if not page["no_page"]:
            from popout.views.web.listening import EVERYWHERE, listen
            from popout.views.web.network import Network

            # Before the record is touched: without its page no game may begin or change.
            port = chosen.port if page["port"] is None else page["port"]
            listener = stack.enter_context(closing(listen(EVERYWHERE if page["listen"] else page["host"], port)))
        store = stack.enter_context(Store(default_path() if record is None else Path(record)))
        if store.recovered:
            console.complain(store.recovered)
        opened = stack.enter_context(open_board())
        table = Table(
            opened,
            store,
            chosen,
            ruleset,
            anew=anew,
            resizable=opened.resizable and described is None,
            reopen=open_board,
            opponent=levels,
        )
        stack.callback(lambda: table.board.close())
        offered = None
        if listener is not None:
            offered = Page(listener, Network(listener.addresses()), language, not (page["no_browser"] or terminal))
        dark = stack.enter_context(leaving_for_sure())
        asyncio.run(Session(table, console, reason, offered, terminal=terminal, dark=dark).run())


@contextmanager
def leaving_for_sure() -> Iterator[Callable[[], None]]:
    """Give what is to be called when the lamps are dark: from then on the program ends within a moment.

    Without this a thread that waits for a disk or a network would keep it alive for as long as that takes. What was
    said to be saved is saved by then.
    """
    leaving = threading.Timer(LEAVE_WITHIN_S, os._exit, (0,))
    leaving.daemon = True
    try:
        yield leaving.start
    finally:
        leaving.cancel()
