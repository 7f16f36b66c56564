"""The board in lines of text: for a pipe, a script, or a terminal on which nothing can be drawn.

Whoever writes says moves as records do, and a few words; each answer comes before the next line is read, so that what
is piped in works as what is typed.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator

from popout.rules import Message, Move, NotationError, PopoutError, parse_turn
from popout.rules.messages import excerpt
from popout.views.plain_said import BadPosition, Rows, position_of
from popout.views.plain_words import Teller
from popout.views.terminal.hands import Hands, Refused, mark_of
from popout.views.terminal.link import Link
from popout.views.terminal.seen import State

_NUMBER = re.compile(r"\d+\.+")
_HOW = Message("Write moves as d4 (drop in column 4) or p4 (pop column 4). Other words: back, new, menu, help, quit.")
_HELP = (
    Message("  a4 b4 w4 x4      drop the anvil, the bomb, the wall or the x2 in column 4"),
    Message("  claim            claim the draw that the rules give"),
    Message("  back             take back the last move"),
    Message("  new [rules]      begin a new game, for example: new popout 9x7 connect=5"),
    Message("  draw             the players agree a draw"),
    Message("  menu             open the menu of the board, or leave it; choose N takes its entry N"),
    Message("  show, moves      draw the board; list the moves"),
    Message("  correct          say what is on the board, row by row, and be told how to put it right:"),
    Message("                   done after each step, repaired after the last, or adopt SIDE to go on from there"),
    Message("  setup GRID SIDE  go on from a position, for example: setup XO/X///// yellow"),
    Message("  quit             leave"),
)

_QUIET = {
    *("continue", "more", "games", "powers", "power", "ordinary", "show-kept", "show-last", "lamps", "tell", "believe"),
}
"""The entries of the menu of which nothing is said; all others change the game, or are refused."""


class Plain:
    """Obeys lines and tells what the board does.

    :ivar refused: how many lines were refused.
    """

    def __init__(self, link: Link, teller: Teller, *, prompt: bool) -> None:
        """Prepare. With `prompt` a person types, and is shown that it is their turn to."""
        self.refused = 0
        self._hands = Hands(link)
        self._teller = teller
        self._prompts = prompt
        self._is_asking = False
        self._rows: Rows | None = None

    async def run(self, lines: AsyncIterator[str]) -> None:
        """Follow the board and obey, until the lines end or one of them is ``quit``."""
        following = asyncio.create_task(self._follow())
        obeying = asyncio.create_task(self._obey_all(lines))
        try:
            await asyncio.wait({following, obeying}, return_when=asyncio.FIRST_COMPLETED)
            for task in (following, obeying):
                if task.done():
                    task.result()
        finally:
            for task in (following, obeying):
                task.cancel()
            await asyncio.gather(following, obeying, return_exceptions=True)
            await self._hands.link.close()

    async def _follow(self) -> None:
        async for message in self._hands.follow():
            if self._teller.hears(message) and self._is_asking:
                self._ask()

    async def _obey_all(self, lines: AsyncIterator[str]) -> None:
        await self._hands.until(bool)
        if self._prompts:
            self._teller.say(_HOW)
        self._ask()
        async for line in lines:
            self._is_asking = False
            if not await self._obey(line.removeprefix("\ufeff")):
                return
            self._ask()

    def _ask(self) -> None:
        """Show that a line is waited for."""
        self._is_asking = self._prompts
        if self._prompts:
            sys.stdout.write("> ")
            sys.stdout.flush()

    async def _obey(self, line: str) -> bool:
        """Do what a line says; whether more is to come."""
        try:
            if self._rows is not None:
                await self._row(line)
                return True
            words = line.partition("#")[0].split()
            if words and words[0].lower() in ("quit", "exit", "q"):
                return False
            await self._do(words)
        except PopoutError as error:
            self.refused += 1
            self._teller.say(error.message)
        return True

    async def _do(self, words: list[str]) -> None:
        if not words:
            return
        first, rest = words[0].lower(), words[1:]
        match first:
            case "back" | "undo":
                await self._order("take-back")
            case "new":
                await self._order("new", rules=" ".join(rest) or self._state["rules"]["text"])
            case "menu":
                await self._order("menu")
            case "continue" if self._state["menu"]:
                await self._order("menu")
            case "choose":
                await self._choose(rest)
            case "draw":
                await self._order("agree-draw")
            case "show" | "board":
                self._teller.show()
            case "moves":
                self._teller.moves()
            case "correct" | "setup":
                await self._position(first, rest)
            case "done" if self._state["differs"]:
                await self._press(self._state["differs"]["column"])
            case "repaired" if self._state["differs"]:
                await self._order("repaired")
            case "adopt" if self._state["differs"]:
                await self._adopt(rest)
            case "done" | "repaired" | "adopt" | "continue":
                raise Refused(Message("There is nothing to put right and nothing to answer now."))
            case "help" | "?":
                self._teller.say(_HOW, *_HELP)
            case _:
                await self._moves(words)

    @property
    def _state(self) -> State:
        return self._hands.state

    async def _order(self, do: str, **fields: object) -> None:
        """Give a command and wait until its consequence was told."""
        before = mark_of(self._state)
        await self._hands.do(do, **fields)
        await self._hands.until(lambda state: mark_of(state) != before)

    async def _press(self, column: int) -> None:
        before = mark_of(self._state)
        await self._hands.press(column)
        await self._hands.until(lambda state: mark_of(state) != before and not state["tentative"])

    # Moves

    async def _moves(self, words: list[str]) -> None:
        """Make moves, until one is refused."""
        for number, word in enumerate(words, 1):
            text = _NUMBER.sub("", word, count=1)
            if text and not await self._turn(text):
                self.refused += 1
                if rest := words[number:]:
                    said = excerpt(" ".join(rest))
                    self._teller.say(Message("The rest of the line was not looked at: {rest}", rest=said))
                return

    async def _turn(self, text: str) -> bool:
        """Make the one or two moves of a word; whether all were made. What was not is told why."""
        try:
            for move in parse_turn(text):
                if not await self._move(move):
                    return False
        except NotationError as error:
            self._teller.say(Message('{why} Write "help" for the commands.', why=error.message))
            return False
        except PopoutError as error:
            self._teller.say(error.message)
            return False
        return True

    async def _move(self, move: Move) -> bool:
        """Make a move with the board's own bar and buttons; whether it was made. The board tells why not."""
        menu = self._state["menu"]
        if menu and menu["level"] == "resume":
            await self._order("menu")  # who makes a move goes on with the game
        elif menu:
            raise Refused(Message('The menu is open. Write "choose" and a number, or "menu" to leave it.'))
        if self._state["differs"]:
            raise Refused(
                Message(
                    '{step} Then write "done"; or "repaired" when everything is in its place.',
                    step=self._state["differs"]["step"],
                )
            )
        if self._state["telling"]:
            raise Refused(Message("Hands at the board are saying what is on it. Wait until they have done."))
        made = len(self._state["moves"])
        await self._hands.make(move)
        return len(self._state["moves"]) > made

    async def _choose(self, rest: list[str]) -> None:
        menu = self._state["menu"]
        if not menu:
            raise Refused(Message('No menu is open. Write "menu" to open it.'))
        columns = {str(entry["column"]) for entry in menu["entries"]}
        if len(rest) != 1 or rest[0] not in columns:
            raise Refused(
                Message(
                    'Write "choose" and one of the numbers: {numbers}.', numbers=", ".join(sorted(columns, key=int))
                )
            )
        code = next(entry["code"] for entry in menu["entries"] if str(entry["column"]) == rest[0])
        before = self._state["notice"]
        await self._press(int(rest[0]))
        if code.split()[0] not in _QUIET:
            await self._hands.until(lambda state: state["notice"] != before)

    # Putting right

    async def _position(self, command: str, rest: list[str]) -> None:
        if rest:
            await self._say_position(command, " ".join(rest))
        elif command == "setup":
            raise Refused(
                Message(
                    "Write the columns from the left, each from the bottom up, and who is to move: {example}",
                    example="setup XO/X///// yellow",
                )
            )
        else:
            self._rows = Rows(self._state)
            self._teller.say(
                Message(
                    "Write the rows as you see them, the top row first: X red, O yellow, a point for an empty cell. "
                    "An empty line ends them."
                )
            )

    async def _row(self, line: str) -> None:
        assert self._rows is not None
        try:
            if not self._rows.add(line):
                return
            grid = self._rows.grid()
        except BadPosition:
            self._rows = None
            raise
        self._rows = None
        await self._order("correct", grid=grid)

    async def _say_position(self, command: str, text: str) -> None:
        fields = position_of(text, self._state)
        if command == "correct":
            await self._order("correct", grid=fields["grid"])
        elif "turn" not in fields:
            raise Refused(Message("Write who is to move after the columns: red or yellow."))
        else:
            await self._order("set-up", **fields)

    async def _adopt(self, rest: list[str]) -> None:
        turns = {choice["turn"] for choice in self._state["differs"]["choices"]}
        if len(rest) != 1 or rest[0].lower() not in turns:
            raise Refused(
                Message(
                    "The game can go on from what is on the board with one of these to move: {sides}.",
                    sides=", ".join(sorted(turns)),
                )
                if turns
                else Message("The game cannot go on from what is on the board.")
            )
        await self._order("adopt", turn=rest[0].lower())
