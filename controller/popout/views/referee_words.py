"""The referee's answers as text for people and as plain objects for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from popout.locale import Catalogue
from popout.rules import Game, Message, Side, describe, why_ended, write_record
from popout.rules.messages import excerpt
from popout.views import words
from popout.views.drawing import Style, draw_game, wrap
from popout.views.referee import Answer, Changed, Judged, Leaving, Referee, Refused, Saving, Shown, Told

INDENT = "   "


def as_lines(answer: Answer, catalogue: Catalogue, style: Style, *, draw: bool) -> tuple[str, ...]:
    """The text of an answer, a text a line. With `draw` the board is drawn after everything that changed it."""

    def say(*messages: Message, indent: str = "") -> list[str]:
        return [line for message in messages for line in wrap(indent + catalogue.text(message), style)]

    match answer:
        case Judged(game):
            said = [*say(words.last_move(game), *words.remarks(game)), *say(*words.lines_of(game), indent=INDENT)]
            return (*(_board(game, style) if draw else ()), *said)
        case Changed(command, message, game, left):
            new_board = _board(game, style) if draw and command in ("undo", "new") else ()
            record = (*say(_NOT_SAVED), *write_record(left).splitlines()) if left else ()
            return (*record, *(new_board or (record and [""])), *say(message))
        case Refused():
            return tuple(say(*refusal(answer)))
        case Told(_, messages):
            return tuple(say(*messages))
        case Shown(game):
            return (*_board(game, style), *say(words.status(game)))
        case Saving() | Leaving():
            return ()


def refusal(answer: Refused) -> tuple[Message, ...]:
    """Why something was refused, that nothing has changed, and what was not looked at."""
    first = answer.message
    if answer.move:
        first = Message(
            "{move} is refused. {why} Nothing has changed. {now}",
            move=answer.said,
            why=answer.message,
            now=words.status(answer.game),
        )
    if not answer.left_out:
        return (first,)
    return first, Message("The rest of the line was not looked at: {rest}", rest=excerpt(" ".join(answer.left_out)))


def as_object(answer: Answer, catalogue: Catalogue) -> dict[str, Any]:
    """An answer for a program: ``event`` says which, ``sentence`` says it to a person.

    Every answer about a game has `state` in it. A move, legal or not, has ``legal`` and ``code`` as well.
    """
    match answer:
        case Judged(game):
            ply = len(game.moves)
            return {
                "event": "move",
                "legal": True,
                "code": "legal",
                "move": str(game.moves[-1]),
                "ply": ply,
                "side": game.mover(ply).value,
                "sentence": catalogue.text(describe(game.moves[-1], game.positions[-2])),
                "remarks": [catalogue.text(remark) for remark in words.remarks(game)],
                "passed": game.passed.value if game.passed else None,
                "repetitions": game.repetitions,
                **state(game, catalogue),
            }
        case Refused(said, code, message, game, move, left_out):
            return {
                "event": "refused",
                "legal": False,
                "code": code,
                "move": said if move else None,
                "said": said,
                "sentence": catalogue.text(message),
                "left_out": list(left_out),
                **state(game, catalogue),
            }
        case Changed(command, message, game, left):
            return {
                "event": command,
                "sentence": catalogue.text(message),
                "left": write_record(left) if left else None,
                **state(game, catalogue),
            }
        case Told(command, messages):
            return {"event": command, "sentences": [catalogue.text(message) for message in messages]}
        case Shown(game):
            return {"event": "board", "sentence": catalogue.text(words.status(game)), **state(game, catalogue)}
        case Saving(path):
            return {"event": "save", "path": path}
        case Leaving():
            return {"event": "quit"}


def state(game: Game, catalogue: Catalogue) -> dict[str, Any]:
    """A game as it stands: number of moves, side to move (null after the end), grid, outcome (null before it)."""
    outcome, ended = game.outcome, why_ended(game)
    return {
        "moves": len(game.moves),
        "turn": game.turn.value if game.turn else None,
        "grid": list(game.position.grid),
        "outcome": outcome
        and ended
        and {
            "winner": outcome.winner.value if outcome.winner else None,
            "termination": outcome.termination.value,
            "sentence": catalogue.text(ended.message),
            "lines": {side.value: [[list(cell) for cell in line] for line in outcome.lines(side)] for side in Side},
        },
    }


def farewell(referee: Referee, tags: Mapping[str, str], catalogue: Catalogue, *, record: bool) -> tuple[str, ...]:
    """What is said at the end: what became of the game, how much was refused, and the game's record.

    Without `record` it is left out if it is in a file already.
    """
    if not referee.game.moves:
        return (catalogue.text(Message("No move was made.")),)
    said = [words.verdict(referee.game)]
    if referee.refused:
        said.append(
            Message("{count} entry was refused.", plural="{count} entries were refused.", count=referee.refused)
        )
    texts = map(catalogue.text, said)
    if not record and not referee.unsaved:
        return tuple(texts)
    return (*texts, "", *write_record(referee.game, tags).splitlines())


def farewell_object(referee: Referee, tags: Mapping[str, str], catalogue: Catalogue) -> dict[str, Any]:
    """`farewell` for a program."""
    return {
        "event": "end",
        "sentence": catalogue.text(words.verdict(referee.game)),
        "refused": referee.refused,
        "record": write_record(referee.game, tags),
        **state(referee.game, catalogue),
    }


def _board(game: Game, style: Style) -> tuple[str, ...]:
    return ("", *draw_game(game, style), "")


_NOT_SAVED = Message("The game before was not saved. This is its record:")
