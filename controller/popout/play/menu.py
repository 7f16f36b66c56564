"""The menu on the board itself: which entry each column offers. Pure.

A board may have more entries than columns; then the last column turns to the next page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from popout.rules import GAMES, Claim, Game, Message, RuleSet
from popout.rules.options import OPTIONS


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One thing to choose: a stable code, such as ``new`` or ``game popout``, and what it is called."""

    code: str
    text: Message


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu: which list, which page of it (from 0), and when it was last touched, in milliseconds."""

    level: Literal["main", "games"]
    page: int
    touched: float


MORE = MenuEntry("more", Message("More"))
_NEW = MenuEntry("new", Message("New game"))

_GAME = "game "


def shown(menu: Menu, game: Game, columns: int) -> dict[int, MenuEntry]:
    """What each column of the board offers; a column that is not named offers nothing.

    An entry always has the same column, so that hands learn it: one that would do nothing now leaves its column dark.
    """
    if columns == 1:
        return {1: _NEW}
    entries = _entries(menu, game)
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
    # Where there are no pops, what is decided about them is not decided.
    usual: dict[str, Any] = {
        option.attribute: option.default for option in OPTIONS if option.needs_pops and not GAMES[game].pops
    }
    return replace(rules, game=game, **usual)


def _entries(menu: Menu, game: Game) -> list[MenuEntry | None]:
    if menu.level == "games":
        return [MenuEntry(f"{_GAME}{name}", kind.title) for name, kind in GAMES.items()]
    moved, over = bool(game.moves), game.outcome is not None
    return [
        MenuEntry("continue", Message("Continue")),
        _NEW,
        MenuEntry("games", Message("Other rules")),
        MenuEntry("take-back", Message("Take back")) if moved or game.agreed else None,
        MenuEntry("show-last", Message("Show the last move")) if moved else None,
        MenuEntry("swap", Message("New game, the other side starts")),
        MenuEntry("lamps", Message("Test the lamps")),
        MenuEntry("draw", Message("Agree on a draw")) if moved and not over else None,
        MenuEntry("claim", Message("Claim the draw")) if Claim() in game.legal_moves else None,
    ]
