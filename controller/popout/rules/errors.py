"""What can be wrong with a move, a rule set, a position or a text; each with a code and a sentence."""

from __future__ import annotations

from popout.rules.messages import Message, PopoutError


class IllegalMove(PopoutError, ValueError):
    """The move can be read but is not allowed here."""

    code = "illegal-move"


class GameOver(IllegalMove):
    """The game has ended."""

    code = "game-over"


class NoSuchColumn(IllegalMove):
    """The grid has no such column."""

    code = "no-such-column"


class NoSuchCell(PopoutError, LookupError):
    """The grid has no such cell."""

    code = "no-such-cell"


class ColumnFull(IllegalMove):
    """There is no room for another disc."""

    code = "column-full"


class NothingToPop(IllegalMove):
    """The column is empty."""

    code = "nothing-to-pop"


class NotYourDisc(IllegalMove):
    """The bottom disc of the column belongs to the other side."""

    code = "not-your-disc"


class PopsNotInThisGame(IllegalMove):
    """The game has no pops."""

    code = "pops-not-in-this-game"


class FlankColumn(IllegalMove):
    """The column is a filled outer one of 5-in-a-Row."""

    code = "flank-column"


class RowNotFull(IllegalMove):
    """Pop 10: the disc would lie above the row that is being filled."""

    code = "row-not-full"


class FillFirst(IllegalMove):
    """Pop 10: the grid must be full before discs are popped."""

    code = "fill-first"


class PopFirst(IllegalMove):
    """The step at hand is a pop."""

    code = "pop-first"


class DropFirst(IllegalMove):
    """The step at hand is a drop: a disc to put back, or the second one of a power disc."""

    code = "drop-first"


class PutBackSameColumn(IllegalMove):
    """Pop 10: the disc may not go back into the column that it came from."""

    code = "put-back-same-column"


class PowerDiscsNotInThisGame(IllegalMove):
    """The game has no power discs, or not this one."""

    code = "power-discs-not-in-this-game"


class PowerDiscUsed(IllegalMove):
    """Each power disc is played once."""

    code = "power-disc-used"


class NoTarget(IllegalMove):
    """A bomb needs a disc of the opponent in the bottom row."""

    code = "no-target"


class OwnDisc(IllegalMove):
    """A bomb takes a disc of the opponent, not an own one."""

    code = "own-disc"


class WallMayNotWin(IllegalMove):
    """A disc with which a wall may not make a line."""

    code = "wall-may-not-win"


class NoDiscsLeft(IllegalMove):
    """The side to move has dropped all its discs."""

    code = "no-discs-left"


class NothingToClaim(IllegalMove):
    """A draw can be claimed on a full grid only, and only where the rules say so."""

    code = "nothing-to-claim"


class RuleSetError(PopoutError, ValueError):
    """The rules cannot be played."""

    code = "rules"


class SizeOutOfRange(RuleSetError):
    """The grid is too small or too large, or the line too short or too long."""

    code = "size-out-of-range"


class TargetTooHigh(RuleSetError):
    """Pop 10: nobody can keep so many discs on this grid."""

    code = "target-too-high"


class UnknownGame(RuleSetError):
    """There is no such game."""

    code = "unknown-game"


class UnknownOption(RuleSetError):
    """There is no such option, or not in this game."""

    code = "unknown-option"


class OptionValue(RuleSetError):
    """The option cannot have that value."""

    code = "option-value"


class SetupError(PopoutError, ValueError):
    """The position cannot arise in the game."""

    code = "set-up"


class FloatingDisc(SetupError):
    """A disc has nothing under it."""

    code = "floating-disc"


class WrongFlanks(SetupError):
    """5-in-a-Row: the outer columns are not filled as the rules say."""

    code = "wrong-flanks"


class DiscsMissing(SetupError):
    """Pop 10: discs on the grid and kept ones do not add up."""

    code = "discs-missing"


class NotThisGrid(SetupError):
    """The position has another size."""

    code = "wrong-size"


class AlreadyDecided(SetupError):
    """The game would be over before it starts."""

    code = "already-decided"


class WrongSideToMove(SetupError):
    """The number of discs says that the other side is to move."""

    code = "wrong-side-to-move"


class TooManyDiscs(SetupError):
    """One side has more discs than it can have."""

    code = "too-many-discs"


class CannotMove(SetupError):
    """The side to move has no legal move."""

    code = "cannot-move"


class DiscsInHand(SetupError):
    """The discs in hand do not fit the rules."""

    code = "discs-in-hand"


class NotationError(PopoutError, ValueError):
    """A text that cannot be read as what it should be.

    :ivar line: the line of the text, from 1. :ivar column: the letter in that line, from 1.
    :ivar reason: the code of what is wrong there, such as ``floating-disc``; `code` if nothing more is known.
    """

    code = "unreadable"

    def __init__(self, message: Message, *, line: int = 1, column: int = 1, reason: str = code) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.reason = reason
