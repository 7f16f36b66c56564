"""Somebody at a board whose wiring is not what the layout says: reads the questions, presses, looks, and answers.

The person knows only what a person can know: where the buttons are, and where there is light in which colour. What
that does to the program goes through the real wiring (`Bench`): the pins of the real layout, its levels, the real
order of the lamps and of their colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from popout.board.chain import CellPlace, ColumnPlace, Place, TurnPlace, light
from popout.board.contacts import Level, other
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent, column_switch, drop_sensor, pop_sensor, second_row_switch
from popout.doctor.asking import Paces, Question, Rest
from popout.doctor.diagnosis import Diagnosis, judge
from popout.doctor.examination import Examination
from popout.doctor.observations import Seen
from popout_sim.contacts import PERFECT, Contact, Contacts

COLOURS = {"r": 0xFF0000, "g": 0x00FF00, "b": 0x0000FF}


@dataclass
class Bench:
    """A board on the bench: what the layout says of it, how it is really wired, and what is broken.

    :ivar dead: switches that never close. :ivar stuck: those that are always closed.
    :ivar joined: pairs of which each closes the other too. :ivar floating: those whose wire holds no level at rest.
    :ivar dark: lamps that pass on their data and do not light. :ivar reach: so many lamps get data at all.
    """

    told: Layout
    real: Layout
    dead: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)
    joined: list[tuple[str, str]] = field(default_factory=list)
    floating: set[str] = field(default_factory=set)
    disturbed: set[str] = field(default_factory=set)
    noise_ms: dict[str, float] = field(default_factory=dict)
    dark: set[Place] = field(default_factory=set)
    reach: int | None = None
    dead_leds: str = ""
    contact: Contact = PERFECT

    def levels(self, pressed: Iterable[str] = ()) -> dict[str, bool]:
        """What the program reads of its switches while a hand is on some of the board's."""
        closed = set(pressed) - self.dead | self.stuck
        closed |= {b for a, b in self.joined if a in closed} | {a for a, b in self.joined if b in closed}
        raw: dict[str, Level] = {
            pin: self.real.closed_level(switch) if switch in closed else other(self.real.closed_level(switch))
            for switch, pin in self.real.switches.items()
        }
        at_rest: Level = "low" if self.told.pull == "down" else "high"
        return {
            switch: raw.get(pin, at_rest) == self.told.closed_level(switch)
            for switch, pin in self.told.switches.items()
        }

    def lit(self, frame: Frame) -> dict[Place, str]:
        """The lamps that give light, by where they really are, each with the letters of its colours."""
        found = {}
        if self.told.chain is not None and self.real.chain is not None:
            sent = [byte for place in self.told.places for byte in _bytes(light(frame, place), self.told.chain.order)]
            order = self.real.chain.order
            for number, place in enumerate(self.real.places):
                taken = sent[number * len(order) : (number + 1) * len(order)]
                if place in self.dark or len(taken) < len(order) or (self.reach is not None and number >= self.reach):
                    continue
                if any(taken):
                    found[place] = "".join(letter for letter, byte in zip(order, taken, strict=True) if byte)
        if self.told.leds is not None and self.real.leds is not None:
            on = {self.told.leds.red: bool(frame.turns[0]), self.told.leds.yellow: bool(frame.turns[1])}
            for side, pin in (("red", self.real.leds.red), ("yellow", self.real.leds.yellow)):
                level = self.told.leds.lit if on[pin] else other(self.told.leds.lit)
                if level == self.real.leds.lit and side[0] not in self.dead_leds:
                    found[TurnPlace(side)] = "w"
        return found

    def edges(self, before: dict[str, bool], after: dict[str, bool], now: float) -> list[SwitchEvent]:
        """The edges, bounces and all, when the levels change so."""
        contacts = Contacts(self.contact, seed=round(now))
        changed = [switch for switch in before if before[switch] != after[switch]]
        edges = [edge for switch in changed for edge in contacts.edges(switch, after[switch], now)]
        return sorted(edges, key=lambda edge: edge.time)


def _bytes(colour: int, order: str) -> list[int]:
    values = {"r": colour >> 16, "g": colour >> 8 & 255, "b": colour & 255, "w": 0}
    return [values[letter] for letter in order]


_PRESS = (
    (r"the button of column (\d+)", column_switch),
    (r"the lever of column (\d+)", column_switch),
    (r"yellow's button of column (\d+)", second_row_switch),
    (r"a disc into column (\d+)", drop_sensor),
    (r"under the bar at column (\d+)", pop_sensor),
)


@dataclass
class Person:
    """Reads the questions and does what they say.

    :ivar by_hand: whether columns are named by pressing them where that works; else they are typed.
    :ivar named: lamps that were already said to be dark.
    :ivar said: every sentence that was read.
    """

    bench: Bench
    by_hand: bool = True
    named: set[Place] = field(default_factory=set)
    said: list[str] = field(default_factory=list)
    row: str = ""
    typed: str = ""

    def act(self, question: Question, frame: Frame) -> tuple[str, str]:
        """What the person does: ``tap``, ``open``, ``close``, ``type`` or ``wait``, and with what."""
        text = " ".join(map(str, question.say))
        self.said += map(str, question.say)
        if isinstance(question.wants, Rest):
            return "wait", ""
        if "Take all discs out" in text:
            return "type", ""
        lit = self.bench.lit(frame)
        if "Which turn lamp is lit" in text:
            turns = sorted(place.side[0] for place in lit if isinstance(place, TurnPlace))
            return "type", {"": "n", "r": "r", "y": "y", "ry": "b"}["".join(turns)]
        if "Which colour has it" in text:
            colours = list(lit.values())
            return "type", "n" if not colours else colours[0] if len(colours) == 1 and len(colours[0]) == 1 else "m"
        if "Is there light in any of them" in text or "One lamp should be lit now. Is it?" in text:
            return "type", "y" if lit else "n"
        if "All lamps should be lit now. Type Enter" in text or "Is another one dark" in text:
            dark = [place for place in self.bench.real.places if place not in lit]
            if len(dark) > 4:
                return "type", "m"
            return self._name(next((place for place in dark if place not in self.named), None))
        if "One lamp is lit now. Say where" in text:
            assert len(lit) <= 1
            return self._name(next(iter(lit), None))
        if "in which row" in text:
            return "type", self.row
        if "Now only these lamps should be lit" in text:
            return "type", "y" if set(lit) == set(self._picture(text)) - self.bench.dark - self._unreached() else "n"
        for pattern, switch in _PRESS:
            if found := re.search(pattern, text):
                return "tap", switch(int(found[1]))
        for words, action in (
            ("Open the bar", ("open", "bar")),
            ("Close the bar", ("close", "bar")),
            ("Press the menu button", ("tap", "menu")),
            ("Press the take-back button", ("tap", "take back")),
        ):
            if words in text:
                return action
        if found := re.search(r"power disc “(\w+)”", text):
            return "tap", found[1]
        raise AssertionError(text)

    def _name(self, place: Place | None) -> tuple[str, str]:
        if place is None:
            return "type", ""
        self.named.add(place)
        if isinstance(place, TurnPlace):
            return "type", place.side[0]
        self.row = str(place.row if isinstance(place, CellPlace) else 0)
        self.typed = f"{place.column} {self.row}"
        button = column_switch(place.column)
        broken = self.bench.dead | self.bench.stuck | {each for pair in self.bench.joined for each in pair}
        if self.by_hand and button not in broken | self.bench.floating:
            return "tap", button
        return "type", self.typed

    def _picture(self, text: str) -> Iterator[Place]:
        if "all cells of column 1" in text:
            yield from (place for place in self.bench.real.places if isinstance(place, CellPlace) and 1 in place)
        if "the lamp at the button of column 1" in text:
            yield ColumnPlace(1)
        if "red's turn lamp" in text:
            yield TurnPlace("red")

    def _unreached(self) -> set[Place]:
        return set() if self.bench.reach is None else set(self.bench.real.places[self.bench.reach :])


def sit_down(bench: Bench, *, by_hand: bool = True, person: Person | None = None, bar_open: bool = False) -> Diagnosis:
    """Let a person go through the whole test of a board, on a clock that costs no time; what it comes to.

    With `bar_open` the person does not close the bar at first, and moves it there and back when it is to be opened.
    """
    return judge(bench.told, go_through(person or Person(bench, by_hand), bar_open=bar_open))


def go_through(person: Person, *, bar_open: bool = False) -> Seen:
    """The same; what was seen."""
    bench = person.bench
    now = 1000.0
    levels = bench.levels({"bar"} if bar_open else ())
    examination = Examination(bench.told, levels, now, Paces())
    for _ in range(1000):
        question = examination.question
        if question is None:
            assert examination.seen is not None
            return examination.seen
        frame = examination.frame(now)
        assert frame is not None
        what, which = person.act(question, frame)
        if what == "type":
            examination.typed(which, now + 500)
            now += 500
            continue
        if what == "wait":
            if "Close the bar, and" in str(question.say[0]):
                levels = bench.levels()
                for edge in bench.edges(bench.levels({"bar"}), levels, now + 10):
                    examination.edge(edge)
            for edge in _by_themselves(bench, question, levels, now):
                examination.edge(edge)
        elif what == "tap":
            pressed = {
                switch: bench.levels({which})[switch] ^ bench.levels()[switch] ^ levels[switch] for switch in levels
            }
            for edge in bench.edges(levels, pressed, now + 700) + bench.edges(pressed, levels, now + 850):
                examination.edge(edge)
            now += 900
        else:
            after = bench.levels({which} if what == "open" else ())
            if after == levels and what == "open" and bar_open:
                for edge in bench.edges(levels, bench.levels(), now + 300):
                    examination.edge(edge)
                levels = bench.levels()
            for edge in bench.edges(levels, after, now + 700):
                examination.edge(edge)
            levels = after
            now += 750
        while examination.question is question:
            due = examination.due(now)
            if due is None:  # nothing came of pressing the button of that column
                examination.typed(person.typed, now)
                break
            assert due > now, "it would be asked for ever"
            now = due
            examination.tick(now, levels)
    raise AssertionError("the test does not end")


def _by_themselves(bench: Bench, question: Question, levels: dict[str, bool], now: float) -> list[SwitchEvent]:
    edges = []
    blinking = len(question.frames) > 1
    for switch in bench.floating | (bench.disturbed if blinking else set()):
        for number in range(40 if switch in bench.floating else 6):
            edges.append(SwitchEvent(switch, levels[switch] == (number % 2 == 1), now + 20 + 25 * number))
    for switch, length in bench.noise_ms.items():
        edges += [SwitchEvent(switch, not levels[switch], now + 100)]
        edges += [SwitchEvent(switch, levels[switch], now + 100 + length)]
    return sorted(edges, key=lambda edge: edge.time)
