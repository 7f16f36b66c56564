"""Sentences that more than one view says about a game: its lines, its length, a position that came again."""

from __future__ import annotations

from popout.rules import RED, YELLOW, Game, Line, Message, Side, describe, passed_over, waiting_for, why_ended
from popout.rules.messages import N_

THIRD = 3


def status(game: Game) -> Message:
    """Whose turn it is, or how the game ended and why: always true, and one sentence."""
    ended = why_ended(game)
    return ended.message if ended else waiting_for(game.position)


def verdict(game: Game) -> Message:
    """What became of a whole game: how it ended and why, or that it goes on."""
    ended = why_ended(game)
    moves = len(game.moves)
    if ended:
        return Message("{ending} ({count} move)", plural="{ending} ({count} moves)", count=moves, ending=ended.message)
    one, many = _GOES_ON[game.position.turn]
    return Message(one, plural=many, count=moves)


def last_move(game: Game) -> Message:
    """The last move with its number, what it did, and what is so now. There must be one."""
    ply = len(game.moves)
    return Message("{ply}. {what} {now}", ply=ply, what=describe(game.moves[-1], game.positions[-2]), now=status(game))


def remarks(game: Game) -> tuple[Message, ...]:
    """What should be said aloud besides, after the last move: discs kept, a side passed over, a position come again."""
    said = []
    if game.rules.keeps and game.moves and _kept(game, -1) != _kept(game, -2):
        red, yellow = _kept(game, -1)
        said.append(
            Message(
                "Kept so far: red {red}, yellow {yellow} of {target}.", red=red, yellow=yellow, target=game.rules.target
            )
        )
    if game.passed:
        said.append(passed_over(game.passed))
    if not game.outcome and game.moves and game.repetitions == THIRD:
        said.append(Message("This position stands for the third time; the players may agree a draw."))
    elif not game.outcome and game.moves and game.repetitions > THIRD:
        said.append(
            Message("This position has stood {times} times; the players may agree a draw.", times=game.repetitions)
        )
    return tuple(said)


def _kept(game: Game, at: int) -> tuple[int, int]:
    position = game.positions[at]
    return position.kept(RED), position.kept(YELLOW)


def lines_of(game: Game) -> tuple[Message, ...]:
    """Where the lines of a finished game are, the winner's first; none for a game without."""
    outcome = game.outcome
    if outcome is None:
        return ()
    first = outcome.winner or RED
    return tuple(line_sentence(side, line) for side in (first, first.other) for line in outcome.lines(side))


def line_sentence(side: Side, line: Line) -> Message:
    """Where one line is, from its first cell to its last."""
    (column, row), (last_column, last_row) = line[0], line[-1]
    shape = "cell" if len(line) == 1 else "row" if row == last_row else "column" if column == last_column else "slope"
    return Message(_LINES[side, shape], column=column, row=row, last_column=last_column, last_row=last_row)


_GOES_ON = N_(
    {
        RED: (
            "The game goes on: red to move after {count} move.",
            "The game goes on: red to move after {count} moves.",
        ),
        YELLOW: (
            "The game goes on: yellow to move after {count} move.",
            "The game goes on: yellow to move after {count} moves.",
        ),
    }
)
_LINES = N_(
    {
        (RED, "cell"): "Red's line: column {column}, row {row}.",
        (RED, "row"): "Red's line: row {row}, columns {column} to {last_column}.",
        (RED, "column"): "Red's line: column {column}, rows {row} to {last_row}.",
        (RED, "slope"): "Red's line: from column {column}, row {row} to column {last_column}, row {last_row}.",
        (YELLOW, "cell"): "Yellow's line: column {column}, row {row}.",
        (YELLOW, "row"): "Yellow's line: row {row}, columns {column} to {last_column}.",
        (YELLOW, "column"): "Yellow's line: column {column}, rows {row} to {last_row}.",
        (YELLOW, "slope"): "Yellow's line: from column {column}, row {row} to column {last_column}, row {last_row}.",
    }
)
