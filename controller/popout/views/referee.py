"""The referee of a game on a plain set: somebody says the moves, the referee says what they are.

Pure: lines of text in, answers out. `popout.views.referee_words` puts an answer into words, the command
`popout referee` reads and prints::

    referee = Referee(Game.start(RuleSet.parse("popout 7x6")))
    for answer in referee.hear("d4 d4 p4"):
        ...
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from popout.rules import (
    RED,
    YELLOW,
    Game,
    Message,
    NotationError,
    PopoutError,
    RuleSet,
    parse_turn,
    why_ended,
    why_illegal,
)
from popout.rules.messages import excerpt
from popout.rules.notation import TAGS
from popout.views import referee_texts as texts
from popout.views import words

COMMANDS = (
    "undo",
    "board",
    "moves",
    "rules",
    "draw",
    "resign",
    "save",
    "save!",
    "new",
    "why",
    "help",
    "quit",
)
SHORT = {"u": "undo", "?": "help", "h": "help", "q": "quit", "exit": "quit"}

_NUMBER = re.compile(r"\d+\.+")
_RECORD_LINE = re.compile(rf"\s*({'|'.join(('rules', 'start', 'moves', 'result', *TAGS))})\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Judged:
    """A legal move was made; `game` is the game after it."""

    game: Game


@dataclass(frozen=True, slots=True)
class Refused:
    """Something was not done, and nothing has changed.

    :ivar said: the word that was refused. :ivar code: a stable code. :ivar message: why, and what to do instead.
    :ivar move: whether it was a move that could be read; otherwise it was a command, or no word that the referee knows.
    :ivar left_out: what stood behind it on the same line and was not looked at.
    """

    said: str
    code: str
    message: Message
    game: Game
    move: bool = False
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changed:
    """A command changed the game.

    :ivar left: the game that was left unfinished or unsaved for a new one, None if there was none.
    """

    command: Literal["undo", "draw", "resign", "new"]
    message: Message
    game: Game
    left: Game | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """An answer to a question; nothing has changed."""

    command: Literal["moves", "rules", "why", "help", "save"]
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The board is to be drawn."""

    game: Game


@dataclass(frozen=True, slots=True)
class Saving:
    """The record of `game` is to be written to the file `path`.

    :ivar replace: whether a file that is there already may be overwritten.
    """

    path: str
    game: Game
    replace: bool


@dataclass(frozen=True, slots=True)
class Leaving:
    """The referee is to go."""


Answer = Judged | Refused | Changed | Told | Shown | Saving | Leaving


class _Refusal(PopoutError, ValueError):
    """A command that cannot be done."""

    code = "command"


class Referee:
    """Follows one game after another.

    :ivar game: the game now. :ivar refused: how many words were refused so far.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.refused = 0
        self._refusal: Refused | None = None
        self._kept = game

    def hear(self, line: str) -> tuple[Answer, ...]:
        """What the referee says to a line: moves, each judged in turn, or one command.

        At the first word that is refused the rest of the line is left out, since whoever wrote it was thinking of
        another position. ``#`` begins a comment; numbers of moves (``1.``) are passed over.
        """
        first, _, path = line.strip().partition(" ")
        if first.lower() in ("save", "save!"):
            return (self._save(path.strip(), replace=first.endswith("!")),)
        found = line.partition("#")[0].split()
        if not found:
            return ()
        if self.command_of(found[0]):
            return (self._do(found[0], found[1:]),)
        if _RECORD_LINE.match(line):
            return (self.refuse(found[0], "record-line", texts.A_RECORD),)
        answers: list[Answer] = []
        while found:
            word = _NUMBER.sub("", found.pop(0), count=1)
            if not word:
                continue
            answers += self._judge_word(word, tuple(found))
            if isinstance(answers[-1], Refused):
                break
        return tuple(answers)

    def saved(self, wanted: Saving) -> Answer:
        """What to say when a record was written as wanted."""
        self._kept = wanted.game
        return Told("save", (Message("The record is in {path}.", path=wanted.path),))

    @property
    def unsaved(self) -> bool:
        """Whether there are moves that are in no file."""
        return bool(self.game.moves) and self.game != self._kept

    @staticmethod
    def command_of(word: str) -> str | None:
        """The command that `word` is, None if it is none."""
        word = word.lower()
        word = SHORT.get(word, word)
        return word if word in COMMANDS else None

    # Moves

    def _judge_word(self, word: str, rest: tuple[str, ...]) -> list[Answer]:
        """The answers to a word, which may hold two steps of one turn, such as ``b4p2``."""
        try:
            moves = parse_turn(word)
        except NotationError as error:
            return [self.refuse(word, error.code, self._no_move(word, error), left_out=rest)]
        answers: list[Answer] = []
        for move in moves:
            reason = why_illegal(self.game, move)
            if reason:
                return [*answers, self.refuse(str(move), reason.code, reason.message, move=True, left_out=rest)]
            self.game = self.game.play(move)
            self._refusal = None
            answers.append(Judged(self.game))
        return answers

    def _no_move(self, word: str, error: NotationError) -> Message:
        if command := self.command_of(word):
            return Message('"{command}" is a command. Write it on a line of its own.', command=command)
        close = difflib.get_close_matches(word.lower(), COMMANDS, 1)
        if close:
            return Message(
                '"{word}" is neither a move nor a command. Did you mean "{close}"?', word=excerpt(word), close=close[0]
            )
        return Message('{why} Write "help" for the commands.', why=error.message)

    def refuse(
        self, said: str, code: str, message: Message, *, move: bool = False, left_out: tuple[str, ...] = ()
    ) -> Refused:
        """What to say when something cannot be done, also when whoever asks could not do it."""
        self.refused += 1
        self._refusal = Refused(said, code, message, self.game, move, left_out)
        return self._refusal

    # Commands

    def _do(self, said: str, rest: list[str]) -> Answer:
        command = self.command_of(said)
        try:
            match command:
                case "new":
                    return self._new(rest)
                case "undo":
                    return self._undo(rest)
                case "resign":
                    return self._resign(rest)
            if rest:
                raise _Refusal(
                    Message('"{command}" stands alone: leave out "{rest}".', command=said, rest=excerpt(" ".join(rest)))
                )
            match command:
                case "board":
                    return Shown(self.game)
                case "moves":
                    return Told("moves", texts.moves(self.game))
                case "rules":
                    return Told("rules", texts.rules(self.game.rules))
                case "why":
                    return Told("why", self._why())
                case "draw":
                    return self._change("draw", self.game.agree_draw())
                case "quit":
                    return Leaving()
            return Told("help", texts.commands(self.game.rules))
        except PopoutError as error:
            return self.refuse(" ".join([said, *rest]), error.code, error.message)

    def _undo(self, rest: list[str]) -> Answer:
        count = rest[0] if rest else "1"
        if len(rest) > 1 or not (count.isascii() and count.isdecimal() and len(count) < 7 and int(count)):
            raise _Refusal(Message('Write how many moves to take back, for example "{example}".', example="undo 2"))
        before = self.game
        after = before.take_back(int(count))
        if int(count) > 1:
            text = Message("{moves} moves are taken back. {now}", moves=int(count), now=words.status(after))
        elif before.agreed:
            text = Message("The end of the game is taken back. {now}", now=words.status(after))
        else:
            text = Message(
                "Move {ply} ({move}) is taken back. {now}",
                ply=len(before.moves),
                move=str(before.moves[-1]),
                now=words.status(after),
            )
        return self._change("undo", after, text)

    def _resign(self, rest: list[str]) -> Answer:
        sides = {"red": RED, "yellow": YELLOW}
        if len(rest) > 1 or (rest and rest[0].lower() not in sides):
            raise _Refusal(
                Message('Write who gives up: "resign red" or "resign yellow"; alone it is the side to move.')
            )
        side = sides[rest[0].lower()] if rest else self.game.position.turn
        return self._change("resign", self.game.resign(side))

    def _new(self, rest: list[str]) -> Answer:
        game = Game.start(RuleSet.parse(" ".join(rest)) if rest else self.game.rules)
        left = self.game if self.unsaved else None
        self._kept = game
        return self._change("new", game, texts.greeting(game), left)

    def _save(self, path: str, *, replace: bool) -> Answer:
        if not path:
            example = "save friday.txt"
            return self.refuse(
                "save", "command", Message('Write where to save the record, for example "{example}".', example=example)
            )
        return Saving(path, self.game, replace)

    def _change(
        self,
        command: Literal["undo", "draw", "resign", "new"],
        game: Game,
        message: Message | None = None,
        left: Game | None = None,
    ) -> Changed:
        self.game = game
        self._refusal = None
        return Changed(command, message or words.status(game), game, left)

    def _why(self) -> tuple[Message, ...]:
        refusal = self._refusal
        if refusal and refusal.move and not self.game.outcome:
            return (
                Message("{move} was refused. {why}", move=refusal.said, why=refusal.message),
                *texts.possible(self.game),
            )
        if refusal and not refusal.move:
            return (refusal.message,)
        ended = why_ended(self.game)
        if ended:
            return (ended.message, *words.lines_of(self.game), texts.rules_line(self.game.rules))
        return (Message("Nothing was refused, and the game goes on. {now}", now=words.status(self.game)),)
