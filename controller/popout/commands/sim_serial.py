"""`popout sim --as-serial`: the simulated board on a serial port, for people who write a host of their own."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections import deque
from collections.abc import AsyncIterable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from popout import __version__
from popout.board.find import default_layout
from popout.board.layout import Layout
from popout.board.peer import Peer, peer_maker
from popout.board.serial import DRIVER
from popout.commands.console import Console, speak, wanted_language
from popout.commands.sim_hands import HandsInWords
from popout.commands.stopping import told_to_stop
from popout.commands.terminal import standard_input
from popout.play.settings import load_settings
from popout.rules.messages import Message, PopoutError
from popout.views.lamps import LETTERS, draw_lamps

REST_S: Final = 0.5
"""Lamps are drawn by themselves when they have looked the same for so long."""
LATEST_S: Final = 1.5
"""Lamps that come to no rest, since something blinks, are drawn after so long, `_HURRIED` times."""

_HURRIED: Final = 2
_PICTURES_KNOWN: Final = 8

_OF_ITS_OWN: Final = ("layout", "faults", "seed", "as_serial", "link", "settings")
"""The options of `popout sim` that are for a board on a serial port, too."""
_DEVICES: Final = "/dev/"


class OptionOutOfPlace(PopoutError, ValueError):
    """An option has no meaning beside another."""

    code = "option-out-of-place"


class LinkNotMade(PopoutError, OSError):
    """The symbolic link to the port cannot be made."""

    code = "link-not-made"


def offer_serial_board(
    layout: str | None, faults: str | None, seed: int, link: Path | None, settings: Path | None
) -> None:
    """Be a board on a serial port until somebody ends it; the parameters are the options of the command.

    :raises PopoutError: there is no such board, or no such port or link can be made.
    """
    refuse_others()
    console = Console(speak(wanted_language(load_settings(settings))))
    described = default_layout(DRIVER) if layout is None else Layout.load(layout)
    with suppress(asyncio.CancelledError):
        asyncio.run(_offer(console, described, layout or described.name, faults, seed, link))


def refuse_others() -> None:
    """Refuse the options that were given and are for a game.

    :raises OptionOutOfPlace: there is one.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and parameter.expose_value and name not in _OF_ITS_OWN:
            raise OptionOutOfPlace(
                Message(
                    "With --as-serial no game is played here: the board waits for a program that plays on it. Leave "
                    "out {option}.",
                    option=parameter.opts[0],
                )
            )


def refuse_link(link: Path | None) -> None:
    """Refuse a link without a serial port to lead to.

    :raises OptionOutOfPlace: there is one.
    """
    if link is not None:
        raise OptionOutOfPlace(Message("--link is for a board on a serial port. Add --as-serial, or leave it out."))


async def _offer(
    console: Console, layout: Layout, named: str, faults: str | None, seed: int, link: Path | None
) -> None:
    news, stop = asyncio.Event(), asyncio.Event()
    with ExitStack() as stack:
        stack.enter_context(told_to_stop(stop.set))
        leading = None if link is None else stack.enter_context(closing(PortLink(link)))
        make = peer_maker()
        peer = stack.enter_context(closing(make(layout, __version__, faults=faults, seed=seed, news=news.set)))
        screen = _Screen(console, peer, layout, named, leading)
        screen.tell_port()
        hands = HandsInWords(peer, draw=screen.draw, tell=screen.tell)
        tasks = {
            asyncio.create_task(task)
            for task in (peer.run(), screen.follow(news), _obey(hands, screen, standard_input()), stop.wait())
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _obey(hands: HandsInWords, screen: _Screen, lines: AsyncIterable[str]) -> None:
    """Do what lines say. Where they end, the board ends only if somebody typed them: a script may start it and go."""
    screen.welcome()
    async for line in lines:
        screen.hands_moved()
        try:
            if not await hands.obey(line.removeprefix("\ufeff")):
                return
        except PopoutError as error:
            screen.tell([error.message])
        screen.tell_port()
    if not screen.interactive:
        await asyncio.Event().wait()


class _Screen:
    """What is shown of the board: its port, and in a terminal its lamps."""

    def __init__(self, console: Console, peer: Peer, layout: Layout, named: str, link: PortLink | None) -> None:
        self.interactive = console.interactive
        self._console = console
        self._peer = peer
        self._layout = layout
        self._named = named
        self._link = link
        self._port: str | None = None
        self._explained = False
        self._dark = draw_lamps(peer.lamps, layout)
        self._drawn = deque([self._dark], maxlen=_PICTURES_KNOWN)
        self._seen = (self._dark, 0.0)  # what is to be seen, and since when
        self._new_since: float | None = None  # since when something is that was not drawn
        self._hurried = 0  # how often lamps were drawn that did not rest

    def welcome(self) -> None:
        """Say how to begin, to somebody who types."""
        if self.interactive:
            self.tell([Message("Type what hands are to do, such as d4; help tells the rest, quit ends the board.")])

    def tell(self, messages: Sequence[Message]) -> None:
        """Say sentences."""
        self._console.say(*messages)

    def tell_port(self) -> None:
        """Say it if there is another port than before, or none any more, and let the link lead to it."""
        port = self._peer.port
        if port == self._port:
            return
        before, self._port = self._port, port
        if self._link is not None:
            self._link.lead_to(port)
        if port is None:
            self.tell([Message("The board has left {port}.", port=before or "")])
            return
        play = ["popout", "play", "--board", DRIVER, "--device", port, "--layout", self._named]
        said = Message("The board is on {port}. Play on it: {command}", port=port, command=shlex.join(play))
        self._console.write(self._console.catalogue.text(said))  # unbroken, to be copied

    def draw(self) -> None:
        """Draw the lamps."""
        lines, said = picture = draw_lamps(self._peer.lamps, self._layout)
        self._drawn.append(picture)
        self._new_since = None
        self._console.write(*lines)
        self.tell(said)
        if not self._explained:
            self._explained = True
            self.tell([LETTERS])

    def hands_moved(self) -> None:
        """Something else may be lit now."""
        while len(self._drawn) > 1:
            self._drawn.popleft()
        self._new_since = None
        self._hurried = 0

    async def follow(self, news: asyncio.Event) -> None:
        """Show what is new."""
        while True:
            try:
                async with asyncio.timeout_at(self._draws_at()):
                    await news.wait()
            except TimeoutError:
                self._hurried += not self._rests()
                self.draw()
            news.clear()
            self.tell_port()

    def _draws_at(self) -> float | None:
        """When the lamps are to be drawn, by the loop's clock; None if they show nothing new.

        What blinks slowly is new only once, until hands do something.
        """
        now = asyncio.get_running_loop().time()
        picture = draw_lamps(self._peer.lamps, self._layout)
        if picture != self._seen[0]:
            self._seen = picture, now
        is_new = picture != self._drawn[-1] and (picture == self._dark or picture not in self._drawn)
        if not (self.interactive and is_new):
            return None
        if self._new_since is None:
            self._new_since = now
        rests_at = self._seen[1] + REST_S
        return rests_at if self._hurried == _HURRIED else min(rests_at, self._new_since + LATEST_S)

    def _rests(self) -> bool:
        return asyncio.get_running_loop().time() >= self._seen[1] + REST_S


class PortLink:
    """A symbolic link that leads to the port while there is one.

    :raises LinkNotMade: something else is there, or the link of another board.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._leads_to: str | None = None
        self._refuse_others()

    def lead_to(self, port: str | None) -> None:
        """Lead to another port, at once; without one there is no link.

        :raises LinkNotMade: the folder does not let us, or another board has the link meanwhile.
        """
        if port is not None and self._leads_to is None:
            self._refuse_others()
        beside = self._file.with_name(f".{self._file.name}.new")
        try:
            if port is None:
                self._remove()
                return
            beside.unlink(missing_ok=True)
            beside.symlink_to(port)
            beside.replace(self._file)
            self._leads_to = port
        except OSError as error:
            raise LinkNotMade(
                Message(
                    "The link {path} cannot be made: {reason}. Choose another folder.",
                    path=str(self._file),
                    reason=error.strerror or str(error),
                )
            ) from error

    def close(self) -> None:
        """Remove the link."""
        with suppress(OSError):
            self._remove()

    def _refuse_others(self) -> None:
        """Refuse a link that is there and is not ours, but for one that a board left that was killed."""
        if not os.path.lexists(self._file):
            return
        leads_to = str(self._file.readlink()) if self._file.is_symlink() else ""
        if not leads_to.startswith(_DEVICES):
            raise LinkNotMade(
                Message("{path} is there already, and no link to a port. Choose another name.", path=str(self._file))
            )
        if os.path.lexists(leads_to):
            raise LinkNotMade(
                Message(
                    "{path} leads to {port}, perhaps to another board. End that one, remove the link or choose another "
                    "name.",
                    path=str(self._file),
                    port=leads_to,
                )
            )

    def _remove(self) -> None:
        # Another board may have taken the name over meanwhile.
        if self._leads_to is not None and self._file.is_symlink() and str(self._file.readlink()) == self._leads_to:
            self._file.unlink()
        self._leads_to = None
