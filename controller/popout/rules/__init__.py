"""The rules core: what may be done on a grid, what it leads to, and why.

Pure: no clock, no input or output, and nothing else of the project. A `Position` is a value; `position.play(move)` is
the next one or an error that says which rule forbids it::

    from popout.rules import RED, Drop, Position, RuleSet

    position = Position.start(RuleSet.parse("popout 7x6"))
    position = position.play(Drop(4))
    position.legal_moves, position.turn, position.outcome
"""

from popout.rules.errors import IllegalMove, NotationError, RuleSetError, SetupError
from popout.rules.explain import Reason, describe, passed_over, waiting_for, why_ended, why_illegal
from popout.rules.game import Game
from popout.rules.games import GAMES
from popout.rules.grid import Cell, Line
from popout.rules.messages import Message, PopoutError
from popout.rules.moves import Claim, Drop, Move, Pop, Power, PowerDisc
from popout.rules.notation import (
    Record,
    RecordFault,
    parse_move,
    parse_records,
    parse_turn,
    read_records,
    replay,
    result_text,
    write_record,
)
from popout.rules.outcome import Outcome, Termination
from popout.rules.phases import Phase
from popout.rules.position import Position
from popout.rules.ruleset import RuleSet
from popout.rules.setup import draw, parse_position, position_text, set_up
from popout.rules.side import RED, YELLOW, Side

__all__ = [
    "GAMES",
    "RED",
    "YELLOW",
    "Cell",
    "Claim",
    "Drop",
    "Game",
    "IllegalMove",
    "Line",
    "Message",
    "Move",
    "NotationError",
    "Outcome",
    "Phase",
    "Pop",
    "PopoutError",
    "Position",
    "Power",
    "PowerDisc",
    "Reason",
    "Record",
    "RecordFault",
    "RuleSet",
    "RuleSetError",
    "SetupError",
    "Side",
    "Termination",
    "describe",
    "draw",
    "parse_move",
    "parse_position",
    "parse_records",
    "parse_turn",
    "passed_over",
    "position_text",
    "read_records",
    "replay",
    "result_text",
    "set_up",
    "waiting_for",
    "why_ended",
    "why_illegal",
    "write_record",
]
