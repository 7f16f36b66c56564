"""Phones on the network: where they find the board, the codes with which they may play, and who plays on one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, Static

from popout.rules import Message, PopoutError
from popout.rules.messages import N_
from popout.views.terminal.hands import Hands
from popout.views.terminal.words import DISCS, Words
from popout.views.web import qr

_STRONG: Final = Style(bold=True)
_KEY: Final = Style(reverse=True)
_QR: Final = Style(color="#ffffff", bgcolor="#000000")

_INVITES = N_(
    {
        "red": "Make a code with which a phone plays red",
        "yellow": "Make a code with which a phone plays yellow",
    }
)
_CODES = N_(
    {
        "red": "Code for red: {code}, for another {left}.",
        "yellow": "Code for yellow: {code}, for another {left}.",
    }
)
_PLAYS = N_(
    {
        "red": "{number}  The phone at {address} plays red; press {number} to put it out.",
        "yellow": "{number}  The phone at {address} plays yellow; press {number} to put it out.",
    }
)


class Phones(ModalScreen[None]):
    """The address and its QR code, codes that run out, and the phones that were let in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "invite('red')"),
        Binding("y", "invite('yellow')"),
        Binding("escape,p,q,enter", "dismiss"),
    ]

    def __init__(self, hands: Hands, words: Words) -> None:
        super().__init__()
        self._hands, self._words = hands, words
        self._refusal = ""

    def compose(self) -> ComposeResult:
        """The code beside what is said about it."""
        with Vertical(classes="dialog"):
            yield Label(self._words.say(Message("Phones")), classes="title", markup=False)
            with Horizontal(classes="row"):
                yield Static(id="code", markup=False)
                yield Static(id="about", markup=False)

    def on_mount(self) -> None:
        """Show it, and the time that is left anew every second."""
        self._draw()
        self.set_interval(1, self._draw)

    def action_invite(self, side: str) -> None:
        """Make a code for a side."""
        self.run_worker(self._do("invite", side=side), group="phones")

    def on_key(self, event: events.Key) -> None:
        """The number of a phone puts it out."""
        network = self._hands.link.network()
        number = int(event.character) if event.character and event.character in "123456789" else 0
        if network and 1 <= number <= len(network["players"]):
            event.stop()
            self.run_worker(self._do("put-out", id=network["players"][number - 1]["id"]), group="phones")

    async def _do(self, do: str, **fields: Any) -> None:
        try:
            await self._hands.do(do, **fields)
            self._refusal = ""
        except PopoutError as error:
            self._refusal = self._words.say(error.message)
        self._draw()

    def _draw(self) -> None:
        network = self._hands.link.network()
        about = self._nobody() if network is None else self._about(network)
        if self._refusal:
            about.append(f"\n✗ {self._refusal}\n", _STRONG)
        about.append(" Esc ", _KEY)
        about.append(f" {self._words('close')}")
        self.query_one("#about", Static).update(about)
        if network:
            self.query_one("#code", Static).update(Text("\n".join(qr.lines(network["addresses"][0])), _QR))

    def _nobody(self) -> Text:
        said = Message(
            "Phones cannot reach this board. Start it with {option} to offer its page to the local network.",
            option="--listen",
        )
        return Text(self._words.say(said) + "\n\n")

    def _about(self, network: Mapping[str, Any]) -> Text:
        say, about = self._words.say, Text()
        about.append(say(Message("Open this address on the phone, or point its camera at the code:")) + "\n")
        about.append("\n".join(filter(None, [*network["addresses"][:3], network["name"]])) + "\n\n", _STRONG)
        about.append(say(Message("Everybody there may watch. To play, a phone needs a code.")) + "\n")
        for side, invites in _INVITES.items():
            about.append(f" {side[0].upper()} ", _KEY)
            about.append(f" {say(Message(invites))}\n")
        now = time.time() * 1000
        for each in network["invited"]:
            left = max(int((each["until"] - now) / 1000), 0)
            code = Message(_CODES[each["side"]], code=each["code"], left=f"{left // 60}:{left % 60:02}")
            about.append(f"{DISCS[each['side']]} {say(code)}\n", _STRONG)
        for number, player in enumerate(network["players"], 1):
            plays = Message(_PLAYS[player["side"]], number=number, address=player["address"])
            about.append(f"{DISCS[player['side']]} {say(plays)}\n")
        about.append("\n")
        return about
