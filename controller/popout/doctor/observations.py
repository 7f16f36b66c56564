"""What was seen in the test of a board's wiring, before anything is concluded from it. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from popout.board.chain import Chain, Place
from popout.doctor.asking import Flutter


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying one switch.

    Switches are named as the layout names the pins that answered: if the wires of columns 1 and 2 are exchanged, then
    trying ``column 1`` gives the answer ``column 2``.

    :ivar answers: what answered; empty if nothing did, more than one if several did at once.
    :ivar closed: the level, as the layout reads it, that the answer had while a hand was on the switch; None if it did
        not come back afterwards, so that nobody can say which level is which.
    :ivar sure: False if each try gave something else.
    :ivar stays: whether it did not come back after it was let go.
    """

    answers: frozenset[str] = frozenset()
    closed: bool | None = None
    sure: bool = True
    stays: bool = False
    chatters: bool = False
    bounce_ms: float = 0.0

    @property
    def answer(self) -> str | None:
        """The one switch that surely answered; None if there is no such."""
        return next(iter(self.answers)) if self.sure and len(self.answers) == 1 else None


@dataclass(slots=True)
class SwitchesSeen:
    """What was seen of the switches.

    :ivar resting: their levels while nobody touched them. :ivar fluttering: those that changed meanwhile.
    :ivar disturbed: those that changed only while the lamps blinked.
    :ivar trials: what came of trying each, in the order in which they were tried.
    """

    resting: Mapping[str, bool] = field(default_factory=dict)
    fluttering: Mapping[str, Flutter] = field(default_factory=dict)
    disturbed: Mapping[str, Flutter] = field(default_factory=dict)
    trials: dict[str, Trial] = field(default_factory=dict)

    def place_of(self, answer: str) -> str | None:
        """The switch under the hand when `answer` answers; None if that is not known."""
        found = [switch for switch, trial in self.trials.items() if trial.answer == answer]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class LampSeen:
    """One lamp was lit alone.

    :ivar index: which one on the wire, from 0 at the pin. :ivar seen: where the light was; None if there was none.
    """

    index: int
    seen: Place | None


@dataclass(slots=True)
class LampsSeen:
    """What was seen of a chain of lamps.

    :ivar light: whether any lamp lit at all.
    :ivar orders: the orders of colours that explain what was seen, of all that there are (`popout.doctor.colours`);
        empty if none does.
    :ivar dark: the lamps that stay dark while all should be lit, by their places.
    :ivar reach: how many lamps from the pin on were found to light, if the rest is dark; None if that was no question.
    :ivar answers: the lamps that were lit alone.
    :ivar chains: the descriptions that explain these, each of another course of the wire; empty if none does.
    :ivar confirmed: whether a whole picture looked as the only description says.
    """

    light: bool = True
    orders: tuple[str, ...] = ()
    dark: frozenset[Place] = frozenset()
    reach: int | None = None
    answers: list[LampSeen] = field(default_factory=list)
    chains: tuple[Chain, ...] = ()
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class LedsSeen:
    """What was seen of two plain LEDs: ``r``, ``y``, ``b`` (both) or ``n`` (none).

    :ivar dark: with both off. :ivar red: with only red's on. :ivar yellow: with only yellow's on.
    """

    dark: str
    red: str
    yellow: str


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was seen; of what the board does not have, None."""

    switches: SwitchesSeen
    lamps: LampsSeen | None
    leds: LedsSeen | None
