"""What the entries of the board's menu do when they are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from popout.play.menu import Menu, level_of, power_of, rules_of
from popout.play.modes import LampTesting, ShowingKept, ShowingLastMove
from popout.rules import RED, YELLOW, Claim, Side

if TYPE_CHECKING:
    from popout.play.controller import Controller

_SIDES: dict[str, tuple[Side, ...]] = {
    "opponent off": (),
    "opponent red": (RED,),
    "opponent yellow": (YELLOW,),
    "opponent both": (RED, YELLOW),
}


def choose(controller: Controller, menu: Menu, code: str, now: float) -> None:
    """Do what the entry with this code offers; see `popout.play.menu`. The menu has been left.

    :raises PopoutError: it cannot be done; the message says why.
    """
    match code:
        case "continue":
            controller.go_on(now)
        case "more":
            controller.overlay = Menu(menu.level, menu.page + 1, now)
        case "games" | "powers" | "opponent" | "levels":
            controller.overlay = Menu(code, 0, now)
        case "take-back":
            controller.take_back()
        case "ordinary":
            controller.arm(None)
        case "show-kept":
            controller.overlay = ShowingKept(now)
        case "show-last":
            controller.overlay = ShowingLastMove(now)
        case "hint":
            controller.hint(now)
        case "opponent off" | "opponent red" | "opponent yellow" | "opponent both":
            controller.seat_at_usual_levels(_SIDES[code])
        case "swap-sides":
            controller.swap_sides()
        case "lamps":
            controller.overlay = LampTesting(now)
        case "draw":
            controller.agree_draw()
        case "claim":
            controller.play(Claim())
        case "tell":
            controller.tell(now)
        case "guide" | "set red" | "set yellow" if controller.telling:
            outer = controller.outer
            told = controller.telling.told[outer : outer + controller.game.rules.columns]
            if code == "guide":
                controller.correct(told, now)
            else:
                controller.set_up(told, RED if code == "set red" else YELLOW)
        case "believe":
            controller.telling = None
        case _ if level := level_of(code):
            controller.seat(dict.fromkeys(controller.levels, level))
        case _ if disc := power_of(code):
            controller.arm(disc)
        case _ if rules := rules_of(code, controller.game.rules):
            controller.new_game(rules)
