"""Running the terminal on a link until somebody leaves it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from popout.rules import Message
from popout.views.terminal.app import Terminal
from popout.views.terminal.link import Link


async def run_terminal(link: Link, say: Callable[[Message], str]) -> None:
    """Show the board full-screen until somebody leaves. When cancelled, the screen is given back as it was.

    :param say: the language of the terminal's own words.
    :raises Exception: a fault of the terminal; the board goes on.
    """
    app = Terminal(link, say)
    running = asyncio.create_task(app.run_async())
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        app.exit()
        await running
        raise
    finally:
        await link.close()
    if app.fault is not None:
        raise app.fault
