"""Reasons in words: why a move is not allowed, why a game ended, what a move did."""

from __future__ import annotations

from dataclasses import dataclass

from popout.rules.errors import IllegalMove
from popout.rules.game import Game
from popout.rules.messages import Message
from popout.rules.moves import Claim, Drop, Move, Pop
from popout.rules.outcome import Outcome, Termination
from popout.rules.position import Position
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable code for a program and a sentence for a person."""

    code: str
    message: Message


def why_illegal(state: Game | Position, move: Move) -> Reason | None:
    """Why `move` is not allowed, None if it is."""
    try:
        state.play(move)
    except IllegalMove as error:
        return Reason(error.code, error.message)
    return None


def why_ended(game: Game) -> Reason | None:
    """Why the game is over and who won, with the rule that decided; None while it goes on."""
    outcome = game.outcome
    return Reason(outcome.termination.value, _ending(outcome, game.rules)) if outcome else None


def describe(move: Move, side: Side) -> Message:
    """What a move did, such as "Red drops a disc in column 4."."""
    match move:
        case Drop(column):
            return Message(_DROPS[side], column=column)
        case Pop(column):
            return Message(_POPS[side], column=column)
        case Claim():
            return Message(_CLAIMS[side])


def side_to_move(side: Side) -> Message:
    """Whose turn it is."""
    return _TO_MOVE[side]


def passed_over(side: Side) -> Message:
    """That `side` cannot move and the turn stays with the other."""
    return _PASSED[side]


def _ending(outcome: Outcome, rules: RuleSet) -> Message:
    winner, connect = outcome.winner, rules.connect
    match outcome.termination:
        case Termination.LINE if winner:
            return Message(_LINE[winner], connect=connect)
        case Termination.OPPONENT_LINE if winner:
            return Message(_OPPONENT_LINE[winner], connect=connect)
        case Termination.BOTH_LINES if winner:
            return Message((_BOTH_MOVER if rules.both_lines == "mover" else _BOTH_OTHER)[winner], connect=connect)
        case Termination.RESIGNED if winner:
            return Message(_RESIGNED[winner])
        case Termination.REPETITION:
            return Message(
                "Draw: this position has now stood {times} times (rule repetition={times}).", times=rules.repetition
            )
        case Termination.MOVE_CAP:
            return Message(
                "Draw: one move has been made (rule move-cap=1).",
                plural="Draw: {count} moves have been made (rule move-cap={count}).",
                count=rules.move_cap,
            )
        case termination:
            return _DRAWS[termination]


_TO_MOVE = {RED: Message("Red to move."), YELLOW: Message("Yellow to move.")}
_PASSED = {
    RED: Message("Red cannot move and is passed over. Yellow moves again."),
    YELLOW: Message("Yellow cannot move and is passed over. Red moves again."),
}
_DROPS = {RED: "Red drops a disc in column {column}.", YELLOW: "Yellow drops a disc in column {column}."}
_POPS = {RED: "Red pops a disc out of column {column}.", YELLOW: "Yellow pops a disc out of column {column}."}
_CLAIMS = {RED: "Red claims the draw.", YELLOW: "Yellow claims the draw."}
_LINE = {RED: "Red wins: {connect} in a row.", YELLOW: "Yellow wins: {connect} in a row."}
_OPPONENT_LINE = {
    RED: "Red wins: yellow's pop gave red {connect} in a row.",
    YELLOW: "Yellow wins: red's pop gave yellow {connect} in a row.",
}
_BOTH_MOVER = {
    RED: "Red wins: the pop made {connect} in a row for both, and red popped (rule both-lines=mover).",
    YELLOW: "Yellow wins: the pop made {connect} in a row for both, and yellow popped (rule both-lines=mover).",
}
_BOTH_OTHER = {
    RED: "Red wins: the pop made {connect} in a row for both, and yellow popped (rule both-lines=other).",
    YELLOW: "Yellow wins: the pop made {connect} in a row for both, and red popped (rule both-lines=other).",
}
_RESIGNED = {RED: "Red wins: yellow gave up.", YELLOW: "Yellow wins: red gave up."}
_DRAWS = {
    Termination.FULL: Message("Draw: the grid is full and nobody has a line."),
    Termination.EMPTY: Message("Draw: the last disc was popped and the grid is empty (rule empty-grid=draw)."),
    Termination.BOTH_LINES: Message("Draw: the pop made lines for both sides (rule both-lines=draw)."),
    Termination.STUCK: Message("Draw: neither side can move."),
    Termination.CLAIM: Message("Draw: claimed on a full grid (rule full-grid=claim)."),
    Termination.AGREED: Message("Draw: the players agreed."),
}
