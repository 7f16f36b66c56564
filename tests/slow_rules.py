"""A second implementation of the rules, slow and plain, to be played side by side with the rules core.

Written from RULES.md alone: lists, loops, nothing remembered that can be looked up on the grid.

Where RULES.md is silent or can be read in two ways, this is what is done here:

Set-up
 - `connect` is compared with the whole grid, flanks included. A target that is too high is refused like a `connect`
   that is too long, and both are let through by `allow-unwinnable` (the data has such games). "Discs a player" are
   those of the player who fills first: (playable cells + 1) // 2.
 - Columns (playable, without flanks) and rows are 1 to 32. Unknown options and values are refused; a known option that
   the game has no use for (`target` in `standard`) is let through and does nothing.
 - `first` is the player who begins and `first-popper` the one who pops first in Pop 10; both are named R/Y, X/O, 1/2 or
   red/yellow. 0 for `supply`, `repetition` or `move-cap` is off.

Turns
 - `supply` counts ordinary discs: a drop (the second disc of wall and x2 and the fill of Pop 10, too) takes one from
   the hand; a power disc and a disc that is put back do not. No disc in hand: wall and x2 have no second disc.
 - `full-grid` has a say only in games with pops; elsewhere a full grid is always a draw. `claim` is a legal step, so a
   player who can only claim is not passed over.
 - An x2 or wall disc that fills the grid under `full-grid = continue` or `claim` ends the turn, not the game.
 - `judge = also-landing`: a line where the anvil or bomb lands ends the game before the power works (the anvil stays on
   top, the bomb takes nothing). A bomb needs a target all the same.
 - `wall-first-may-win = false`: a wall may not be dropped where it makes a line.
 - `pop10-stuck = put-back`: the disc is no longer kept and goes back in as after a failed pop. The target comes first.

Ends
 - `both-lines` also decides anvils and bombs; the reason is `both-lines` whoever wins, and for a draw.
 - On one move the order is: lines, full, empty, stuck, repetition, move cap.
 - A position is the grid, the side to move (after passing), phase, kept discs, hands, power discs left, and the column
   that a disc to be put back came from. The start counts. The middle of a power turn is not a position.
 - `move-cap` counts moves as the data does: a power turn is one, a pop and its put-back are two, a pass is none.
"""

from __future__ import annotations

from copy import copy

OTHER = {"X": "O", "O": "X"}
PLAYERS = {"r": "X", "x": "X", "1": "X", "y": "O", "o": "O", "2": "O"}
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
PARTS = {"standard", "pop", "pop10", "five", "power"}
DEFAULTS: dict[str, str | int | bool] = {
    "both-lines": "mover",
    "full-grid": "draw",
    "empty-grid": "draw",
    "repetition": 0,
    "move-cap": 0,
    "supply": 0,
    "first": "R",
    "pop10-stuck": "end",
    "first-popper": "",
    "target": 10,
    "flanks": "RR",
    "powers": "abwx",
    "judge": "after",
    "wall-first-may-win": True,
    "allow-unwinnable": False,
}
CHOICES = {
    "both-lines": ["mover", "draw", "other"],
    "full-grid": ["draw", "claim", "continue"],
    "empty-grid": ["draw", "continue"],
    "pop10-stuck": ["end", "put-back"],
    "flanks": ["RR", "YY", "RY", "YR"],
    "judge": ["after", "also-landing"],
}


class IllegalStep(ValueError):
    """The step is not one of `legal_steps()`."""


class SlowGame:
    """One game; columns and rows count from 1, red is "X", yellow is "O"."""

    def __init__(
        self, game: str, columns: int, rows: int, connect: int, options: dict[str, str | int | bool] | None = None
    ) -> None:
        """Set up a game such as "popout", "five+pop", "power+five+pop" or "pop10+five".

        :raises ValueError: the games do not go together, or a size or an option is refused.
        """
        self.parts = set(game.replace("popout", "pop").split("+"))
        self.options = DEFAULTS | (options or {})
        self.rows = rows
        self.connect = connect
        flank = 1 if "five" in self.parts else 0
        self.playable = list(range(1 + flank, columns + flank + 1))
        self.columns: list[list[str]] = [[] for _ in range(columns + 2 * flank)]
        self._refuse_bad_setup(columns)
        if flank:
            flanks = str(self.options["flanks"])
            self.columns[0] = alternating(PLAYERS[flanks[0].lower()], rows)
            self.columns[-1] = alternating(PLAYERS[flanks[1].lower()], rows)
        supply = int(self.options["supply"])
        self.hands: dict[str, int] | None = {"X": supply, "O": supply} if supply else None
        powers = str(self.options["powers"]) if "power" in self.parts else ""
        self.powers: dict[str, set[str]] = {"X": set(powers), "O": set(powers)}
        self.kept: dict[str, int] = {"X": 0, "O": 0}
        self.phase = "fill" if "pop10" in self.parts else "play"
        self.source: int | None = None  # the column that the disc to be put back came from
        self.moves = 0
        self.history: list[tuple[object, ...]] = []
        self.result: tuple[str | None, str] | None = None
        self.turn: str | None = None
        self._give_turn(player(self.options["first"]))

    def legal_steps(self) -> list[str]:
        """Every step that the side to move may play now, in the order of text (d10 before d2)."""
        return sorted(self._steps(self.turn)) if self.turn else []

    def play(self, step: str) -> None:
        """Play one step.

        :raises IllegalStep: it is not one of `legal_steps()`.
        """
        if self.turn is None or step not in self._steps(self.turn):
            raise IllegalStep(step)
        if step == "claim":
            self._end(None, "claim")
        elif self.phase == "fill":
            self._play_fill(self.turn, int(step[1:]))
        elif self.phase == "pop":
            self._play_pop10_pop(self.turn, int(step[1:]))
        elif self.phase == "put":
            self._play_put(self.turn, int(step[1:]))
        elif step[0] == "p":  # also the target of a bomb
            self._column(int(step[1:])).pop(0)
            self._end_turn(self.turn)
        elif step[0] == "d":  # also the second disc of wall and x2
            self._drop_from_hand(self.turn, int(step[1:]))
            self._end_turn(self.turn)
        else:
            self._play_power(self.turn, step[0], int(step[1:]))

    def lines(self, side: str) -> set[tuple[int, int]]:
        """All cells (column, row) of `side` in a straight run of at least `connect` of its discs."""
        cells: set[tuple[int, int]] = set()
        for column in range(1, len(self.columns) + 1):
            for row in range(1, self.rows + 1):
                for right, up in DIRECTIONS:
                    run = []
                    place = (column, row)
                    while self._disc(*place) == side:
                        run.append(place)
                        place = (place[0] + right, place[1] + up)
                    if len(run) >= self.connect:
                        cells.update(run)
        return cells

    def copy(self) -> SlowGame:
        """The same game, to be played on without touching this one."""
        twin = copy(self)
        twin.columns = [list(column) for column in self.columns]
        twin.hands = dict(self.hands) if self.hands is not None else None
        twin.powers = {side: set(powers) for side, powers in self.powers.items()}
        twin.kept = dict(self.kept)
        twin.history = list(self.history)
        return twin

    # What may be played.

    def _steps(self, side: str) -> list[str]:
        """The steps that `side` may play in this phase, if it is its turn."""
        own = [number for number in self.playable if self._disc(number, 1) == side]
        theirs = [number for number in self.playable if self._disc(number, 1) == OTHER[side]]
        free = [number for number in self.playable if len(self._column(number)) < self.rows]
        drops = free if self.hands is None or self.hands[side] > 0 else []
        if self.phase == "fill":
            filled = min(len(self._column(number)) for number in self.playable)
            return [f"d{number}" for number in drops if len(self._column(number)) == filled]
        if self.phase in ("pop", "bomb"):
            return [f"p{number}" for number in (own if self.phase == "pop" else theirs)]
        if self.phase == "put":
            return [f"d{number}" for number in free if number != self.source] or [f"d{self.source}"]
        if self.phase == "wall":
            return [f"d{number}" for number in drops if not self._drop_makes_line(side, number)]
        if self.phase == "x2":
            return [f"d{number}" for number in drops]
        steps = [f"d{number}" for number in drops]
        if "pop" in self.parts:
            steps += [f"p{number}" for number in own]
            if not free and self.options["full-grid"] == "claim":
                steps.append("claim")
        for power in self.powers[side]:
            steps += [f"{power}{number}" for number in free if self._power_allowed(side, power, number, theirs)]
        return steps

    def _power_allowed(self, side: str, power: str, number: int, targets: list[int]) -> bool:
        """May `side` drop this power disc into a column that is known to have room?"""
        if power == "b":
            return targets != []
        if power == "w" and not self.options["wall-first-may-win"]:
            return not self._drop_makes_line(side, number)
        return True

    def _drop_makes_line(self, side: str, number: int) -> bool:
        """Would a disc of `side` in this column leave a line of `side`? (Tried out and taken back.)"""
        self._column(number).append(side)
        line = self.lines(side) != set()
        self._column(number).pop()
        return line

    # A turn of every game but Pop 10.

    def _play_power(self, side: str, power: str, number: int) -> None:
        """Drop a power disc; the turn goes on if it has a second step."""
        column = self._column(number)
        column.append(side)
        self.powers[side].remove(power)
        if power in "wx":
            self.phase = "wall" if power == "w" else "x2"
            if self.lines(side) or not self._steps(side):
                self._end_turn(side)
        elif self.options["judge"] == "also-landing" and self.lines(side):
            self._end_turn(side)
        elif power == "a":
            del column[:-1]
            self._end_turn(side)
        else:
            self.phase = "bomb"

    def _end_turn(self, side: str) -> None:
        """Judge the grid after the turn of `side`: lines first, then full and empty."""
        self.phase = "play"
        self.moves += 1
        other = OTHER[side]
        own_line = self.lines(side) != set()
        other_line = self.lines(other) != set()
        if own_line and other_line:
            winners = {"mover": side, "draw": None, "other": other}
            self._end(winners[str(self.options["both-lines"])], "both-lines")
        elif own_line:
            self._end(side, "line")
        elif other_line:
            self._end(other, "opponent-line")
        elif self._is_full() and (self.options["full-grid"] == "draw" or "pop" not in self.parts):
            self._end(None, "full")
        elif self._is_empty() and self.options["empty-grid"] == "draw":
            self._end(None, "empty")
        else:
            self._give_turn(other)

    # The three phases of Pop 10.

    def _play_fill(self, side: str, number: int) -> None:
        """Fill one cell; the last one opens the play."""
        self._drop_from_hand(side, number)
        self.moves += 1
        follower = OTHER[side]
        if self._is_full():
            self.phase = "pop"
            if self.options["first-popper"]:
                follower = player(self.options["first-popper"])
        self._give_turn(follower)

    def _play_pop10_pop(self, side: str, number: int) -> None:
        """Pop a disc: keep it if it was part of a line, otherwise it must be put back."""
        part_of_line = (number, 1) in self.lines(side)
        self._column(number).pop(0)
        self.moves += 1
        can_go_on = self._steps(side) != []
        if part_of_line and self.kept[side] + 1 >= int(self.options["target"]):
            self.kept[side] += 1
            self._end(side, "ten")
        elif part_of_line and (can_go_on or self.options["pop10-stuck"] == "end"):
            self.kept[side] += 1
            self._give_turn(side)
        else:
            self.phase = "put"
            self.source = number
            self._give_turn(side)

    def _play_put(self, side: str, number: int) -> None:
        """Put the popped disc back in the top; the turn is over."""
        self._column(number).append(side)
        self.moves += 1
        self.phase = "pop"
        self.source = None
        self._give_turn(OTHER[side])

    # Whose turn, and the ends that do not hang on the grid.

    def _give_turn(self, side: str) -> None:
        """Give the turn to `side`, to the other if `side` cannot move, or end the game if neither can."""
        if self._steps(side):
            self.turn = side
        elif self._steps(OTHER[side]):
            self.turn = OTHER[side]
        else:
            self._end(None, "stuck")
            return
        self.history.append(self._position())
        if 0 < int(self.options["repetition"]) <= self.history.count(self.history[-1]):
            self._end(None, "repetition")
        elif 0 < int(self.options["move-cap"]) <= self.moves:
            self._end(None, "move-cap")

    def _position(self) -> tuple[object, ...]:
        """All that tells one position from another, copied."""
        twin = self.copy()
        return (twin.columns, twin.turn, twin.phase, twin.source, twin.kept, twin.hands, twin.powers)

    def _end(self, winner: str | None, reason: str) -> None:
        self.result = (winner, reason)
        self.turn = None

    # Small help.

    def _column(self, number: int) -> list[str]:
        return self.columns[number - 1]

    def _disc(self, column: int, row: int) -> str | None:
        """The disc in a cell; None if the cell is empty or off the grid."""
        if 1 <= column <= len(self.columns) and 1 <= row <= len(self._column(column)):
            return self._column(column)[row - 1]
        return None

    def _is_full(self) -> bool:
        return all(len(self._column(number)) == self.rows for number in self.playable)

    def _is_empty(self) -> bool:
        return all(self._column(number) == [] for number in self.playable)

    def _drop_from_hand(self, side: str, number: int) -> None:
        self._column(number).append(side)
        if self.hands is not None:
            self.hands[side] -= 1

    def _refuse_bad_setup(self, columns: int) -> None:
        """Raise ValueError for what RULES.md refuses."""
        if not self.parts <= PARTS or ("standard" in self.parts and len(self.parts) > 1):
            raise ValueError("unknown game")
        if "pop10" in self.parts and self.parts & {"pop", "power"}:
            raise ValueError("Pop 10 goes with 5-in-a-Row only")
        if not (1 <= columns <= 32 and 1 <= self.rows <= 32 and self.connect >= 1):
            raise ValueError("size")
        for name, value in self.options.items():
            if name not in DEFAULTS or value not in CHOICES.get(name, [value]):
                raise ValueError(f"option {name} = {value}")
            if isinstance(DEFAULTS[name], int) and int(value) < 0:
                raise ValueError(f"option {name} = {value}")
        if not set(str(self.options["powers"])) <= set("abwx"):
            raise ValueError("powers")
        if not self.options["allow-unwinnable"]:
            if self.connect > len(self.columns) and self.connect > self.rows:
                raise ValueError("nobody can make a line")
            discs = (columns * self.rows + 1) // 2
            if "pop10" in self.parts and int(self.options["target"]) > discs - (self.connect - 1):
                raise ValueError("nobody can reach the target")


def alternating(bottom: str, rows: int) -> list[str]:
    """A flank: colours in turn, from the bottom up."""
    return [bottom if row % 2 == 0 else OTHER[bottom] for row in range(rows)]


def player(name: str | int | bool) -> str:
    """The side ("X" or "O") called R/Y, X/O, 1/2 or red/yellow.

    :raises ValueError: it is nobody's name.
    """
    letter = str(name)[:1].lower()
    if letter not in PLAYERS:
        raise ValueError(f"no player is called {name}")
    return PLAYERS[letter]
