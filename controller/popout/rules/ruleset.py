"""Rule sets: which game, on which grid, with which options. Data with a name that is written into every record."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache

from popout.rules.errors import OptionValue, RuleSetError, SizeOutOfRange, TargetTooHigh, UnknownOption
from popout.rules.games import FLANKS, GAMES, KEEPS, POPS, POWERS, PRESETS, GameKind, game_called
from popout.rules.grid import Grid, grid
from popout.rules.messages import Message, excerpt
from popout.rules.moves import PowerDisc
from popout.rules.options import OPTIONS
from popout.rules.side import Side

SMALLEST, LARGEST = 1, 32
"""Columns and rows of a grid."""
SHORTEST_LINE = 2

LONGEST_NUMBER = 9
"""Digits that are worth reading."""

EXAMPLE = "popout 7x6"


@dataclass(frozen=True)
class RuleSet:
    """One game on one grid with its options. Immutable; equal if all is equal.

    :ivar game: a game of `popout.rules.games`, such as ``five+pop``; its parts may be given in any order.
    :ivar columns: playable columns, 1 to 32; games with filled outer columns have two more. :ivar rows: 1 to 32.
    :ivar connect: the length of a line, 2 to 32 and no longer than the longer side of the grid; with
        `allow_unwinnable` from 1 (without filled outer columns) to 32. 0 takes the game's usual one.

    The other fields are the options of `popout.rules.options`, where each is described with its source.

    :raises SizeOutOfRange: the grid or the line cannot be had. It is never replaced by another.
    :raises UnknownGame: there is no such game.
    :raises UnknownOption: the option has no meaning in this game.
    :raises OptionValue: an option cannot have that value.
    """

    game: str = "popout"
    columns: int = 7
    rows: int = 6
    connect: int = 0
    both_lines: str = "mover"
    full_grid: str = "draw"
    empty_grid: str = "draw"
    target: int = 10
    first_popper: str = "next"
    pop10_stuck: str = "end"
    flanks: str = "RR"
    powers: str = "abwx"
    judge: str = "after"
    wall_first_may_win: bool = True
    repetition: int = 0
    move_cap: int = 0
    supply: int = 0
    first: str = "red"
    allow_unwinnable: bool = False
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", game_called(str(self.game)))
        if type(self.connect) is int and self.connect == 0:
            object.__setattr__(self, "connect", self.kind.usual_connect)
        self._check_size()
        for option in OPTIONS:
            value = getattr(self, option.attribute)
            option.check(value)
            if value != option.default and not option.means_something(self.kind.parts):
                raise UnknownOption(
                    Message(
                        'The option "{option}" means nothing in the game "{game}". Leave it out.',
                        option=option.name,
                        game=self.game,
                    )
                )
        self._check_target()
        compared = tuple(getattr(self, each.name) for each in fields(self) if each.compare)
        object.__setattr__(self, "_hash", hash(compared))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Callable[[str], RuleSet], tuple[str]]:
        # Another process has other hashes, and the geometry cannot be sent to it.
        return RuleSet.parse, (self.text,)

    def _check_size(self) -> None:
        for name, value in (("columns", self.columns), ("rows", self.rows)):
            _whole_number(name, value)
            if not SMALLEST <= value <= LARGEST:
                raise _size_out_of_range(self.columns, self.rows)
        _whole_number("connect", self.connect)
        if self.allow_unwinnable is True and 1 <= self.connect <= LARGEST:
            if self.connect == 1 and self.first_column > 1:
                raise SizeOutOfRange(
                    Message(
                        "A line of 1 cannot be played with filled outer columns: each of their discs would be a line "
                        "from the beginning. Choose a line length (connect) from {least} to {most}.",
                        least=SHORTEST_LINE,
                        most=LARGEST,
                    )
                )
            return
        if not SHORTEST_LINE <= self.connect <= LARGEST:
            raise _line_out_of_range(self.connect)
        if self.connect > max(self.width, self.rows):
            raise SizeOutOfRange(
                Message(
                    "Nobody can make a line of {connect} on a grid of {columns}x{rows}. "
                    'Choose a shorter line (connect), or add the option "allow-unwinnable=yes".',
                    connect=self.connect,
                    columns=self.width,
                    rows=self.rows,
                )
            )

    def _check_target(self) -> None:
        """Refuse a target that nobody can reach. Source: the rule text, "Pop 10", target."""
        most = (self.columns * self.rows + 1) // 2 - (self.connect - 1)
        if KEEPS not in self.kind.parts or self.allow_unwinnable or self.target <= most:
            return
        if most < 1:
            raise TargetTooHigh(
                Message(
                    "A grid of {columns}x{rows} is too small for Pop 10 with {connect} in a row. Choose a larger one.",
                    columns=self.columns,
                    rows=self.rows,
                    connect=self.connect,
                )
            )
        raise TargetTooHigh(
            Message(
                "Nobody can keep {target} discs on a grid of {columns}x{rows}. "
                'Write the option "target={most}", or a lower one.',
                target=self.target,
                columns=self.columns,
                rows=self.rows,
                most=most,
            )
        )

    @property
    def kind(self) -> GameKind:
        """What the game is made of."""
        return GAMES[self.game]

    @cached_property
    def pops(self) -> bool:
        """Whether a turn may be a pop."""
        return POPS in self.kind.parts

    @cached_property
    def keeps(self) -> bool:
        """Whether popped discs are kept, as in Pop 10."""
        return KEEPS in self.kind.parts

    @cached_property
    def power_discs(self) -> frozenset[PowerDisc]:
        """The power discs that each side has at the beginning."""
        return frozenset(map(PowerDisc, self.powers)) if POWERS in self.kind.parts else frozenset()

    @cached_property
    def first_column(self) -> int:
        """The first column that can be played: 2 where the outer columns are filled."""
        return 2 if FLANKS in self.kind.parts else 1

    @cached_property
    def width(self) -> int:
        """The columns of the whole grid, filled outer ones included."""
        return self.columns + 2 * (self.first_column - 1)

    @property
    def title(self) -> Message:
        """The game's name for people."""
        return self.kind.title

    @cached_property
    def starter(self) -> Side:
        """The side that makes the first move."""
        return Side(self.first)

    @cached_property
    def grid(self) -> Grid:
        """The geometry."""
        return grid(self.width, self.rows, self.connect, self.width > self.columns)

    @cached_property
    def turn_may_pass(self) -> bool:
        """Whether a side can be left without a move while the game goes on.

        Source: the rule text, "no legal move": it cannot happen unless discs are counted, a full grid plays on, or
        only pops are left, as in Pop 10.
        """
        return bool(self.supply) or self.full_grid == "continue" or self.keeps

    @cached_property
    def text(self) -> str:
        """The whole rule set as one line, every option that means something in this game among it."""
        return " ".join([self._heading, *self._option_texts(all_of_them=True)])

    @cached_property
    def short_text(self) -> str:
        """As `text`, with only the options that differ from their defaults."""
        return " ".join([self._heading, *self._option_texts(all_of_them=False)])

    @property
    def _heading(self) -> str:
        return f"{self.game} {self.columns}x{self.rows} connect={self.connect}"

    def _option_texts(self, *, all_of_them: bool) -> list[str]:
        return [
            f"{option.name}={option.write(value)}"
            for option in OPTIONS
            if (value := getattr(self, option.attribute)) != option.default
            or (all_of_them and option.means_something(self.kind.parts))
        ]

    def __str__(self) -> str:
        return self.short_text

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read a rule set: ``popout``, ``popout 9x7``, ``popout 7x6 connect=4 full-grid=claim``.

        The game comes first; the size, the line length and options may follow in any order, each once.

        :raises RuleSetError: it cannot be read or cannot be played; the sentence names the word.
        """
        # Whatever is no text is refused as the text that shows it: there is no such game.
        return _parse(str(text))


@lru_cache(64)
def _parse(text: str) -> RuleSet:
    words = text.lower().split()
    if not words:
        raise RuleSetError(
            Message(
                'The rules are missing. Write a game and a size, for example "{example}".',
                example=EXAMPLE,
            )
        )
    game, *others = words
    _check_begins_with_game(game, others)
    values: dict[str, str | int | bool] = {}
    for word in others:
        found = _option(word) if "=" in word or word in _OPTION_NAMES else _size(word)
        if values.keys() & found.keys():
            raise _said_twice(word)
        values |= found
    return RuleSet(**{**PRESETS.get(game, {"game": game}), **values})  # type: ignore[arg-type]


def _said_twice(word: str) -> RuleSetError:
    name, equals, _ = word.partition("=")
    if not equals:
        return RuleSetError(Message("The rules give the size twice. Leave one of the two out."))
    return RuleSetError(Message('The rules give the option "{option}" twice. Leave one of the two out.', option=name))


def _check_begins_with_game(word: str, others: list[str]) -> None:
    if word[0].isdecimal() or "=" in word or (word not in GAMES and GAMES.keys() & others):
        raise RuleSetError(
            Message(
                'The rules must begin with the game, not with "{word}". Write for example "{example}".',
                word=excerpt(word),
                example=EXAMPLE,
            )
        )


def _size(word: str) -> dict[str, str | int | bool]:
    columns, cross, rows = word.partition("x")
    if not (cross and _is_number(columns) and _is_number(rows)):
        raise RuleSetError(
            Message(
                '"{word}" is neither a size such as 7x6 (columns x rows) nor an option such as connect=4.',
                word=excerpt(word),
            )
        )
    if len(columns) > LONGEST_NUMBER or len(rows) > LONGEST_NUMBER:
        raise _size_out_of_range(columns, rows)
    return {"columns": int(columns), "rows": int(rows)}


def _option(word: str) -> dict[str, str | int | bool]:
    name, equals, value = word.partition("=")
    if name not in _OPTION_NAMES:
        raise _unknown_option(name)
    if not equals:
        raise OptionValue(
            Message(
                'The option "{option}" needs a value. Write for example {example}.',
                option=name,
                example=_OPTION_NAMES[name],
            )
        )
    if name != "connect":
        option = next(each for each in OPTIONS if each.name == name)
        return {option.attribute: option.read(value)}
    if not _is_number(value):
        raise OptionValue(
            Message(
                'The line length in "{word}" must be a whole number from {least} to {most}, for example connect=4.',
                word=excerpt(word),
                least=SHORTEST_LINE,
                most=LARGEST,
            )
        )
    if len(value) > LONGEST_NUMBER or not int(value):  # 0 would be taken for the game's usual length
        raise _line_out_of_range(value)
    return {"connect": int(value)}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _whole_number(name: str, value: object) -> None:
    if type(value) is not int:
        raise OptionValue(
            Message('"{name}" must be a whole number, not {value}.', name=name, value=excerpt(repr(value)))
        )


def _size_out_of_range(columns: object, rows: object) -> SizeOutOfRange:
    return SizeOutOfRange(
        Message(
            "A grid of {columns}x{rows} (columns x rows) cannot be played. Choose from {least} to {most} for each.",
            columns=excerpt(columns),
            rows=excerpt(rows),
            least=SMALLEST,
            most=LARGEST,
        )
    )


def _line_out_of_range(connect: object) -> SizeOutOfRange:
    return SizeOutOfRange(
        Message(
            "A line of {connect} cannot be played. Choose a line length (connect) from {least} to {most}.",
            connect=excerpt(connect),
            least=SHORTEST_LINE,
            most=LARGEST,
        )
    )


def _unknown_option(name: str) -> UnknownOption:
    close = difflib.get_close_matches(excerpt(name), _OPTION_NAMES, 1)
    if close:
        return UnknownOption(
            Message('There is no option "{name}". Did you mean "{close}"?', name=excerpt(name), close=close[0])
        )
    return UnknownOption(
        Message(
            'There is no option "{name}". Write the size as 7x6 (columns x rows). The options are: {known}.',
            name=excerpt(name),
            known=", ".join(_OPTION_NAMES),
        )
    )


_OPTION_NAMES = {"connect": "connect=4"} | {
    option.name: f"{option.name}={option.write(option.default)}" for option in OPTIONS
}
"""What may stand before ``=`` in a rule set, each with an example."""
