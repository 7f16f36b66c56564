"""What the test of the switches means: findings with their remedies, and the edits that the layout needs. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from popout.board.contacts import Level, crossing, other
from popout.board.layout import Layout
from popout.doctor.contact_diagnosis import Times, by_itself, contact, pin_of
from popout.doctor.edits import key_of
from popout.doctor.finding import Finding, Severity
from popout.doctor.observations import SwitchesSeen, Trial
from popout.doctor.switch_steps import floats
from popout.rules.messages import Message


@dataclass(slots=True)
class SwitchVerdict:
    """What is the matter with the switches, and what the layout should say of them; see `popout.doctor.edits`."""

    findings: list[Finding] = field(default_factory=list)
    pins: dict[str, str] = field(default_factory=dict)
    closed: Level | None = None
    inverted: frozenset[str] | None = None

    def add(self, severity: Severity, code: str, text: Message) -> None:
        """Note a finding."""
        self.findings.append(Finding(severity, code, text, area="pins"))


def judge_switches(layout: Layout, seen: SwitchesSeen, times: Times) -> SwitchVerdict:
    """What was seen of the switches, understood."""
    verdict = SwitchVerdict()
    for switch, flutter in seen.fluttering.items():
        verdict.findings.append(by_itself(layout, switch, flutter, times))
    for switch in seen.disturbed:
        verdict.add(
            "problem",
            "lamps-disturb-switch",
            Message(
                "“{switch}” ({pin}) changes when the lamps switch. Lead its wire away from those of the lamps, give "
                "the lamps a ground wire of their own, and put 100 nF from the pin to ground.",
                switch=switch,
                pin=pin_of(layout, switch),
            ),
        )
    known = _known(seen)
    for switch, trial in seen.trials.items():
        _tried(layout, seen, switch, trial, known, verdict)
        verdict.findings += contact(layout, switch, trial, times)
    if not any(trial.answers for trial in seen.trials.values()):
        verdict.findings = [found for found in verdict.findings if found.code != "switch-dead"]
        _nothing_at_all(layout, verdict)
    _places(layout, seen, known, verdict)
    _polarity(layout, seen, known, verdict)
    right = sum(answer == switch for switch, answer in known.items())
    if right:
        verdict.add(
            "fine",
            "switches-right",
            Message(
                "{count} switch has the pin that the layout says.",
                plural="{count} switches have the pins that the layout says.",
                count=right,
            ),
        )
    return verdict


def _known(seen: SwitchesSeen) -> dict[str, str]:
    """For each switch of which it is certain, the one whose pin it really has."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for switch, trial in seen.trials.items():
        if trial.answer is not None:
            found[trial.answer].append(switch)
    return {switches[0]: answer for answer, switches in found.items() if len(switches) == 1}


def _tried(
    layout: Layout,
    seen: SwitchesSeen,
    switch: str,
    trial: Trial,
    known: Mapping[str, str],
    verdict: SwitchVerdict,
) -> None:
    """What is wrong with what answered when a switch was tried."""
    pin = pin_of(layout, switch)
    if not trial.sure:
        verdict.add(
            "problem",
            "switch-unsure",
            Message("“{switch}” ({pin}): each try gave another answer. Run the test again.", switch=switch, pin=pin),
        )
    elif len(trial.answers) > 1:
        _several(layout, switch, trial, verdict)
    elif trial.answer is not None and switch not in known:
        same = [each for each, found in seen.trials.items() if found.answer == trial.answer and each != switch]
        verdict.add(
            "problem",
            "switches-joined",
            Message(
                "“{switch}” and {others} give the same answer, on {pin}: look where their wires touch.",
                switch=switch,
                others=", ".join(f"“{each}”" for each in same),
                pin=pin_of(layout, trial.answer),
            ),
        )
    elif not trial.answers and not (switch in seen.fluttering and floats(seen.fluttering[switch])):
        if seen.resting[switch] and switch not in known.values():
            verdict.add(
                "problem",
                "switch-stuck",
                Message(
                    "“{switch}” ({pin}) is closed while nobody touches it, and pressing it changes nothing. Free the "
                    "switch, look where its wire touches another, and see that it is wired to the contact that is open "
                    "at rest.",
                    switch=switch,
                    pin=pin,
                ),
            )
            return
        verdict.add(
            "problem",
            "switch-dead",
            Message(
                "Nothing comes of “{switch}”. Look for a loose wire between the switch, the pin {pin} and ground, and "
                "whether the wire is on that pin at all.",
                switch=switch,
                pin=pin,
            ),
        )


def _several(layout: Layout, switch: str, trial: Trial, verdict: SwitchVerdict) -> None:
    pins = ", ".join(sorted(pin_of(layout, answer) for answer in trial.answers))
    switches = ", ".join(f"“{answer}”" for answer in sorted(trial.answers))
    if layout.matrix is not None and not layout.matrix.diodes:
        text = Message(
            "One press of “{switch}” closes {switches} ({pins}). The matrix has no diodes, so that another closed "
            "switch of the same row and column makes ghosts: free those that are closed at rest, or add the diodes.",
            switch=switch,
            switches=switches,
            pins=pins,
        )
    else:
        text = Message(
            "One press of “{switch}” closes {switches} ({pins}). Look where their wires touch; in a matrix, for a "
            "diode that is missing or the wrong way round.",
            switch=switch,
            switches=switches,
            pins=pins,
        )
    verdict.add("problem", "switches-bridged", text)


def _nothing_at_all(layout: Layout, verdict: SwitchVerdict) -> None:
    if layout.closed == "low":
        text = Message(
            "No switch does anything. The layout expects that each connects its pin to ground: see that the ground is "
            'connected. If they connect to 3.3 V instead, write pull = "down" under [switches].'
        )
    else:
        text = Message(
            "No switch does anything. The layout expects that each connects its pin to 3.3 V: see that this is "
            'connected. If they connect to ground instead, write pull = "up" under [switches].'
        )
    verdict.add("problem", "no-switch-works", text)


def _places(layout: Layout, seen: SwitchesSeen, known: Mapping[str, str], verdict: SwitchVerdict) -> None:
    """Which switches are on another pin than the layout says, and what it should say."""
    moved = {switch: answer for switch, answer in known.items() if switch != answer}
    if not moved:
        return
    verdict.findings += [Finding("problem", code, text, area="pins") for code, text in _moved(layout, moved)]
    unknown = [switch for switch in seen.trials if switch not in known]
    homeless = [switch for switch in unknown if switch in known.values()]
    pins = {switch: layout.switches[answer] for switch, answer in moved.items()}
    if homeless and len(unknown) > 1:
        verdict.add(
            "problem",
            "pins-undecided",
            Message(
                "Which pins belong to {switches} cannot be told, since nothing certain comes of them. Put them right "
                "first and run the test again; until then the layout's pins stay as they are.",
                switches=", ".join(f"“{switch}”" for switch in unknown),
            ),
        )
        return
    if homeless:
        (switch,) = homeless
        (left,) = set(seen.trials) - set(known.values())
        pins[switch] = layout.switches[left]
        verdict.add(
            "advice",
            "pin-left-over",
            Message(
                "“{switch}” did nothing, and {pin} is the only pin that is left for it.",
                switch=switch,
                pin=pin_of(layout, left),
            ),
        )
    if all(layout.switches.values()):
        verdict.pins = pins


def _moved(layout: Layout, moved: Mapping[str, str]) -> Iterator[tuple[str, Message]]:
    """A sentence for each list that is the wrong way round, each pair that is exchanged, and each other switch."""
    told: set[str] = set()
    for kind in ("column", "yellow column", "drop sensor", "pop sensor"):
        row = [f"{kind} {column}" for column in range(1, layout.columns + 1)]
        turned = {switch: answer for switch, answer in zip(row, reversed(row), strict=True) if switch != answer}
        if len(turned) > 2 and turned.items() <= moved.items():
            told |= set(turned)
            text = Message(
                "The switches “{key}” are wired from right to left: “{first}” is on {pin}, where the layout has "
                "“{last}”.",
                key=key_of(row[0]),
                first=row[0],
                last=row[-1],
                pin=pin_of(layout, row[-1]),
            )
            yield "switches-reversed", text
    for switch, answer in moved.items():
        if switch in told:
            continue
        if moved.get(answer) == switch:
            told |= {switch, answer}
            text = Message(
                "“{switch}” and “{other}” are exchanged: their wires are on {pin} and {other_pin}.",
                switch=switch,
                other=answer,
                pin=pin_of(layout, answer),
                other_pin=pin_of(layout, switch),
            )
            yield "switches-exchanged", text
        else:
            text = Message(
                "“{switch}” is on {pin}, where the layout has “{other}”.",
                switch=switch,
                pin=pin_of(layout, answer),
                other=answer,
            )
            yield "switch-elsewhere", text


def _polarity(layout: Layout, seen: SwitchesSeen, known: Mapping[str, str], verdict: SwitchVerdict) -> None:
    """Which switches are open when the layout calls them closed."""
    levels: defaultdict[str, dict[str, Level]] = defaultdict(dict)
    for switch, answer in known.items():
        closed, level = seen.trials[switch].closed, layout.closed_level(answer)
        if closed is not None:
            levels[key_of(switch)][switch] = level if closed else other(level)
    keys = {key_of(switch) for switch in layout.switches}
    certain = {key: next(iter(found.values())) for key, found in levels.items() if len(set(found.values())) == 1}
    for key, found in levels.items():
        if key not in certain:
            wrong = [switch for switch, level in found.items() if level != layout.closed_level(switch)]
            verdict.add(
                "problem",
                "switch-mixed",
                Message(
                    "Of the switches “{key}”, some close when they are pressed and others open: {switches}. The "
                    "layout cannot say that; wire these to their other contact.",
                    key=key,
                    switches=", ".join(f"“{switch}”" for switch in wrong),
                ),
            )
    turned = sorted(
        key for key, level in certain.items() if any(layout.closed_level(switch) != level for switch in levels[key])
    )
    if not turned:
        return
    # The level is one of pins; at the crossings of a matrix there is none.
    on_pins = not any(crossing(pin) for pin in layout.switches.values())
    if len(turned) > 1 and set(turned) == keys and not layout.inverted and on_pins:
        verdict.closed = other(layout.closed)
        verdict.add(
            "problem",
            "level-inverted",
            Message(
                "All switches are closed at rest and open when they are pressed, as the layout reads them: a closed "
                "switch has the level “{level}”.",
                level=verdict.closed,
            ),
        )
        return
    now = {key_of(switch) for switch in layout.inverted}
    verdict.inverted = frozenset(now.symmetric_difference(turned))
    for key in turned:
        verdict.add(
            "problem",
            "switch-inverted",
            Message(
                "“{key}” is closed at rest and opens when it is used, as the layout reads it: it counts the other way "
                "round.",
                key=key,
            ),
        )
