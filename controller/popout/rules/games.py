"""The games: what each is made of, and which may be combined.

Source: the rule text, "Combinations".
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from popout.rules.errors import UnknownGame
from popout.rules.messages import Message, excerpt

POPS, FLANKS, POWERS, KEEPS = "pop", "five", "power", "pop10"
"""What a game can have: pops of own discs, filled outer columns, power discs, discs to be kept."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """A game or a combination of games.

    :ivar title: its name for people. :ivar text: what it is, in one sentence. :ivar parts: what it is made of.
    """

    title: Message
    text: Message
    parts: frozenset[str]

    @property
    def pops(self) -> bool:
        """Whether discs are popped in it."""
        return bool(self.parts & {POPS, KEEPS})

    @property
    def usual_connect(self) -> int:
        """How many in a row, unless it is said."""
        return 5 if FLANKS in self.parts else 4


def _kind(title: Message, text: Message, *parts: str) -> GameKind:
    return GameKind(title, text, frozenset(parts))


GAMES: Mapping[str, GameKind] = {
    "standard": _kind(Message("The original"), Message("Drop a disc in turn; the first line wins.")),
    "popout": _kind(
        Message("Pop Out"),
        Message("Drop a disc, or press one of your own out of the bottom row; the first line wins."),
        POPS,
    ),
    "pop10": _kind(
        Message("Pop 10"),
        Message("Fill the grid, then pop discs that are part of a line: the first to keep enough of them wins."),
        KEEPS,
    ),
    "five": _kind(
        Message("5-in-a-Row"),
        Message("Between two filled outer columns, drop a disc in turn; the first five in a row win."),
        FLANKS,
    ),
    "power": _kind(
        Message("Power Up"),
        Message("The original with four power discs a side: anvil, bomb, wall and x2."),
        POWERS,
    ),
    "five+pop": _kind(
        Message("5-in-a-Row with Pop Out"),
        Message("Five in a row between two filled outer columns, with pops out of the bottom row."),
        FLANKS,
        POPS,
    ),
    "power+pop": _kind(
        Message("Power Up with Pop Out"),
        Message("Power discs, and pops out of the bottom row."),
        POWERS,
        POPS,
    ),
    "five+power": _kind(
        Message("5-in-a-Row with Power Up"),
        Message("Five in a row between two filled outer columns, with power discs."),
        FLANKS,
        POWERS,
    ),
    "five+power+pop": _kind(
        Message("5-in-a-Row with Power Up and Pop Out"),
        Message("Five in a row between two filled outer columns, with power discs and pops."),
        FLANKS,
        POWERS,
        POPS,
    ),
    "pop10+five": _kind(
        Message("Pop 10 with 5-in-a-Row"),
        Message("Pop 10 between two filled outer columns, whose discs count in lines of five."),
        KEEPS,
        FLANKS,
    ),
}
"""Every game by its name in records."""

PRESETS: Mapping[str, Mapping[str, str | int]] = {
    "four-the-win": {
        "game": "popout",
        "full_grid": "continue",
        "empty_grid": "continue",
        "repetition": 3,
    },
    "thesis-2014": {"game": "popout", "full_grid": "claim", "empty_grid": "continue"},
    "jocly": {"game": "popout", "both_lines": "draw", "full_grid": "continue", "repetition": 3},
    "drop-out-1979": {"game": "popout", "both_lines": "other"},
}
"""How others play Pop Out, so that their games can be checked: the program Four-The-Win, the program of a thesis of
2014, the program Jocly, and the game "Drop Out" of the TI-99/4A's Connect Four."""

_ALIASES = {"popout": POPS, "pop": POPS, "five": FLANKS, "power": POWERS, "pop10": KEEPS}
_BY_PARTS = {kind.parts: name for name, kind in GAMES.items()}


def game_called(name: str) -> str:
    """The name in records of a game that is written as `name`: parts joined by ``+`` in any order.

    :raises UnknownGame: there is no such game, or these are no games to combine; the sentence says why.
    """
    if name in GAMES:
        return name
    words = name.split("+")
    if len(words) == 1 and name != POPS:
        raise _no_such_game(name)
    for word in words:
        if word == "standard":
            raise UnknownGame(
                Message("The original is not combined with another game: leave it out of {name}.", name=excerpt(name))
            )
        if word not in _ALIASES:
            raise _no_such_game(word)
    parts = frozenset(_ALIASES[word] for word in words)
    if len(parts) < len(words):
        raise UnknownGame(Message("{name} names a game twice. Leave one of the two out.", name=excerpt(name)))
    if parts not in _BY_PARTS:
        if POPS in parts:
            raise UnknownGame(
                Message("Pop 10 cannot be combined with Pop Out: no rule says what a disc that is popped would do.")
            )
        raise UnknownGame(
            Message("Pop 10 cannot be combined with Power Up: no rule says what a power disc would do in it.")
        )
    return _BY_PARTS[parts]


def _no_such_game(name: str) -> UnknownGame:
    known = [*GAMES, *PRESETS]
    close = difflib.get_close_matches(excerpt(name), known, 1)
    if close:
        return UnknownGame(
            Message('There is no game "{name}". Did you mean "{close}"?', name=excerpt(name), close=close[0])
        )
    return UnknownGame(
        Message('There is no game "{name}". Choose one of: {known}.', name=excerpt(name), known=", ".join(GAMES))
    )
