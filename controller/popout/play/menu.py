"""The menu on the board itself: which entry each column offers. Pure.

A board may have more entries than columns; then the last column turns to the next page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from popout.opponent.levels import LEVELS
from popout.play.seats import level_title
from popout.record.journal import Levels
from popout.rules import GAMES, Claim, Game, Message, Power, PowerDisc, RuleSet, Side
from popout.rules.games import FLANKS, KEEPS
from popout.rules.messages import N_
from popout.rules.options import OPTIONS

MenuLevel = Literal["main", "games", "powers", "opponent", "levels", "resume", "telling"]
"""``resume`` is the question after a start, ``telling`` what to do with what was told to be on the board."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One thing to choose: a stable code, such as ``new`` or ``game popout``, and what it is called."""

    code: str
    text: Message


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu: which list, which page of it (from 0), and when it was last touched, in milliseconds."""

    level: MenuLevel
    page: int
    touched: float

    @property
    def title(self) -> Message:
        """What the list is about."""
        return Message(_TITLES[self.level])


_TITLES = N_(
    {
        "main": "Menu: tap a lit column",
        "games": "Which game?",
        "powers": "Which power disc?",
        "opponent": "Which side shall the opponent play?",
        "levels": "How good shall the opponent be?",
        "resume": "Go on with the last game, or begin a new one?",
        "telling": "What shall be done with what you said is on the board?",
    }
)

NOBODY: Levels = {}
"""No side is played by an opponent."""

MORE = MenuEntry("more", Message("More"))
_CONTINUE = MenuEntry("continue", Message("Continue"))
_NEW = MenuEntry("new", Message("New game"))

_GAME = "game "
_POWER = "power "
_LEVEL = "level "

POWER_TITLES = {
    PowerDisc.ANVIL: Message("Anvil"),
    PowerDisc.BOMB: Message("Bomb"),
    PowerDisc.WALL: Message("Wall"),
    PowerDisc.DOUBLE: Message("x2"),
}


def shown(menu: Menu, game: Game, columns: int, levels: Levels = NOBODY) -> dict[int, MenuEntry]:
    """What each column of the board offers; a column that is not named offers nothing.

    :param levels: the sides that an opponent plays.

    An entry always has the same column, so that hands learn it: one that would do nothing now leaves its column dark.
    """
    if columns == 1:
        return {1: _NEW}
    entries = _entries(menu, game, levels)
    if len(entries) <= columns:
        offered = dict(enumerate(entries, 1))
    else:
        room = columns - 1
        first = menu.page * room % (-(-len(entries) // room) * room)
        offered = {**dict(enumerate(entries[first : first + room], 1)), columns: MORE}
    return {column: entry for column, entry in offered.items() if entry}


def rules_of(code: str, rules: RuleSet) -> RuleSet | None:
    """The rules of the game that an entry with this code begins, after one by `rules`; None if it begins none.

    The size, the length of a line and what else both games know stay as they are.
    """
    if code == "new":
        return rules
    if code == "swap":
        return replace(rules, first=rules.starter.other.value)
    if not code.startswith(_GAME):
        return None
    game = code.removeprefix(_GAME)
    kind = GAMES[game]
    # What the other game knows nothing of is not decided.
    changed: dict[str, Any] = {
        option.attribute: option.default for option in OPTIONS if not option.means_something(kind.parts)
    }
    longest = max(rules.columns + (2 if FLANKS in kind.parts else 0), rules.rows)
    if rules.connect == min(rules.kind.usual_connect, max(rules.width, rules.rows)):
        changed["connect"] = min(kind.usual_connect, longest)
    if KEEPS in kind.parts:
        # A small board has not enough discs for ten; hands on its buttons cannot say another number.
        most = (rules.columns * rules.rows + 1) // 2 - (changed.get("connect", rules.connect) - 1)
        changed["target"] = max(min(rules.target, most), 1)
    return replace(rules, game=game, **changed)


def power_of(code: str) -> PowerDisc | None:
    """The power disc that an entry with this code chooses, None if it chooses none."""
    return PowerDisc(code.removeprefix(_POWER)) if code.startswith(_POWER) else None


def level_of(code: str) -> int | None:
    """The level of the opponent that an entry with this code chooses, None if it chooses none."""
    return int(code.removeprefix(_LEVEL)) if code.startswith(_LEVEL) else None


def _entries(menu: Menu, game: Game, levels: Levels) -> list[MenuEntry | None]:
    if menu.level == "games":
        return [MenuEntry(f"{_GAME}{name}", kind.title) for name, kind in GAMES.items()]
    if menu.level == "resume":
        return [_CONTINUE, _NEW]
    if menu.level == "telling":
        return [
            MenuEntry("guide", Message("Lead me to put the discs right")),
            MenuEntry("set red", Message("Take it as it is: red to move")),
            MenuEntry("set yellow", Message("Take it as it is: yellow to move")),
            MenuEntry("believe", Message("Forget what I said")),
        ]
    if menu.level == "opponent":
        return [
            MenuEntry("opponent off", Message("None: people play both sides")),
            MenuEntry("opponent red", Message("Red")),
            MenuEntry("opponent yellow", Message("Yellow")),
            MenuEntry("opponent both", Message("Both sides")),
            MenuEntry("swap-sides", Message("Swap sides")) if levels and len({*map(levels.get, Side)}) > 1 else None,
            MenuEntry("levels", Message("Its level")) if levels else None,
        ]
    if menu.level == "levels":
        return [MenuEntry(f"{_LEVEL}{level.number}", level_title(level.number)) for level in LEVELS]
    playable = {move.disc for move in game.legal_moves if isinstance(move, Power)}
    if menu.level == "powers":
        return [
            *(
                MenuEntry(f"{_POWER}{disc.value}", text) if disc in playable else None
                for disc, text in POWER_TITLES.items()
            ),
            MenuEntry("ordinary", Message("An ordinary disc")),
        ]
    moved, over = bool(game.moves), game.outcome is not None
    hint = game.turn is not None and game.turn not in levels
    return [
        _CONTINUE,
        _NEW,
        MenuEntry("games", Message("Other rules")),
        MenuEntry("take-back", Message("Take back")) if moved or game.agreed else None,
        MenuEntry("show-last", Message("Show the last move")) if moved else None,
        *([MenuEntry("powers", Message("Power disc")) if playable else None] if game.rules.power_discs else []),
        *([MenuEntry("show-kept", Message("Show the kept discs"))] if game.rules.keeps else []),
        MenuEntry("swap", Message("New game, the other side starts")),
        MenuEntry("lamps", Message("Test the lamps")),
        MenuEntry("draw", Message("Agree on a draw")) if moved and not over else None,
        MenuEntry("claim", Message("Claim the draw")) if Claim() in game.legal_moves else None,
        MenuEntry("tell", Message("Something is wrong on the board")),
        MenuEntry("hint", Message("Show a good move")) if hint else None,
        MenuEntry("opponent", Message("The opponent")),
    ]
