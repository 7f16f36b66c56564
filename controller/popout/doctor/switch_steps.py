"""The part of the test that is about switches: first nothing is touched, then each switch is tried.

The lamps stay dark while switches are tried, and only words say which: a lamp may be somewhere else than the layout
says, and a hand that follows it would make two faults look like none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from popout.board.frame import Colour, Frame
from popout.board.layout import Layout
from popout.board.switches import BAR, MENU, POWERS, TAKE_BACK, numbered
from popout.doctor.asking import (
    NOTHING,
    Flutter,
    Move,
    Question,
    Reply,
    Rest,
    Rested,
    Script,
    Silence,
    Tap,
    Touched,
    Typed,
    ask,
    ask_word,
)
from popout.doctor.observations import SwitchesSeen, Trial
from popout.rules.messages import N_, Message

GLOW: Colour = 0x303030
"""Light enough to be seen, and little current."""

FLOATS_FROM = 12
"""A switch that changes so often while nobody touches it cannot be listened to."""

_PRESS = N_(
    {
        "column": "Press the button of column {column}, counted from the left, and let it go.",
        "yellow column": "Press yellow's button of column {column}, counted from the left, and let it go.",
        "lever": "Press the lever of column {column}, counted from the left, with a finger, and let it go.",
        "drop sensor": "Drop a disc into column {column}, counted from the left.",
        "pop sensor": "Hold a finger for a moment into the beam under the bar at column {column}, counted from the "
        "left.",
        MENU: "Press the menu button and let it go.",
        TAKE_BACK: "Press the take-back button and let it go.",
        "power": "Press the button of the power disc “{power}” and let it go.",
    }
)


def rest(layout: Layout, seen: SwitchesSeen) -> Script[None]:
    """Find out what the switches do while nobody touches them, with the lamps dark and with the lamps blinking."""
    dark = Frame.dark(layout.columns, layout.rows)
    yield from ask_word(
        (Message("Take all discs out of the board, close the bar, take your hands off, and type Enter."),), dark, " "
    )
    first = yield from _keep_off(Message("Touch nothing until the next line."), (dark,))
    if first.fluttering:
        again = yield from _keep_off(
            Message("Something changed although nothing was to be touched. Once more: touch nothing."), (dark,)
        )
        kept = {switch: flutter for switch, flutter in again.fluttering.items() if switch in first.fluttering}
        first = replace(again, fluttering=kept)
    seen.resting, seen.fluttering = first.levels, first.fluttering
    if layout.chain is None:
        return
    blink = yield from _keep_off(Message("Now the lamps blink. Touch nothing until the next line."), _blinking(layout))
    seen.resting = blink.levels  # what a hand held down at first has been let go
    if blink.fluttering:
        again = yield from _keep_off(
            Message("Something changed while the lamps blinked. Once more: touch nothing."), _blinking(layout)
        )
        seen.disturbed = {
            switch: flutter
            for switch, flutter in again.fluttering.items()
            if switch in blink.fluttering and switch not in seen.fluttering
        }


def try_all(layout: Layout, seen: SwitchesSeen) -> Script[None]:
    """Try every switch, and once more those that have the same answer as another."""
    for switch in _in_turn(layout):
        seen.trials[switch] = yield from _try(layout, seen, switch)
    answers = Counter(trial.answer for trial in seen.trials.values())
    for switch, trial in list(seen.trials.items()):
        if trial.answer is not None and answers[trial.answer] > 1:
            seen.trials[switch] = yield from _try(layout, seen, switch, doubted=True)


def _in_turn(layout: Layout) -> list[str]:
    """All switches, in the order in which they are tried: the bar before what depends on it."""
    kinds = ("column", BAR, MENU, TAKE_BACK, "yellow column", *POWERS, "drop sensor", "pop sensor")
    return sorted(layout.switches, key=lambda switch: (kinds.index(_kind(switch)), numbered(switch) or ("", 0)))


def _kind(switch: str) -> str:
    return (numbered(switch) or (switch, 0))[0]


def _keep_off(say: Message, frames: tuple[Frame, ...]) -> Script[Rested]:
    def understand(reply: Reply) -> Rested | None:
        return reply if isinstance(reply, Rested) else None

    return (yield from ask(Question((say,), Rest(), frames), understand))


def _blinking(layout: Layout) -> tuple[Frame, Frame]:
    glowing = Frame(
        cells=((GLOW,) * layout.rows,) * layout.columns, columns=(GLOW,) * layout.columns, turns=(GLOW, GLOW)
    )
    return Frame.dark(layout.columns, layout.rows), glowing


def _try(layout: Layout, seen: SwitchesSeen, switch: str, *, doubted: bool = False) -> Script[Trial]:
    """Try one switch: once if all is as expected, else until two tries agree, and three times at the most.

    The Enter key, for a switch of which nothing comes, is a try too: one too many makes no switch dead.

    :param doubted: whether also what is expected must come twice.
    """
    earlier: list[Trial] = []
    what = _instruction(layout, switch)
    before: tuple[Message, ...] = ()
    if doubted:
        before = (Message("Two switches gave the same answer. Take care to press the right one."),)
    while True:
        reply = yield from _press(layout, seen, switch, (*before, what))
        trial = _trial(layout, seen, switch, reply)
        if trial.answers == {switch} and not doubted:
            return _with_faults_of(trial, earlier)
        if any(trial.answers == other.answers for other in earlier):
            return _with_faults_of(trial, earlier)
        earlier.append(trial)
        if len(earlier) == 3:
            return replace(_with_faults_of(trial, earlier), sure=False)
        before = (_once_more(trial, switch),)


def _with_faults_of(trial: Trial, earlier: list[Trial]) -> Trial:
    return replace(
        trial,
        bounce_ms=max(each.bounce_ms for each in (trial, *earlier)),
        chatters=any(each.chatters for each in (trial, *earlier)),
    )


def _once_more(trial: Trial, switch: str) -> Message:
    if not trial.answers:
        return Message("Nothing has come so far. Once more; or type Enter if nothing happens.")
    if len(trial.answers) > 1:
        return Message(
            "{count} switches answered at once: {switches}. Once more, and take care to touch nothing else.",
            count=len(trial.answers),
            switches=", ".join(f"“{answer}”" for answer in sorted(trial.answers)),
        )
    if trial.answers == {switch}:
        return Message("Once more, to be sure.")
    return Message(
        "The answer came from the wire of “{other}”. Once more, to be sure.", other=next(iter(trial.answers))
    )


def _instruction(layout: Layout, switch: str) -> Message:
    kind, column = numbered(switch) or (switch, 0)
    if kind == BAR:
        return Message("Open the bar.")
    if kind in POWERS:
        return Message(_PRESS["power"], power=kind)
    if kind in ("column", "yellow column") and layout.actuation == "disc":
        kind = "lever"
    return Message(_PRESS[kind], column=column) if column else Message(_PRESS[kind])


def _press(layout: Layout, seen: SwitchesSeen, switch: str, say: tuple[Message, ...]) -> Script[Reply]:
    """One try. A bar is opened, and closed again if something came of that."""
    dark = (Frame.dark(layout.columns, layout.rows),)
    ignored = unreliable(seen)

    def asked(wants: Tap | Move, say: tuple[Message, ...]) -> Script[Reply]:
        return ask(Question(say, wants, dark), _if_it_is_of_a_hand)

    if switch != BAR:
        return (yield from asked(Tap(seen.resting, ignored), say))
    opened = yield from asked(Move(seen.resting, ignored), say)
    if isinstance(opened, Touched) and not opened.away:
        # It was moved and moved back, so it was probably open from the beginning.
        closed_now = Message("Close the bar, and touch nothing until the next line.")
        seen.resting = (yield from _keep_off(closed_now, dark)).levels
        opened = yield from asked(Move(seen.resting, ignored), say)
    if isinstance(opened, Touched) and opened.away:
        closed = yield from asked(Move(seen.resting, ignored, back=True), (Message("Close the bar."),))
        away = closed.away if isinstance(closed, Touched) else opened.away
        return replace(opened, away=away)
    return opened


def _if_it_is_of_a_hand(reply: Reply) -> Reply | None:
    """The reply, if it tells what a hand did, or that nothing came of it."""
    return reply if isinstance(reply, Touched | Silence) or reply == Typed(NOTHING) else None


def unreliable(seen: SwitchesSeen) -> frozenset[str]:
    """The switches that change by themselves so often that nothing can be read from them."""
    return frozenset(switch for switch, flutter in seen.fluttering.items() if floats(flutter))


def floats(flutter: Flutter) -> bool:
    """Whether a switch that did so floats: more than noise."""
    return flutter.changes >= FLOATS_FROM


def _trial(layout: Layout, seen: SwitchesSeen, switch: str, reply: Reply) -> Trial:
    if not isinstance(reply, Touched):
        return Trial()
    answers = _of_this_hand(layout, seen, switch, frozenset(reply.switches))
    first = next(answer for answer in reply.switches if answer in answers)
    return Trial(
        answers=answers,
        closed=None if answers & reply.away else not seen.resting[first],
        stays=bool(answers & reply.away),
        chatters=bool(answers & reply.chattering),
        bounce_ms=max(reply.bounce_ms.get(answer, 0.0) for answer in answers),
    )


def _of_this_hand(layout: Layout, seen: SwitchesSeen, switch: str, answers: frozenset[str]) -> frozenset[str]:
    """The answers without those that a disc or a finger on its way gives besides: levers and beams of a column."""
    beams = {"drop sensor", "pop sensor"}
    kind = _kind(switch)
    if kind in beams:
        besides = beams - {kind} | ({"column", "yellow column"} if layout.actuation == "disc" else set())
    elif kind == BAR or layout.actuation == "disc":
        besides = beams
    else:
        return answers
    known = {trial.answer for other, trial in seen.trials.items() if other != switch and _kind(other) in besides}
    left = answers - known
    if len(left) > 1:
        left -= {answer for answer in left if _kind(answer) in besides}
    return left or answers
