"""Reasons in words: why a move is not allowed, why a game ended, what a move did."""

from __future__ import annotations

from dataclasses import dataclass

from popout.rules.errors import IllegalMove
from popout.rules.game import Game
from popout.rules.messages import N_, Message
from popout.rules.moves import Claim, Drop, Move, Pop, Power, PowerDisc
from popout.rules.outcome import Outcome, Termination
from popout.rules.phases import Phase
from popout.rules.pop10 import Pop10, row_to_fill
from popout.rules.position import Position
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
    return Reason(outcome.termination.value, _ending(outcome, game)) if outcome else None


def describe(move: Move, before: Position) -> Message:
    """What a move did in the position `before` it, such as "Red drops a disc in column 4."."""
    side, phase = before.turn, before.phase
    match move:
        case Drop(column):
            return Message(_DROPS_IN_PHASE.get(phase, _DROPS)[side], column=column)
        case Pop(column):
            return Message((_BOMB_POPS if phase is Phase.BOMB else _POPS)[side], column=column)
        case Power(disc, column):
            return Message(_POWERS[disc][side], column=column)
        case Claim():
            return Message(_CLAIMS[side])


def waiting_for(position: Position) -> Message:
    """Whose turn it is, and which step the position waits for. Only for a game that goes on."""
    side = position.turn
    match position.phase:
        case Phase.PLAY:
            return _TO_MOVE[side]
        case Phase.FILL:
            return Message(_TO_FILL[side], row=row_to_fill(position))
        case Phase.PUT if isinstance(position.extra, Pop10) and position.extra.only_source_is_free(position):
            return Message(_TO_PUT_BACK_THERE[side], column=position.extra.source)
        case phase:
            return _TO_DO[phase][side]


def passed_over(side: Side) -> Message:
    """That `side` cannot move and the turn stays with the other."""
    return _PASSED[side]


def _ending(outcome: Outcome, game: Game) -> Message:
    rules, winner, connect = game.rules, outcome.winner, game.rules.connect
    popped = bool(game.moves) and isinstance(game.moves[-1], Pop) and game.positions[-2].phase is not Phase.BOMB
    match outcome.termination:
        case Termination.LINE if winner:
            return Message(_LINE[winner], connect=connect)
        case Termination.OPPONENT_LINE if winner:
            return Message((_OPPONENT_LINE if popped else _OPPONENT_LINE_BY_POWER)[winner], connect=connect)
        case Termination.BOTH_LINES if winner:
            mover = rules.both_lines == "mover"
            texts = (_BOTH_MOVER if mover else _BOTH_OTHER) if popped else (_POWER_MOVER if mover else _POWER_OTHER)
            return Message(texts[winner], connect=connect)
        case Termination.BOTH_LINES if not popped:
            return Message("Draw: the power disc made lines for both sides (rule both-lines=draw).")
        case Termination.TEN if winner:
            text, plural = _TEN[winner]
            return Message(text, plural=plural, count=rules.target)
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


_TO_FILL = N_(
    {
        RED: "Red to fill row {row}: drop a disc into a free cell of it.",
        YELLOW: "Yellow to fill row {row}: drop a disc into a free cell of it.",
    }
)
_TO_PUT_BACK_THERE = N_(
    {
        RED: "Red to put the popped disc back into column {column}: every other column is full.",
        YELLOW: "Yellow to put the popped disc back into column {column}: every other column is full.",
    }
)
_TO_DO = {
    Phase.POP: {
        RED: Message("Red to pop one of red's discs out of the bottom row."),
        YELLOW: Message("Yellow to pop one of yellow's discs out of the bottom row."),
    },
    Phase.PUT: {
        RED: Message("Red to put the popped disc back into the top of another column."),
        YELLOW: Message("Yellow to put the popped disc back into the top of another column."),
    },
    Phase.BOMB: {
        RED: Message("Red's bomb: pop one of yellow's discs out of the bottom row."),
        YELLOW: Message("Yellow's bomb: pop one of red's discs out of the bottom row."),
    },
    Phase.WALL: {
        RED: Message("Red's wall: drop a second disc, which may not make a line."),
        YELLOW: Message("Yellow's wall: drop a second disc, which may not make a line."),
    },
    Phase.DOUBLE: {
        RED: Message("Red's x2: drop a second disc."),
        YELLOW: Message("Yellow's x2: drop a second disc."),
    },
}
_DROPS_IN_PHASE = N_(
    {
        Phase.PUT: {
            RED: "Red puts the disc back into column {column}.",
            YELLOW: "Yellow puts the disc back into column {column}.",
        },
        Phase.WALL: {
            RED: "Red drops a second disc in column {column}.",
            YELLOW: "Yellow drops a second disc in column {column}.",
        },
        Phase.DOUBLE: {
            RED: "Red drops a second disc in column {column}.",
            YELLOW: "Yellow drops a second disc in column {column}.",
        },
    }
)
_BOMB_POPS = N_(
    {
        RED: "Red's bomb pops a disc of yellow's out of column {column}.",
        YELLOW: "Yellow's bomb pops a disc of red's out of column {column}.",
    }
)
_POWERS = N_(
    {
        PowerDisc.ANVIL: {
            RED: "Red drops the anvil in column {column}.",
            YELLOW: "Yellow drops the anvil in column {column}.",
        },
        PowerDisc.BOMB: {
            RED: "Red drops the bomb in column {column}.",
            YELLOW: "Yellow drops the bomb in column {column}.",
        },
        PowerDisc.WALL: {
            RED: "Red drops the wall in column {column}.",
            YELLOW: "Yellow drops the wall in column {column}.",
        },
        PowerDisc.DOUBLE: {
            RED: "Red drops the x2 in column {column}.",
            YELLOW: "Yellow drops the x2 in column {column}.",
        },
    }
)
_TEN = N_(
    {
        RED: ("Red wins: red has kept one disc.", "Red wins: red has kept {count} discs."),
        YELLOW: ("Yellow wins: yellow has kept one disc.", "Yellow wins: yellow has kept {count} discs."),
    }
)
_OPPONENT_LINE_BY_POWER = N_(
    {
        RED: "Red wins: yellow's power disc gave red {connect} in a row.",
        YELLOW: "Yellow wins: red's power disc gave yellow {connect} in a row.",
    }
)
_POWER_MOVER = N_(
    {
        RED: "Red wins: red's power disc made {connect} in a row for both (rule both-lines=mover).",
        YELLOW: "Yellow wins: yellow's power disc made {connect} in a row for both (rule both-lines=mover).",
    }
)
_POWER_OTHER = N_(
    {
        RED: "Red wins: yellow's power disc made {connect} in a row for both (rule both-lines=other).",
        YELLOW: "Yellow wins: red's power disc made {connect} in a row for both (rule both-lines=other).",
    }
)
_TO_MOVE = {RED: Message("Red to move."), YELLOW: Message("Yellow to move.")}
_PASSED = {
    RED: Message("Red cannot move and is passed over. Yellow moves again."),
    YELLOW: Message("Yellow cannot move and is passed over. Red moves again."),
}
_DROPS = N_({RED: "Red drops a disc in column {column}.", YELLOW: "Yellow drops a disc in column {column}."})
_POPS = N_({RED: "Red pops a disc out of column {column}.", YELLOW: "Yellow pops a disc out of column {column}."})
_CLAIMS = N_({RED: "Red claims the draw.", YELLOW: "Yellow claims the draw."})
_LINE = N_({RED: "Red wins: {connect} in a row.", YELLOW: "Yellow wins: {connect} in a row."})
_OPPONENT_LINE = N_(
    {
        RED: "Red wins: yellow's pop gave red {connect} in a row.",
        YELLOW: "Yellow wins: red's pop gave yellow {connect} in a row.",
    }
)
_BOTH_MOVER = N_(
    {
        RED: "Red wins: the pop made {connect} in a row for both, and red popped (rule both-lines=mover).",
        YELLOW: "Yellow wins: the pop made {connect} in a row for both, and yellow popped (rule both-lines=mover).",
    }
)
_BOTH_OTHER = N_(
    {
        RED: "Red wins: the pop made {connect} in a row for both, and yellow popped (rule both-lines=other).",
        YELLOW: "Yellow wins: the pop made {connect} in a row for both, and red popped (rule both-lines=other).",
    }
)
_RESIGNED = N_({RED: "Red wins: yellow gave up.", YELLOW: "Yellow wins: red gave up."})
_DRAWS = {
    Termination.FULL: Message("Draw: the grid is full and nobody has a line."),
    Termination.EMPTY: Message("Draw: the last disc was popped and the grid is empty (rule empty-grid=draw)."),
    Termination.BOTH_LINES: Message("Draw: the pop made lines for both sides (rule both-lines=draw)."),
    Termination.STUCK: Message("Draw: neither side can move."),
    Termination.CLAIM: Message("Draw: claimed on a full grid (rule full-grid=claim)."),
    Termination.AGREED: Message("Draw: the players agreed."),
}
