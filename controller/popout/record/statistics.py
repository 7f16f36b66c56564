"""What became of many games: who won how often, how long they took. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from statistics import median

from popout.record.journal import LATEST
from popout.rules import RED, RuleSet, RuleSetError, Side

OTHER_GAME = ""
"""The kind of a game whose rules this program does not know."""

GameFacts = tuple[str, float, int, float | None, str | None]
"""A game's rules as text, when it began (in seconds since 1970), its moves, its seconds and its outcome as a text."""


@dataclass(frozen=True, slots=True)
class Results:
    """How often which side won.

    :ivar games: how many games there are, also those without an end.
    :ivar starter: how often the side won that had the first move; `follower` the other side.
    """

    games: int
    red: int
    yellow: int
    drawn: int
    unfinished: int
    starter: int
    follower: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The shortest, the middle and the longest of so many, in seconds or in moves."""

    count: int
    shortest: float
    median: float
    longest: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What became of all games of a record.

    :ivar total: of all games. :ivar kinds: of each game (its name in records), the one most played first.
    :ivar seconds: how long games took from the first move to the end; None without one whose time is known.
    :ivar moves: how many moves the games have that ended; None without one.
    :ivar days: how many games began on each local day, without the days that have none; `weeks` for each week by its
        Monday, those without a game in between included, so that it can be drawn.
    """

    total: Results
    kinds: tuple[tuple[str, Results], ...]
    seconds: Spread | None
    moves: Spread | None
    days: tuple[tuple[date, int], ...]
    weeks: tuple[tuple[date, int], ...]


def statistics_of(games: Iterable[GameFacts]) -> Statistics:
    """The statistics of these games."""
    ends: defaultdict[str, Counter[tuple[Side | None, str]]] = defaultdict(Counter)
    seconds: list[float] = []
    moves: list[float] = []
    days: Counter[date] = Counter()
    for rules, began, length, took, outcome in games:
        kind, first = _kind_and_first(rules)
        ends[kind][first, outcome.partition(" ")[0] if outcome else ""] += 1
        if outcome:
            moves.append(length)
        if took is not None:
            seconds.append(took)
        if 0 <= began < LATEST:
            days[datetime.fromtimestamp(began).date()] += 1
    everything = sum(ends.values(), Counter[tuple[Side | None, str]]())
    kinds = [(kind, _results(counted)) for kind, counted in ends.items()]
    return Statistics(
        _results(everything),
        tuple(sorted(kinds, key=lambda each: -each[1].games)),
        _spread(seconds),
        _spread(moves),
        tuple(sorted(days.items())),
        _weeks(days),
    )


def _results(ends: Counter[tuple[Side | None, str]]) -> Results:
    won = {side: sum(count for (_, end), count in ends.items() if end == side.value) for side in Side}
    starter = sum(count for (first, end), count in ends.items() if first and end == first.value)
    follower = sum(count for (first, end), count in ends.items() if first and end == first.other.value)
    drawn = sum(count for (_, end), count in ends.items() if end == "draw")
    unfinished = sum(count for (_, end), count in ends.items() if not end)
    return Results(ends.total(), won[RED], won[RED.other], drawn, unfinished, starter, follower)


def _spread(values: list[float]) -> Spread | None:
    return Spread(len(values), min(values), median(values), max(values)) if values else None


def _weeks(days: Counter[date]) -> tuple[tuple[date, int], ...]:
    counted: Counter[date] = Counter()
    for day, count in days.items():
        counted[day - timedelta(days=day.weekday())] += count
    if not counted:
        return ()
    first, last = min(counted), max(counted)
    weeks = (first + timedelta(weeks=number) for number in range((last - first).days // 7 + 1))
    return tuple((week, counted[week]) for week in weeks)


@cache
def _kind_and_first(rules: str) -> tuple[str, Side | None]:
    """The game that a rule set is of, and the side that begins; without the latter if nobody can say."""
    try:
        ruleset = RuleSet.parse(rules)
    except RuleSetError:
        return OTHER_GAME, None
    return ruleset.game, ruleset.starter
