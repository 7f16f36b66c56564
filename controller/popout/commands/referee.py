"""`popout referee`: follow a game on a plain set, every move judged at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress

import click

from popout.commands.console import (
    STANDARD_INPUT,
    Console,
    FileNotWritten,
    FileThere,
    FileUnreadable,
    language_option,
    read_text,
    write_text,
)
from popout.rules import RED, Game, Message, PopoutError, RuleSet, write_record
from popout.views.referee import (
    Answer,
    Changed,
    Judged,
    Leaving,
    Referee,
    Saving,
    Shown,
)
from popout.views.referee_texts import greeting, how_to_write
from popout.views.referee_words import as_lines, as_object, farewell, farewell_object
from popout.views.verdicts import cannot_read, judge


class CannotGoOn(PopoutError, ValueError):
    """A record that the referee cannot go on from."""

    code = "cannot-go-on"


@click.command(short_help="Follow a game on a plain set.")
@click.option("--rules", metavar="RULES", help='What is played, such as "popout 9x7 connect=5". [default: popout 7x6]')
@click.option("--from", "source", metavar="FILE", help="Go on from a recorded game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, for programs.")
@language_option
def referee(rules: str | None, source: str | None, as_json: bool) -> None:
    """Follow a game on a plain set: type the moves, each is judged at once.

    Moves are d4 (drop in column 4) and p4 (pop column 4), any number on a line; "help" lists the other words. Reads a
    pipe as well: at its end the record is printed.

    Exit code: 0; 1 if moves were piped in and something was refused; 2 if there is nothing to follow.

    With --json every answer is an object with "event": "move" or "refused" (both with "legal", "code", "sentence"), the
    name of a command, or at last "end" with the "record". Those about a game have "moves" (how many), "turn" (null
    after the end), "grid" (columns from the left, each from the bottom up, X red, O yellow) and "outcome" (null before
    the end).
    """
    if rules is not None and source is not None:
        raise click.UsageError("A record has its own rules: give either --rules or --from, not both.")
    game, tags = (
        _recorded(source)
        if source is not None
        else (Game.start(RuleSet.parse("popout" if rules is None else rules)), {})
    )
    session = _Session(Referee(game), tags, Console(), as_json)
    session.run()
    refused = session.referee.refused and not session.console.interactive
    raise click.exceptions.Exit(1 if refused else 0)


class _Session:
    """Reads lines and prints answers, until the end of input or `quit`."""

    def __init__(self, referee: Referee, tags: Mapping[str, str], console: Console, as_json: bool) -> None:
        self.referee = referee
        self.tags = tags
        self.console = console
        self.as_json = as_json
        self.typed = console.interactive and not as_json

    def run(self) -> None:
        """Follow games until nothing more is said."""
        self._open()
        try:
            for line in self._lines():
                answers = self.referee.hear(line)
                changes = [answer for answer in answers if isinstance(answer, Judged | Changed)]
                for answer in answers:
                    # Of several moves on one line only the last is drawn: the others would scroll away.
                    self._answer(answer, draw=self.typed and answer in changes[-1:])
                if Leaving() in answers:
                    return
        finally:
            # Also if it was interrupted: what was played must not be lost.
            self._close()

    def _open(self) -> None:
        if self.as_json:
            return
        game = self.referee.game
        self.console.say(greeting(game))
        if self.typed:
            self.console.say(how_to_write(game.rules))
            if game.moves:
                self._answer(Shown(game))

    def _lines(self) -> Iterator[str]:
        if not self.typed:
            # Some shells put a byte order mark before what they pipe.
            yield from (line.removeprefix("\ufeff") for line in sys.stdin or ())
            return
        with suppress(ImportError):
            import readline  # noqa: F401  (with it, input() can be edited and has a memory)
        while True:
            try:
                line = input(self.console.catalogue.text(self._prompt()))
            except (EOFError, KeyboardInterrupt) as ending:
                self.console.write("")
                if isinstance(ending, EOFError):
                    return
                raise
            yield line

    def _prompt(self) -> Message:
        turn = self.referee.game.turn
        if turn is None:
            return Message("> ")
        return Message("{disc} Red> " if turn is RED else "{disc} Yellow> ", disc=self.console.style.disc(turn))

    def _answer(self, answer: Answer, *, draw: bool = False) -> None:
        if isinstance(answer, Saving):
            answer = self._save(answer)
        if self.as_json:
            self.console.write(json.dumps(as_object(answer, self.console.catalogue)))
        else:
            self.console.write(*as_lines(answer, self.console.catalogue, self.console.style, draw=draw))

    def _save(self, wanted: Saving) -> Answer:
        try:
            write_text(wanted.path, write_record(wanted.game, self.tags), replace=wanted.replace)
        except FileThere as error:
            hint = Message('{problem} Write "save! {path}" to replace it.', problem=error.message, path=wanted.path)
            return self.referee.refuse("save", error.code, hint)
        except FileNotWritten as error:
            return self.referee.refuse("save", error.code, error.message)
        return self.referee.saved(wanted)

    def _close(self) -> None:
        catalogue = self.console.catalogue
        if self.as_json:
            self.console.write(json.dumps(farewell_object(self.referee, self.tags, catalogue)))
        else:
            self.console.write(*farewell(self.referee, self.tags, catalogue, record=not self.typed))


def _recorded(path: str) -> tuple[Game, Mapping[str, str]]:
    """The one game of a file, and who played it."""
    name = "stdin" if path == STANDARD_INPUT else path
    try:
        verdicts = list(judge(name, read_text(path)))
    except FileUnreadable as error:
        raise CannotGoOn(cannot_read(name, error).sentence) from None
    if len(verdicts) > 1:
        raise CannotGoOn(
            Message(
                "{path} holds {games} games. Put the one to go on from in a file of its own.",
                path=name,
                games=len(verdicts),
            )
        )
    if not verdicts[0].ok or verdicts[0].game is None:
        raise CannotGoOn(verdicts[0].sentence)
    return verdicts[0].game, verdicts[0].tags
