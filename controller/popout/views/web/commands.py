"""What a page may say to the controller: read strictly, refused with one sentence.

A command is a JSON object whose ``do`` names it; see `COMMANDS`. What cannot be read changes nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from popout.rules.messages import Message, PopoutError

LONGEST = 2048
"""The longest message of a page, in characters."""

_Switch = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
_Ply = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
_Grid = Annotated[list[Annotated[str, msgspec.Meta(max_length=32)]], msgspec.Meta(min_length=1, max_length=32)]
_Rules = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class BadMessage(PopoutError, ValueError):
    """What the page sent cannot be read."""

    code = "bad-message"


class _Strict(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """An object that its ``do`` tells apart, with no field too many and none of a wrong kind."""


class Press(_Strict, tag="press"):
    """A finger presses a switch, such as ``column 4``."""

    switch: _Switch


class Release(_Strict, tag="release"):
    """The finger lets go of it."""

    switch: _Switch


class Withdraw(_Strict, tag="withdraw"):
    """The finger slipped off it: nothing is to come of the press."""

    switch: _Switch


class Bar(_Strict, tag="bar"):
    """Slide the pop-release bar."""

    to: Literal["open", "closed"]


class TakeBack(_Strict, tag="take-back"):
    """Take back the last move."""


class New(_Strict, tag="new"):
    """A new game by the rules that the text names."""

    rules: _Rules


class AgreeDraw(_Strict, tag="agree-draw"):
    """Both sides agree a draw."""


class Claim(_Strict, tag="claim"):
    """The side to move claims the draw that the rules give it."""


class ChoosePower(_Strict, tag="power"):
    """Let the next drop be a power disc (a anvil, b bomb, w wall, x x2), or an ordinary one (null)."""

    disc: Literal["a", "b", "w", "x"] | None


class Menu(_Strict, tag="menu"):
    """Open the menu of the board, or leave it."""


class Look(_Strict, tag="look"):
    """Show the position after that many moves."""

    ply: _Ply


class Hand(_Strict, tag="hand"):
    """A hand does something to the twin of a simulated board, which knows what a hand can do."""

    action: dict[str, Any]


class Correct(_Strict, tag="correct"):
    """What is on the board, one text a column from the left, each from the bottom up: compare, and guide the hands."""

    grid: _Grid


class Adopt(_Strict, tag="adopt"):
    """Go on from what is on the board, as `Correct` said it, with this side to move."""

    turn: Literal["red", "yellow"]


Command = (
    Press
    | Release
    | Withdraw
    | Bar
    | Hand
    | TakeBack
    | New
    | AgreeDraw
    | Claim
    | ChoosePower
    | Menu
    | Look
    | Correct
    | Adopt
)

COMMANDS: dict[str, type[Command]] = {
    "press": Press,
    "release": Release,
    "withdraw": Withdraw,
    "bar": Bar,
    "hand": Hand,
    "take-back": TakeBack,
    "new": New,
    "agree-draw": AgreeDraw,
    "claim": Claim,
    "power": ChoosePower,
    "menu": Menu,
    "look": Look,
    "correct": Correct,
    "adopt": Adopt,
}


def read_command(text: str) -> Command:
    """The command in a message of the page.

    :raises BadMessage: it is too long, not JSON, not an object, or no command with the right fields.
    """
    if len(text) > LONGEST:
        raise BadMessage(
            Message(
                "The message has {length} characters, and {most} are the most. Nothing was changed.",
                length=len(text),
                most=LONGEST,
            )
        )
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise BadMessage(
            Message("The message is not JSON. Send an object such as {example}.", example='{"do":"take-back"}')
        ) from None
    if not isinstance(said, dict):
        raise BadMessage(
            Message("The message is not an object. Send one such as {example}.", example='{"do":"take-back"}')
        )
    name = said.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        raise BadMessage(
            Message(
                "The message names no command that is known here in “do”. The commands are {names}.",
                names=", ".join(COMMANDS),
            )
        )
    try:
        return msgspec.convert(said, COMMANDS[name])
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadMessage(
            Message(
                "The fields of the command “{name}” are not right ({detail}). Reload the page.",
                name=name,
                detail=str(error),
            )
        ) from None


def name_of(command: Command) -> str:
    """The ``do`` by which the page named the command."""
    return str(type(command).__struct_config__.tag)
