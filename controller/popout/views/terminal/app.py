"""The terminal's app: it follows the board, keeps what hands do in order, and goes away without a trace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from popout.rules import Message, PopoutError
from popout.views.terminal.board_screen import BoardScreen
from popout.views.terminal.dialogs import Question, TooSmall
from popout.views.terminal.editor_screen import Editor
from popout.views.terminal.hands import Hands, NoAnswer
from popout.views.terminal.link import Link, LinkLost
from popout.views.terminal.words import Words

Do = Callable[[], Awaitable[object]]


class Terminal(App[None]):
    """The whole board in a terminal.

    :ivar hands: what is known of the board, and what is done there. :ivar words: the language.
    """

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True, system=True),
    ]

    def __init__(self, link: Link, say: Callable[[Message], str]) -> None:
        super().__init__()
        self.hands = Hands(link)
        self.words = Words(say)
        self.board = BoardScreen(self.hands, self.words)
        self.fault: BaseException | None = None
        self._orders: asyncio.Queue[Do] = asyncio.Queue()

    def get_default_screen(self) -> BoardScreen:
        """The board, under everything else."""
        return self.board

    def on_mount(self) -> None:
        """Begin to follow the board."""
        # Textual makes all tasks of its loop eager where Python can; the loop is also the board's, which wants its own.
        asyncio.get_running_loop().set_task_factory(None)
        self.run_worker(self._follow(), group="board")
        self.run_worker(self._obey(), group="orders")

    def order(self, do: Do) -> None:
        """Do something at the board, after everything that was ordered before; a refusal is shown."""
        self._orders.put_nowait(do)

    async def action_quit(self) -> None:
        """Leave; where the board stops with the terminal, ask before."""
        if not self.hands.link.stops_board:
            self.exit()
            return
        if isinstance(self.screen, Question) and self.screen.name == "quit":
            self.exit()  # asked twice is an answer
            return
        say = self.words.say
        question = Question(
            say(Message("Stop the board?")),
            say(
                Message(
                    "The board stops with this terminal, and its lamps go dark. The game is kept and goes on later."
                )
            ),
            [("play", self.words("playOn")), ("stop", say(Message("Stop the board")))],
            name="quit",
        )
        self.push_screen(question, lambda answer: self.exit() if answer == "stop" else None)

    def on_resize(self, event: events.Resize) -> None:
        """Show the board if there is room for it."""
        self.fit(event.size.width, event.size.height)

    def fit(self, width: int, height: int) -> None:
        """Show the board, or that it has too little room."""
        needed = self.board.needs()
        small = self.screen if isinstance(self.screen, TooSmall) else None
        if width >= needed[0] and height >= needed[1]:
            if small:
                self.pop_screen()
            return
        if small is None:
            small = TooSmall(self.words)
            self.push_screen(small)
        self.call_later(small.show, needed, (width, height))

    async def _follow(self) -> None:
        async for message in self.hands.follow():
            self.board.heard(message)
            for screen in self.screen_stack:
                if isinstance(screen, Editor) and self.hands.online:
                    screen.heard()
            self.fit(*self.size)

    async def _obey(self) -> None:
        while True:
            do = await self._orders.get()
            try:
                await do()
            except PopoutError as error:
                if isinstance(error, LinkLost | NoAnswer):
                    self._forget()
                self.board.refused(self.words.say(error.message))

    def _forget(self) -> None:
        """What was pressed while the board could not answer is not invented later."""
        while not self._orders.empty():
            self._orders.get_nowait()

    def _handle_exception(self, error: Exception) -> None:
        self.fault = self.fault or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without a traceback on the screen; `run_terminal` raises the fault where it can be dealt with."""
        self._close_messages_no_wait()
