"""What the test of the wiring asks a person at the board, and what can come of a question. Values only."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from popout.board.frame import Frame
from popout.rules.messages import Message, excerpt

NOTHING = ""
"""What somebody types for "nothing": only the Enter key."""


@dataclass(frozen=True, slots=True)
class Paces:
    """How long is listened, in milliseconds.

    :ivar rest_ms: while nothing is to be touched.
    :ivar blink_ms: from one picture to the next while the lamps blink.
    :ivar settle_ms: after the last change of a switch, until what was pressed is certain.
    :ivar bar_settle_ms: the same for a bar, which is moved slowly.
    :ivar held_ms: a switch that is down for so long does not come up by itself.
    :ivar patience_ms: until a press that has not come is taken for one that does nothing.
    """

    rest_ms: float = 3000
    blink_ms: float = 250
    settle_ms: float = 60
    bar_settle_ms: float = 400
    held_ms: float = 10_000
    patience_ms: float = 60_000


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is to be touched."""


@dataclass(frozen=True, slots=True)
class Tap:
    """A switch is to be pressed and let go.

    :ivar resting: the level of every switch while nobody touches it; a change from it is what a hand does.
    :ivar ignored: switches that change by themselves.
    :ivar patient: whether it is waited for as long as it takes.
    """

    resting: Mapping[str, bool]
    ignored: frozenset[str]
    patient: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """A switch is to be moved and stays as it is put: the bar is opened, or with `back` closed again."""

    resting: Mapping[str, bool]
    ignored: frozenset[str]
    back: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """Something is to be typed."""


Wanted = Rest | Tap | Move | Word


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that is asked for.

    :ivar say: what the person is told. :ivar wants: what is waited for; a tap or a move can be answered by a word too.
    :ivar frames: the light meanwhile; several are shown in turn.
    """

    say: tuple[Message, ...]
    wants: Wanted
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Flutter:
    """What a switch did by itself: how often it changed, and how long it was away from its level at the longest."""

    changes: int
    longest_ms: float


@dataclass(frozen=True, slots=True)
class Rested:
    """Nothing was touched.

    :ivar levels: the level that each switch had most of the time. :ivar fluttering: those that changed meanwhile.
    """

    levels: Mapping[str, bool]
    fluttering: Mapping[str, Flutter]


@dataclass(frozen=True, slots=True)
class Touched:
    """A hand did something.

    :ivar switches: those that left their resting level, the first one first.
    :ivar away: those that are still away from it.
    :ivar bounce_ms: the longest bounce of each.
    :ivar chattering: those that changed far too often.
    """

    switches: tuple[str, ...]
    away: frozenset[str]
    bounce_ms: Mapping[str, float]
    chattering: frozenset[str]


@dataclass(frozen=True, slots=True)
class Typed:
    """A line was typed, in small letters and without spaces around it."""

    text: str


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing came for a long time."""


Reply = Rested | Touched | Typed | Silence

_Found = TypeVar("_Found")
Script = Generator[Question, Reply, _Found]
"""A part of the test: it yields questions, is sent the replies, and returns what it found out."""


def ask(question: Question, understand: Callable[[Reply], _Found | None]) -> Script[_Found]:
    """Ask until `understand` makes something of the reply; None says that it is no answer to this question."""
    reply = yield question
    while (found := understand(reply)) is None:
        say = question.say
        if reply == Typed(NOTHING):
            say = (Message("The Enter key alone is no answer to this."), *say)
        elif isinstance(reply, Typed):
            say = (Message("“{text}” is no answer to this.", text=excerpt(reply.text)), *say)
        elif isinstance(reply, Touched):
            say = (Message("What that press means is not known here. Type the answer."), *say)
        reply = yield replace(question, say=say)
    return found


def ask_word(say: tuple[Message, ...], frame: Frame, words: str) -> Script[str]:
    """Ask for one of the letters of `words`; a space among them stands for the Enter key alone."""

    def understand(reply: Reply) -> str | None:
        if not isinstance(reply, Typed):
            return None
        letter = reply.text[:1] or " "
        return letter if letter in words and len(reply.text) <= 1 else None

    return (yield from ask(Question(say, Word(), (frame,)), understand))
