"""What the board is being used for at the moment, and the scene that its lamps show. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from popout.play import gestures, scene
from popout.play.consequences import column_cells, moved_cells
from popout.play.correction import Correction
from popout.play.menu import Menu, shown
from popout.play.telling import Telling
from popout.rules import RED, YELLOW, Claim, Drop, Move, Phase, Pop, Position, Power, PowerDisc

if TYPE_CHECKING:
    from popout.play.controller import Controller


@dataclass(frozen=True, slots=True)
class Playing:
    """A game, or the end of one."""


@dataclass(frozen=True, slots=True)
class ShowingLastMove:
    """The last move is shown, since `since` in milliseconds."""

    since: float


@dataclass(frozen=True, slots=True)
class ShowingKept:
    """The discs that both sides have kept are shown as so many lit cells, since `since` in milliseconds."""

    since: float


@dataclass(frozen=True, slots=True)
class LampTesting:
    """Every lamp is lit in turn, since `since` in milliseconds."""

    since: float


_FOLLOWING = {Phase.BOMB: PowerDisc.BOMB, Phase.WALL: PowerDisc.WALL, Phase.DOUBLE: PowerDisc.DOUBLE}

Overlay = ShowingLastMove | ShowingKept | LampTesting | Menu
Mode = Playing | Correction | Telling | Overlay


def scene_of(controller: Controller) -> scene.Scene:
    """The scene on the table, from which the light of the lamps is computed."""
    game = controller.game
    position, outcome = game.position, game.outcome
    moves = game.legal_moves
    if controller.is_opponents_turn:
        moves = ()  # no hand may make any but the one that is shown
    telling = controller.mode if isinstance(controller.mode, Telling) else None
    return scene.Scene(
        grid=telling.told if telling else position.grid,
        rows=game.rules.rows,
        turn=game.turn,
        last=moved_cells(game.moves[-1], position) if game.moves and not outcome else (),
        legal_drops=tuple(move.column for move in moves if may_be_dropped(move, controller.armed)),
        legal_pops=tuple(move.column for move in moves if isinstance(move, Pop)),
        bar_open=controller.gesture.bar_open,
        mode=_mode(controller),
        power=power_at_work(controller),
        flash=controller.flash,
        trouble_since=controller.trouble[2] if controller.trouble else None,
    )


def may_be_dropped(move: Move, armed: PowerDisc | None) -> TypeGuard[Drop | Power]:
    """Whether `move` is a drop of the disc that is chosen: a power disc, or None for an ordinary one."""
    return isinstance(move, Power) and move.disc is armed if armed else isinstance(move, Drop)


def holding(controller: Controller) -> tuple[tuple[int, ...], float, float] | None:
    """The columns (of the grid) that are held, since when, and when that means a take-back or the menu."""
    settings, state, outer = controller.settings, controller.gesture, controller.outer
    match state:
        case gestures.CountingDown(button, since):
            return (button.column + outer,), since + settings.count_down_after_ms, since + settings.take_back_hold_ms
        case gestures.BothHeld(buttons, since):
            return tuple(sorted(button.column + outer for button in buttons)), since, since + settings.menu_hold_ms
    return None


def pressed_move(controller: Controller) -> Drop | Pop | Power | None:
    """The move that the press under way will make; None if none is, or it will be refused."""
    press, game = controller.press, controller.game
    if (
        press is None
        or press.side is game.position.turn.other
        or isinstance(controller.mode, Menu | Telling | Correction)
    ):
        return None
    move = controller.move_at(press.column, bar_open=press.bar_open)
    if controller.is_opponents_turn and (controller.chosen is None or move != controller.chosen.move):
        return None
    return move if move in game.legal_moves else None


def power_at_work(controller: Controller) -> PowerDisc | None:
    """The power disc that is chosen for the next drop, or whose follow-up step is waited for; None if none is."""
    chosen = controller.chosen.move if controller.chosen else None
    if isinstance(chosen, Power):
        return chosen.disc
    return controller.armed or _FOLLOWING.get(controller.game.position.phase)


def landing_row(position: Position, column: int) -> int | None:
    """The row in which a disc dropped into `column` would land; None if it is full."""
    discs = len(position.grid[column - 1])
    return discs + 1 if discs < position.rules.rows else None


def _mode(controller: Controller) -> scene.Mode:
    game, mode, press = controller.game, controller.mode, controller.press
    match mode:
        case Menu():
            return scene.MenuShown(
                tuple(
                    column + controller.outer
                    for column in shown(mode, game, controller.layout.columns, controller.levels)
                ),
                controller.outer,
            )
        case Correction():
            return scene.Correcting(mode.steps[0].cell, mode.steps[0].disc, mode.since)
        case Telling(disc=disc, touched=touched):
            return scene.TellingShown(mode.differing(game.position), disc, touched)
        case LampTesting(since):
            return scene.LampTest(since)
        case ShowingKept(since):
            return scene.KeptShown(game.position.kept(RED), game.position.kept(YELLOW), since)
    held = holding(controller)
    if held:
        return scene.CountingDown(*held)
    if isinstance(mode, ShowingLastMove) and game.moves:
        move = game.moves[-1]
        return scene.ShowingLast(moved_cells(move, game.position) or column_cells(move, game.position), mode.since)
    outcome = game.outcome
    if outcome and outcome.winner:
        winner = outcome.winner
        return scene.Won(winner, outcome.lines(winner), outcome.lines(winner.other), controller.ended_at)
    if outcome:
        return scene.Drawn(controller.ended_at)
    if press:
        tentative = pressed_move(controller)
        # Where the move would be refused, only the column's lamp answers the finger.
        return scene.Pressing(
            press.column,
            isinstance(tentative, Pop),
            game.position.turn,
            landing_row(game.position, press.column) if isinstance(tentative, Drop | Power) else None,
            press.time,
        )
    chosen = controller.chosen
    if chosen and not isinstance(chosen.move, Claim):
        move = chosen.move
        return scene.Announced(
            move.column,
            isinstance(move, Pop),
            chosen.side,
            None if isinstance(move, Pop) else landing_row(game.position, move.column),
            chosen.since,
        )
    return scene.Waiting()
