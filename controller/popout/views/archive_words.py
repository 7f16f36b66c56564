"""What is said about recorded games: their results, their steps, their times."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from popout.play.consequences import who_plays
from popout.record.archive import Summary
from popout.record.journal import LATEST, Entry, Kind, Source
from popout.record.statistics import OTHER_GAME, Results, Spread, Statistics
from popout.rules import GAMES, RED, YELLOW, Game, Message, RuleSet, RuleSetError, Side, Termination, describe
from popout.rules.messages import N_, excerpt

_MINUTE, _HOUR = 60, 3600


def game_title(rules: str) -> Message:
    """The game of a rule set that is given as text, with the size of its board, for people."""
    try:
        ruleset = RuleSet.parse(rules)
    except RuleSetError:
        return Message("unknown: {rules}", rules=excerpt(rules))
    return Message("{game} {columns}x{rows}", game=ruleset.title, columns=ruleset.columns, rows=ruleset.rows)


def kind_title(kind: str) -> Message:
    """A game by its name in records, for people."""
    return Message("unknown") if kind == OTHER_GAME else GAMES[kind].title


def result(game: Summary) -> Message:
    """How a game ended and why, in few words."""
    if game.outcome is None:
        return Message("goes on") if game.current else Message("unfinished")
    winner, _, reason = game.outcome.partition(" ")
    if reason not in _REASONS or winner not in _RESULTS:
        return Message("unknown: {rules}", rules=excerpt(game.outcome))
    return Message(_RESULTS[winner], reason=Message(_REASONS[reason]))


def entry_words(entry: Entry, before: Game | None, after: Game) -> Message:
    """What an entry of a journal did, in a sentence."""
    match entry.kind:
        case Kind.NEW:
            return Message("A new game begins.")
        case Kind.MOVE:
            assert before is not None, "a move has a game before it"
            return describe(after.moves[-1], before.position)
        case Kind.TAKE_BACK:
            return Message("One move is taken back.", plural="{count} moves are taken back.", count=int(entry.text))
        case Kind.DRAW:
            return Message("The players agree on a draw.")
        case Kind.RESIGN:
            return Message(_GIVES_UP[Side(entry.text)])
        case Kind.CORRECTION:
            return Message("The position is set to what is on the board: {position}", position=_second(entry.text))
        case Kind.OPPONENT:
            return who_plays(entry.levels or {})


def source_words(source: Source | None) -> Message | None:
    """Where an entry came from, in a word; None where it is not known."""
    return Message(_SOURCES[source]) if source else None


def when(seconds: float, form: str = "%Y-%m-%d %H:%M") -> str:
    """A time in seconds since 1970, by the local clock; a dash for what cannot be a time."""
    return f"{datetime.fromtimestamp(seconds):{form}}" if 0 <= seconds < LATEST else "-"


def length(seconds: float | None) -> str:
    """How long something took, such as ``5:12`` or ``1:02:11``; a dash where it is not known."""
    if seconds is None:
        return "-"
    whole = round(seconds)
    hours, minutes = whole // _HOUR, whole % _HOUR // _MINUTE
    start = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{start}:{whole % _MINUTE:02}"


def summary_object(game: Summary) -> dict[str, Any]:
    """A game for a program. Every key is always there; null where there is nothing to say."""
    return {
        "number": game.number,
        "began": game.began,
        "started": game.started,
        "ended": game.ended,
        "seconds": game.seconds,
        "rules": game.rules,
        "moves": game.moves,
        "result": game.outcome,
        "names": dict(game.names),
        "imported": game.imported,
        "current": game.current,
    }


def statistics_object(statistics: Statistics) -> dict[str, Any]:
    """Statistics for a program; days and weeks (by their Mondays) are pairs of a date and a number of games."""
    return {
        "total": _results_object(statistics.total),
        "kinds": {kind: _results_object(results) for kind, results in statistics.kinds},
        "seconds": _spread_object(statistics.seconds),
        "moves": _spread_object(statistics.moves),
        "days": [[day.isoformat(), count] for day, count in statistics.days],
        "weeks": [[week.isoformat(), count] for week, count in statistics.weeks],
    }


def _results_object(results: Results) -> dict[str, int]:
    return {
        "games": results.games,
        "red": results.red,
        "yellow": results.yellow,
        "drawn": results.drawn,
        "unfinished": results.unfinished,
        "starter": results.starter,
        "follower": results.follower,
    }


def _spread_object(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    return {
        "count": spread.count,
        "shortest": spread.shortest,
        "median": spread.median,
        "longest": spread.longest,
    }


def _second(text: str) -> str:
    """The new position of a correction."""
    return excerpt(text.rpartition(" -> ")[2])


_RESULTS = N_({"red": "Red: {reason}", "yellow": "Yellow: {reason}", "draw": "Draw: {reason}"})
_REASONS = N_(
    {
        Termination.LINE.value: "a line",
        Termination.BOTH_LINES.value: "lines of both",
        Termination.OPPONENT_LINE.value: "a line by the other's move",
        Termination.FULL.value: "full grid",
        Termination.EMPTY.value: "empty grid",
        Termination.TEN.value: "enough discs kept",
        Termination.STUCK.value: "nobody can move",
        Termination.CLAIM.value: "claimed",
        Termination.REPETITION.value: "repetition",
        Termination.MOVE_CAP.value: "longest game",
        Termination.AGREED.value: "agreed",
        Termination.RESIGNED.value: "the other gave up",
    }
)
_GIVES_UP = N_({RED: "Red gives up.", YELLOW: "Yellow gives up."})
_SOURCES = N_(
    {
        Source.BOARD: "board",
        Source.PAGE: "page",
        Source.TERMINAL: "terminal",
        Source.OPPONENT: "opponent",
    }
)
