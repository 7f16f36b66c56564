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
_Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
_Letters = Annotated[str, msgspec.Meta(max_length=4)]
_Phase = Literal["play", "fill", "pop", "put", "bomb", "wall", "x2"]


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


class Move(_Strict, tag="move"):
    """Make a move without a finger on the board, as a record writes it: ``d4``, ``p4``, ``a4``, ``claim``."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=12)]


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


class Consider(_Strict, tag="consider"):
    """What a position would be: who would have to do what, and what in it is impossible. Nothing changes.

    ``grid`` is as in `Correct`. What is left out or null, of the step that is waited for and of what the sides have
    beside the board (pairs, red's first), stays as it is believed to be.
    """

    grid: _Grid
    turn: Literal["red", "yellow"]
    phase: _Phase | None = None
    kept: tuple[_Count, _Count] | None = None
    source: _Count | None = None
    powers: tuple[_Letters, _Letters] | None = None
    hands: tuple[_Count, _Count] | None = None


class SetUp(Consider, tag="set-up"):
    """Go on from that position."""


class Repaired(_Strict, tag="repaired"):
    """Everything is on the board as it should be now."""


class Invite(_Strict, tag="invite"):
    """Show a code with which a device on the network may play that side."""

    side: Literal["red", "yellow"]


class PutOut(_Strict, tag="put-out"):
    """Let the device of that number play no more."""

    id: Annotated[int, msgspec.Meta(ge=1)]


class Enter(_Strict, tag="enter"):
    """Ask to play, with the code that the board shows."""

    code: Annotated[str, msgspec.Meta(pattern="^[0-9]{6}$")]


class Return(_Strict, tag="return"):
    """Ask to play on, with the token that was given for the code."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


Entrance = Invite | PutOut | Enter | Return
"""What is asked of the entrance to the game, and not of the table."""

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
    | Move
    | Menu
    | Look
    | Correct
    | Adopt
    | Consider
    | SetUp
    | Repaired
)

COMMANDS: dict[str, type[Command | Entrance]] = {
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
    "move": Move,
    "menu": Menu,
    "look": Look,
    "correct": Correct,
    "adopt": Adopt,
    "consider": Consider,
    "set-up": SetUp,
    "repaired": Repaired,
    "invite": Invite,
    "put-out": PutOut,
    "enter": Enter,
    "return": Return,
}


def read_command(text: str) -> Command | Entrance:
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


def name_of(command: Command | Entrance) -> str:
    """The ``do`` by which the page named the command."""
    return str(type(command).__struct_config__.tag)
