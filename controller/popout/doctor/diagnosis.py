"""What the whole test of the wiring means: findings, and the edits that put the layout right. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from popout.board.layout import Layout
from popout.doctor.contact_diagnosis import Times
from popout.doctor.edits import Edits
from popout.doctor.finding import Finding
from popout.doctor.lamp_diagnosis import LampVerdict, judge_chain, judge_leds
from popout.doctor.observations import Seen
from popout.doctor.switch_diagnosis import judge_switches


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is the matter with a board.

    :ivar findings: what is right and what is wrong, the switches first.
    :ivar edits: what the layout must say otherwise; empty where the answers do not tell.
    """

    findings: tuple[Finding, ...]
    edits: Edits

    @property
    def all_right(self) -> bool:
        """Whether nothing is wrong."""
        return all(finding.severity != "problem" for finding in self.findings)


def judge(layout: Layout, seen: Seen, times: Times | None = None) -> Diagnosis:
    """What was seen, understood."""
    switches = judge_switches(layout, seen.switches, times or Times())
    lamps = LampVerdict()
    if layout.chain is not None and seen.lamps is not None:
        judge_chain(layout, layout.chain, seen.lamps, lamps)
    if layout.leds is not None and seen.leds is not None:
        judge_leds(layout.leds, seen.leds, lamps)
    return Diagnosis(
        findings=(*switches.findings, *lamps.findings),
        edits=Edits(
            pins=switches.pins,
            closed=switches.closed,
            inverted=switches.inverted,
            order=lamps.order,
            parts=lamps.parts,
            leds=lamps.leds,
        ),
    )
