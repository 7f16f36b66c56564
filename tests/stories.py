"""What the stories about the rules are told with: boards drawn as text, moves written as in a record."""

from __future__ import annotations

from textwrap import dedent

import pytest

from popout.rules import (
    Game,
    IllegalMove,
    Move,
    Position,
    RuleSet,
    draw,
    parse_move,
    parse_position,
    parse_turn,
    waiting_for,
    why_ended,
)


def drawn(rules: str, drawing: str) -> Position:
    """The drawn position; the drawing's last line says the side to move and what else there is."""
    return parse_position(dedent(drawing), RuleSet.parse(rules))


def played(rules: str, moves: str) -> Position:
    """The position after moves from the beginning; a turn may be one word, such as ``b4p2``."""
    return after(Position.start(RuleSet.parse(rules)), moves)


def after(position: Position, moves: str) -> Position:
    """The position after more moves."""
    for word in moves.split():
        for move in parse_turn(word):
            position = position.play(move)
    return position


def game_after(position: Position, moves: str) -> Game:
    """The game that begins with a position, after moves."""
    game = Game.from_position(position)
    for word in moves.split():
        for move in parse_turn(word):
            game = game.play(move)
    return game


def game_of(rules: str, moves: str = "") -> Game:
    """The game after moves from its beginning."""
    return game_after(Position.start(RuleSet.parse(rules)), moves)


def looks_like(position: Position, drawing: str) -> bool:
    """Whether the discs lie as drawn."""
    return draw(position) == dedent(drawing).strip()


def legal(position: Position) -> str:
    """The legal moves as a record writes them."""
    return " ".join(map(str, position.legal_moves))


def refused(position: Position, move: Move | str) -> tuple[str, str]:
    """The code and the sentence with which a move is refused, after a look that nothing has changed."""
    move = parse_move(move) if isinstance(move, str) else move
    before = tuple(position)
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    assert tuple(position) == before
    assert move not in position.legal_moves
    return caught.value.code, str(caught.value)


def waits(position: Position) -> str:
    """What a position says that it waits for."""
    return str(waiting_for(position))


def ending(game: Game) -> str:
    """Why the game ended."""
    reason = why_ended(game)
    assert reason is not None
    return str(reason.message)
