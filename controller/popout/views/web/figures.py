"""What became of the games of a record, for the page: one game as a line of a list, all of them as numbers and bars.

Pure; times are seconds since 1970, and days are those of this computer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from popout.record.archive import Summary, statistics
from popout.record.journal import LATEST
from popout.record.statistics import OTHER_GAME, Results, Spread
from popout.rules import GAMES, Message, RuleSet, RuleSetError

Say = Callable[[Message], str]

RESULTS = ("red", "yellow", "draw", "unfinished")
"""What can become of a game, in the order of the parts of a bar."""

MOST_DAYS, MOST_WEEKS, MOST_MONTHS = 31, 53, 36
"""Games are shown by the day while there are no more days than that, then by the week, then by the newest months."""

MOST_LENGTHS = 16
_WIDTHS = (1, 2, 5)

_OTHER = Message("Another game")


def listed(game: Summary, say: Say) -> dict[str, Any]:
    """A game in the list: when it was, what was played, what became of it."""
    try:
        rules = RuleSet.parse(game.rules)
    except RuleSetError:
        title, size = say(_OTHER), None
    else:
        title, size = say(rules.title), [rules.columns, rules.rows]
    return {
        "number": game.number,
        "began": game.began if 0 <= game.began < LATEST else None,
        "seconds": game.seconds,
        "title": title,
        "size": size,
        "moves": game.moves,
        "result": result_of(game),
        "names": {side: game.names[side] for side in ("red", "yellow") if side in game.names},
        "imported": game.imported,
        "current": game.current,
    }


def result_of(game: Summary) -> str:
    """One of `RESULTS`."""
    end = (game.outcome or "").partition(" ")[0]
    return end if end in RESULTS else RESULTS[-1]


def figures(games: Sequence[Summary], say: Say) -> dict[str, Any]:
    """The statistics of the games, the oldest first. What was begun and never played is left out.

    ``periods`` are bars with a part for each of `RESULTS`; ``lengths`` bars of the games that ended, by their moves.
    """
    played = [game for game in games if game.was_played]
    found = statistics(played)
    return {
        "total": _results(found.total),
        "kinds": [
            {"title": say(_OTHER if kind == OTHER_GAME else GAMES[kind].title), **_results(results)}
            for kind, results in found.kinds
        ],
        "seconds": _spread(found.seconds),
        "moves": _spread(found.moves),
        "periods": _periods(played),
        "lengths": _lengths([game.moves for game in played if game.outcome]),
    }


def _results(results: Results) -> dict[str, int]:
    return {
        "games": results.games,
        "red": results.red,
        "yellow": results.yellow,
        "draw": results.drawn,
        "unfinished": results.unfinished,
        "starter": results.starter,
        "follower": results.follower,
    }


def _spread(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    return {"shortest": spread.shortest, "median": spread.median, "longest": spread.longest}


def _periods(games: Iterable[Summary]) -> dict[str, Any]:
    """How many games began in each day, week or month, and what became of them; those without a game in between too."""
    days = [(datetime.fromtimestamp(game.began).date(), result_of(game)) for game in games if 0 <= game.began < LATEST]
    if not days:
        return {"unit": "day", "bars": []}
    first, last = min(days)[0], max(days)[0]
    if (last - first).days < MOST_DAYS:
        unit, starts = "day", list(_every(first, last, 1))
    elif (last - first).days < 7 * MOST_WEEKS - 7:
        unit, starts = "week", list(_every(first - timedelta(days=first.weekday()), last, 7))
    else:
        unit, starts = "month", _months(first, last)[-MOST_MONTHS:]
    counted = Counter((_start(day, unit), result) for day, result in days)
    return {
        "unit": unit,
        "bars": [
            {"from": start.isoformat(), "parts": [counted[start, result] for result in RESULTS]} for start in starts
        ],
    }


def _start(day: date, unit: str) -> date:
    if unit == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if unit == "week" else day


def _every(first: date, last: date, days: int) -> Iterator[date]:
    for number in range((last - first).days // days + 1):
        yield first + timedelta(days=days * number)


def _months(first: date, last: date) -> list[date]:
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [date(number // 12, number % 12 + 1, 1) for number in numbers]


def _lengths(moves: Sequence[int]) -> list[Mapping[str, int]]:
    """How many games have so many moves, in bars of one width, the narrowest of which `MOST_LENGTHS` are enough."""
    if not moves:
        return []
    least, most = min(moves), max(moves)
    widths = (width * 10**power for power in range(9) for width in _WIDTHS)
    width = next(width for width in widths if most // width - least // width < MOST_LENGTHS)
    starts = range(least // width * width, most + width + 1, width)
    counted = Counter(number // width * width for number in moves)
    return [{"least": start, "most": following - 1, "count": counted[start]} for start, following in pairwise(starts)]
