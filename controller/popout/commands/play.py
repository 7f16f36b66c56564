"""`popout play` and `popout sim`: a game at a board, with its page."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from socket import socket
from typing import Any

import click

from popout.board.driver import BoardDriver
from popout.board.find import SIMULATOR, choose, default_layout
from popout.board.layout import Layout
from popout.commands.console import Console, language_option, speak, wanted_language
from popout.play.settings import load_settings
from popout.play.table import Table
from popout.record.store import Store, default_path
from popout.rules import Message, RuleSet

_COMMON = (
    click.option(
        "--rules", metavar="RULES", help='The game, such as "popout 9x7 connect=5". Begins a new one if it differs.'
    ),
    click.option("--new", "anew", is_flag=True, help="Begin a new game; the last one stays in the record."),
    click.option("--record", metavar="FILE", help="Keep the games in this file instead of the usual one."),
    click.option("--settings", metavar="FILE", help="Read the settings from this file instead of the usual one."),
    click.option("--host", default="127.0.0.1", show_default=True, help="Offer the page at this address."),
    click.option("--port", type=click.IntRange(0, 65535), help="Offer the page at this port; 0 takes a free one."),
    click.option("--no-page", is_flag=True, help="Play with the board alone."),
    click.option("--no-browser", is_flag=True, help="Do not open the browser."),
    language_option,
)


def _common(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_COMMON):
        command = option(command)
    return command


@click.command(short_help="Play at the board, or on the simulator if there is none.")
@click.option("--board", metavar="NAME", help="The board driver, such as gpio, serial or sim.")
@click.option("--layout", metavar="LAYOUT", help="The board's layout: a shipped one by its name, or a file.")
@_common
def play(board: str | None, layout: str | None, **options: Any) -> None:
    """Play at the board that is attached, or on the simulator.

    The game goes on where it stopped. The board can be played without the page; the page shows the same game.
    """
    _play(board, layout, **options)


@click.command(short_help="Play on the simulator.")
@click.option("--layout", metavar="LAYOUT", help="Simulate this board: a shipped layout by its name, or a file.")
@_common
def sim(layout: str | None, **options: Any) -> None:
    """Play on the simulated board, in the browser.

    The simulator is a board of any size: "popout sim --rules 'popout 12x10'".
    """
    _play(SIMULATOR, layout, **options)


def _play(
    board: str | None,
    layout: str | None,
    rules: str | None,
    anew: bool,
    record: str | None,
    settings: str | None,
    **page: Any,
) -> None:
    chosen = load_settings(None if settings is None else Path(settings))
    language = wanted_language(chosen)
    console = Console(speak(language))
    ruleset = None if rules is None else RuleSet.parse(rules)
    named = layout or chosen.layout
    described = Layout.load(named) if named else None
    driver, reason = choose(board or chosen.board, described)

    def open_board() -> BoardDriver:
        opened = driver(described or default_layout(driver.name))
        opened.dark_on_close = chosen.dark_on_exit
        return opened

    with ExitStack() as stack:
        listener = None
        if not page["no_page"]:
            from popout.views.web.server import listen

            # Before the record is touched: without its page no game may begin or change.
            port = chosen.port if page["port"] is None else page["port"]
            listener = stack.enter_context(closing(listen(page["host"], port)))
        store = stack.enter_context(Store(default_path() if record is None else Path(record)))
        opened = stack.enter_context(open_board())
        table = Table(
            opened,
            store,
            chosen,
            ruleset,
            anew=anew,
            resizable=opened.resizable and described is None,
            reopen=open_board,
        )
        stack.callback(lambda: table.board.close())
        asyncio.run(_until_stopped(table, console, reason, language, listener, page["host"], not page["no_browser"]))


async def _until_stopped(
    table: Table,
    console: Console,
    reason: Message,
    language: str | None,
    listener: socket | None,
    host: str,
    open_browser: bool,
) -> None:
    """Play until the program is told to stop, by a signal or by the board's end.

    `reason` says why it is this board. `language` is that of the page, which is offered at `listener`; with None there
    is no page.
    """
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        with suppress(AttributeError, NotImplementedError, ValueError):  # not every system has every signal
            loop.add_signal_handler(getattr(signal, name), task.cancel)
    console.say(reason)
    with suppress(asyncio.CancelledError):
        if listener is None:
            await table.run()
            return
        from popout.views.web.server import serve
        from popout.views.web.state import TableView

        def opened(address: str) -> None:
            console.say(Message("The board is at {address}", address=address), Message("Press Ctrl+C here to stop."))

        await _together(
            table.run(),
            serve(
                TableView(table),
                host=host,
                language=language,
                opened=opened,
                open_browser=open_browser,
                listener=listener,
            ),
        )


async def _together(*coroutines: Coroutine[Any, Any, None]) -> None:
    """Run all until the first ends, then end the others; raise what it raised."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
