"""What a position has beside its discs and its side to move, as the words after them: ``phase=put kept=3,2 from=4``.

Numbers and power discs come in pairs, red's first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from popout.rules.errors import SetupError
from popout.rules.messages import Message, excerpt
from popout.rules.moves import PowerDisc
from popout.rules.phases import Phase
from popout.rules.pop10 import Pop10
from popout.rules.position import Position
from popout.rules.power import FOLLOWING, PowerUp
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side

_NUMBERS = re.compile(r"([0-9]{1,9}),([0-9]{1,9})")
_POWERS = re.compile(r"([abwx]*),([abwx]*)")


class PowerDiscAtWork(SetupError):
    """A power disc is at work and said to be left, too."""

    code = "power-disc-at-work"


class NotInThisGame(SetupError):
    """The position says something that its game does not have."""

    code = "not-in-this-game"


@dataclass(frozen=True, slots=True)
class Beside:
    """What may be said beside the discs; None where it is not said.

    :ivar hands: discs in hand. :ivar phase: the step that is waited for. :ivar kept: Pop 10: discs kept.
    :ivar source: Pop 10: the column from which the disc to be put back came. :ivar powers: Power Up: the discs left.
    """

    hands: tuple[int, int] | None = None
    phase: Phase | None = None
    kept: tuple[int, int] | None = None
    source: int | None = None
    powers: tuple[frozenset[PowerDisc], frozenset[PowerDisc]] | None = None


def read_beside(words: list[str]) -> Beside | str:
    """What the words say, or the first word that cannot be read."""
    said: dict[str, object] = {}
    for word in words:
        name, _, value = word.lower().partition("=")
        read = _read(name, value)
        if read is None or name in said:
            return word
        said[name] = read
    if "from" in said:
        said["source"] = said.pop("from")
    return Beside(**said)  # type: ignore[arg-type]


def write_beside(position: Position) -> list[str]:
    """The words that `read_beside` reads as what `position` has beside its discs."""
    words = []
    if position.hands is not None:
        words.append(f"hands={position.in_hand(RED)},{position.in_hand(YELLOW)}")
    if position.extra is not None and position.phase is not Phase.PLAY:
        words.append(f"phase={position.phase.value}")
    match position.extra:
        case Pop10():
            words.append(f"kept={position.kept(RED)},{position.kept(YELLOW)}")
            if position.extra.source:
                words.append(f"from={position.extra.source}")
        case PowerUp():
            left = (_letters(position.powers_left(side)) for side in (RED, YELLOW))
            words.append(f"powers={','.join(left)}")
    return words


def extra_of(rules: RuleSet, beside: Beside, turn: Side, *, full: bool) -> Pop10 | PowerUp | None:
    """What `Position.extra` is for what was said; `full` says whether the grid is.

    :raises NotInThisGame: the game has no such thing. :raises PowerDiscAtWork: see there.
    """
    _check(rules, beside)
    if rules.keeps:
        kept = beside.kept or (0, 0)
        # Any full grid may be the start of the pops; a grid with free cells and no discs kept is being filled.
        phase = beside.phase or (Phase.POP if full or any(kept) else Phase.FILL)
        extra = Pop10(phase, *kept, beside.source or 0)
        return extra if turn is RED else extra._replace(kept=kept[1], kept_other=kept[0])
    if rules.power_discs:
        phase = beside.phase or Phase.PLAY
        at_work = frozenset({disc for disc, following in FOLLOWING.items() if following is phase})
        if beside.powers is None:
            return PowerUp(rules.power_discs - at_work, rules.power_discs, phase)
        own, other = beside.powers if turn is RED else beside.powers[::-1]
        if own & at_work:
            raise PowerDiscAtWork(
                Message(
                    'With "phase={phase}" the side to move has just played a power disc. '
                    'Leave "{disc}" out of the power discs that it has left.',
                    phase=phase.value,
                    disc=_letters(at_work),
                )
            )
        return PowerUp(own, other, phase)
    return None


def _check(rules: RuleSet, beside: Beside) -> None:
    following = {phase for disc, phase in FOLLOWING.items() if disc in rules.power_discs}
    phases = {Phase.FILL, Phase.POP, Phase.PUT} if rules.keeps else {Phase.PLAY} | following
    if beside.phase is not None and beside.phase not in phases:
        raise NotInThisGame(
            Message('By these rules a game never waits for "phase={phase}". Leave it out.', phase=beside.phase.value)
        )
    for name, said, there in (
        ("hands", beside.hands, not rules.keeps),
        ("kept", beside.kept, rules.keeps),
        ("from", beside.source, rules.keeps),
        ("powers", beside.powers, bool(rules.power_discs)),
    ):
        if said is not None and not there:
            raise NotInThisGame(
                Message('The game "{game}" has nothing called "{name}". Leave it out.', game=rules.game, name=name)
            )
    if (beside.phase is Phase.PUT) != (beside.source is not None):
        raise NotInThisGame(
            Message('"phase=put" and the column "from=4" that the disc came out of belong together. Write both.')
        )
    if beside.source is not None and beside.source not in rules.grid.slots:
        raise NotInThisGame(Message("No disc can come out of column {column}.", column=excerpt(beside.source)))
    for left in beside.powers or ():
        if not left <= rules.power_discs:
            raise NotInThisGame(
                Message(
                    "A side has a power disc that is not in this game. There are: {powers}.",
                    powers=_letters(rules.power_discs),
                )
            )


def _read(name: str, value: str) -> object | None:
    if name in ("hands", "kept"):
        numbers = _NUMBERS.fullmatch(value)
        return (int(numbers[1]), int(numbers[2])) if numbers else None
    if name == "powers":
        letters = _POWERS.fullmatch(value)
        return tuple(frozenset(map(PowerDisc, each)) for each in letters.groups()) if letters else None
    if name == "phase" and value in {phase.value for phase in Phase}:
        return Phase(value)
    if name == "from" and value.isascii() and value.isdecimal() and len(value) <= 2:
        return int(value)
    return None


def _letters(discs: frozenset[PowerDisc]) -> str:
    return "".join(disc.value for disc in PowerDisc if disc in discs)
