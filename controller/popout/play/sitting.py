"""Sitting down at a board: the game that goes on there, or the one that begins."""

from __future__ import annotations

from popout.board.layout import Layout
from popout.play.desk import check_fits, fits
from popout.play.seats import OFF, read_levels
from popout.play.settings import Settings
from popout.record.journal import Entry, Levels, last_levels
from popout.record.store import GameUnreadable, Store
from popout.rules import Game, Message, RuleSet
from popout.rules.ruleset import SHORTEST_LINE


def sit_down(
    store: Store,
    layout: Layout,
    settings: Settings,
    rules: RuleSet | None,
    *,
    anew: bool,
    resizable: bool,
    opponent: Levels | None,
) -> tuple[Game, Levels, list[Message]]:
    """The game, the sides that an opponent plays, and what was wrong with the record.

    A game begins if there is none, if the last one does not fit the board, cannot be read or is not by `rules` (None:
    whichever they are), or if `anew` says so. The last one stays in the record.

    :param opponent: the sides that an opponent is to play; None: those that the record of the game names, or where it
        has never said, those in the settings.
    :raises RecordError: the record cannot be read or written.
    :raises WrongBoard: `rules` are for another size, and the board is not `resizable`.
    """
    wrong = [store.recovered] if store.recovered else []
    game = None
    try:
        game = None if anew else store.game()
    except GameUnreadable as error:
        # A board that nobody can ask must not stay dead for it.
        wrong.append(error.message)
    recorded: Levels | None = None
    if game and (rules is None or game.rules == rules) and (resizable or fits(game.rules, layout)):
        recorded = last_levels(store.current())
    else:
        rules = rules or _usual_rules(layout)
        if not resizable:
            check_fits(rules, layout)
        game = Game.start(rules)
        store.append(Entry.new(rules), game)
    levels = recorded if opponent is None else opponent
    if levels is None:
        levels = read_levels(settings.opponent or OFF)
    if levels != recorded and (levels or recorded or opponent is not None):
        store.append(Entry.opponent(levels), game)
    return game, levels, wrong


def _usual_rules(layout: Layout) -> RuleSet:
    """Pop Out with four in a row, or as many as a small board has room for."""
    longest = max(layout.columns, layout.rows)
    connect = max(SHORTEST_LINE, min(4, longest))
    return RuleSet("popout", layout.columns, layout.rows, connect, allow_unwinnable=connect > longest)
