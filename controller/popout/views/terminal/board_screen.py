"""The terminal's main screen: the board, and everything that can be done there by a key or a click."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, ClassVar, Final, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from popout.rules import Message
from popout.views.terminal import seen
from popout.views.terminal.boxes import box, keys_line, keys_of
from popout.views.terminal.dialogs import Help, NewGame, Question
from popout.views.terminal.editor_screen import Editor
from popout.views.terminal.hands import Hands, NoButton, no_button
from popout.views.terminal.link import OFFLINE, Said
from popout.views.terminal.phones import Phones
from popout.views.terminal.picture import SMALL, best_size, room
from popout.views.terminal.seen import State
from popout.views.terminal.widgets import BoardWidget, Moves, picture_of, players
from popout.views.terminal.words import Words

if TYPE_CHECKING:
    from popout.views.terminal.app import Terminal

LEAST: Final = (80, 24)
"""The columns and rows of a terminal that every board is shown in, if it is not too large itself."""
SIDE: Final = 28
"""The columns beside the board."""
_OTHERS: Final = 7
"""The rows above and below it: the title, the status, the newest notice, and the keys."""

_SIGNS: Final = {"info": "·", "refused": "✗", "fault": "‼"}
_COLOURS: Final = {
    "info": Style(),
    "refused": Style(color="#ff9df5", bold=True),
    "fault": Style(color="#ffb454", bold=True),
}


class BoardScreen(Screen[None]):
    """The board with its players, its moves, and what it says."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(-1)"),
        Binding("right", "choose(1)"),
        Binding("enter", "press"),
        Binding("space", "bar"),
        Binding("up,pageup", "look(-1)"),
        Binding("down,pagedown", "look(1)"),
        Binding("home", "look_first"),
        Binding("end", "now"),
        Binding("escape", "leave"),
        Binding("u", "take_back"),
        Binding("m", "menu"),
        Binding("n", "new"),
        Binding("c", "correct"),
        *(Binding(letter, f"power('{letter}')") for letter in "abwx"),
        Binding("d", "draw"),
        Binding("f", "repaired"),
        Binding("s", "adopt"),
        Binding("p", "phones"),
        Binding("question_mark,h", "help"),
        Binding("q", "app.quit"),
    ]

    def __init__(self, hands: Hands, words: Words) -> None:
        super().__init__()
        self.hands, self.words = hands, words
        self.looked: Said | None = None
        self.cursor = 1
        self._digit = ""
        self._refusal = ""
        self._again: float | None = None
        self._noticed = 0
        self._step: int | None = None

    def compose(self) -> ComposeResult:
        """Title, board and side, status, notice, keys."""
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            yield BoardWidget()
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                yield Static(id="box", markup=False)
                yield Moves(self.words)
        yield Static(id="status", markup=False)
        yield Static(id="notice", markup=False)
        yield Static(id="keys", markup=False)

    # What the board says

    def heard(self, message: Said) -> None:
        """A message of the board came."""
        if message["type"] == "offline":
            self._again = message["again"]
        else:
            if self._again is not None:
                self._refusal = self.words("connectedAgain")
                self._again = None
            self._note(message)
        self.draw()

    def refused(self, why: str) -> None:
        """What was just done is refused."""
        self._refusal = why
        self.draw()

    def needs(self) -> tuple[int, int]:
        """How many columns and rows the board needs."""
        state = self.hands.state
        if not state:
            return LEAST
        wide, high = room(state["rules"]["width"], state["rules"]["rows"], SMALL)
        return max(LEAST[0], wide + SIDE), max(LEAST[1], high + _OTHERS)

    def on_mount(self) -> None:
        """Show that the board has not answered yet."""
        self.draw()

    def on_resize(self) -> None:
        """Draw in the size that fits."""
        self.draw()

    def draw(self) -> None:
        """Show everything as it is now."""
        if not self.is_mounted:
            return
        state, words = self.hands.state, self.words
        self._show("status", self._status(state))
        self._show("notice", self._notice(state))
        if not state:
            return
        rules = state["rules"]
        title = words(
            "gameTitleTarget" if rules["target"] else "gameTitle",
            game=rules["title"],
            columns=rules["width"],
            rows=rules["rows"],
            connect=rules["connect"],
            target=rules["target"] or 0,
        )
        bar = words("barOpen" if state["bar"] == "open" else "barClosed")
        space = max(self.size.width - len(title) - len(bar) - 2, 1)
        self._show("title", Text(f"{title}{' ' * space}{bar}" if rules["pops"] or rules["target"] else title))
        self._show("players", players(state, words))
        asks = box(state, self.looked, words)
        self._show("box", asks)
        self.query_one("#box").display = bool(asks)
        self._show("keys", keys_line(state, words, self.size.width - 2))
        self.query_one(Moves).show(state["moves"], self.looked["ply"] if self.looked else None)
        size = best_size(rules["width"], rules["rows"], self.size.width - SIDE, self.size.height - _OTHERS)
        if size:
            self.query_one(BoardWidget).show(picture_of(state, self.looked, self.cursor), size)

    def _note(self, state: State) -> None:
        """What a new state means for what is looked at and chosen."""
        first, last = state["rules"]["firstColumn"], seen.last_column(state)
        step = state["differs"] and state["differs"]["column"]
        if step != self._step:
            self._step, self.cursor = step, step or self.cursor
        self.cursor = min(max(self.cursor, first), last)
        if self.looked and self.looked["ply"] >= len(state["moves"]):
            self.looked = None
        notice = state["notice"]
        if notice and notice["id"] != self._noticed:
            self._noticed = notice["id"]
            self._refusal = ""

    def _status(self, state: State) -> Text:
        if self._again is not None:
            return Text(f"‼ {self.words.say(OFFLINE)}", _COLOURS["fault"])
        if not state:
            return Text(self.words.say(Message("Waiting for the board…")))
        if self.looked:
            return Text(self.looked["text"], Style(bold=True))
        style = _COLOURS["fault"] if state["trouble"] or state["differs"] else Style(bold=True)
        return Text(f"‼ {state['status']}" if state["trouble"] else state["status"], style)

    def _notice(self, state: State) -> Text:
        notice = state.get("notice")
        if self._refusal:
            return Text(f"{_SIGNS['refused']} {self._refusal}", _COLOURS["refused"])
        told = (state["status"], state["differs"] and state["differs"]["text"])
        if not notice or notice["text"] in told:
            return Text()
        return Text(f"{_SIGNS[notice['kind']]} {notice['text']}", _COLOURS[notice["kind"]])

    def _show(self, name: str, text: Text) -> None:
        self.query_one(f"#{name}", Static).update(text)

    # What is done

    def _do(self, do: Callable[[], Awaitable[object]]) -> None:
        self._refusal = ""
        cast("Terminal", self.app).order(do)

    def on_key(self, event: events.Key) -> None:
        """A digit presses its column; where the columns have two digits, two of them choose one."""
        if not event.character or not (event.character.isascii() and event.character.isdigit()):
            self._digit = ""
            return
        event.stop()
        if not self.hands.state:
            return
        if self.hands.state["rules"]["width"] <= 10:
            self._press(int(event.character) or 10)
        elif self._digit:
            column, self._digit = int(self._digit + event.character), ""
            if seen.switch_of(self.hands.state, column) is None:
                self.refused(self.words.say(no_button(self.hands.state, column)))
            else:
                self._choose(column)
        else:
            self._digit = event.character

    def on_board_widget_clicked(self, event: BoardWidget.Clicked) -> None:
        """A click is a press."""
        self._press(event.column)

    def on_moves_looked(self, event: Moves.Looked) -> None:
        """A click on a move, or the wheel: look at it."""
        self._look(event.ply)

    def action_choose(self, by: int) -> None:
        """Choose the column beside the chosen one."""
        state = self.hands.state
        if state:
            first, last = state["rules"]["firstColumn"], seen.last_column(state)
            self._choose(min(max(self.cursor + by, first), last))

    def action_press(self) -> None:
        """Press the chosen column."""
        self._press(self.cursor)

    def _choose(self, column: int) -> None:
        self.cursor = column
        self.draw()

    def _press(self, column: int) -> None:
        state = self.hands.state
        if not state:
            return
        if self.looked:
            self.refused(self.words("notInPast"))
            return
        if seen.switch_of(state, column):
            self.cursor = column
            self.draw()
        self._do(lambda: self._press_there(column))

    async def _press_there(self, column: int) -> None:
        state = self.hands.state
        if seen.switch_of(state, column) is None:
            raise NoButton(no_button(state, column))
        bar = seen.only_bar(state)
        if bar and state["twin"] is not None:
            await self.hands.slide(bar)  # as the page does it on a simulated board, where no hand is at the bar
        await self.hands.press(column)

    def action_bar(self) -> None:
        """Slide the bar."""
        self._do(lambda: self.hands.slide("closed" if self.hands.state["bar"] == "open" else "open"))

    def action_take_back(self) -> None:
        """Take back the last move."""
        self.looked = None
        self._do(lambda: self.hands.do("take-back"))

    def action_menu(self) -> None:
        """Open the menu of the board, or leave it."""
        self.looked = None
        self._do(lambda: self.hands.do("menu"))

    def action_leave(self) -> None:
        """Back to now; out of the menu; put a power disc away."""
        powers = self.hands.state.get("powers")
        if self.looked:
            self.action_now()
        elif self.hands.state.get("menu"):
            self.action_menu()
        elif powers and powers["chosen"]:
            self._do(lambda: self.hands.do("power", disc=None))

    def action_power(self, disc: str) -> None:
        """Choose a power disc, or put it away again."""
        if self.hands.state.get("powers"):
            self._do(lambda: self.hands.do("power", disc=disc))

    def action_new(self) -> None:
        """Choose a new game."""
        if self.hands.state:
            self.app.push_screen(NewGame(self.hands, self.words))

    def action_correct(self) -> None:
        """Say what is on the board."""
        if self.hands.state:
            self.looked = None
            self.app.push_screen(Editor(self.hands, self.words))

    def action_draw(self) -> None:
        """Agree a draw or claim one, if both sides mean it."""
        state, words = self.hands.state, self.words
        if not state:
            return
        if not (state["can"]["agreeDraw"] or state["legal"]["claim"]):
            self._do(lambda: self.hands.do("agree-draw"))  # the board says why not
            return
        answers = [("play", words("playOn"))]
        if state["can"]["agreeDraw"]:
            answers.append(("agree-draw", words("agreeYes")))
        if state["legal"]["claim"]:
            answers.append(("claim", words("claim")))
        self.app.push_screen(
            Question(words("agreeQuestion"), words("agreeText"), answers),
            lambda answer: self._do(lambda: self.hands.do(answer)) if answer in ("agree-draw", "claim") else None,
        )

    def action_repaired(self) -> None:
        """Everything is on the board as it should be."""
        if self.hands.state.get("differs"):
            self._do(lambda: self.hands.do("repaired"))

    def action_adopt(self) -> None:
        """Play on from what is on the board, with the side to move chosen."""
        differs, words = self.hands.state.get("differs"), self.words
        if not differs or not differs["canAdopt"]:
            return
        answers = [("", words("cancel")), *((choice["turn"], choice["text"]) for choice in differs["choices"])]
        self.app.push_screen(
            Question(words("adoptQuestion"), words("adoptText"), answers),
            lambda turn: self._do(lambda: self.hands.do("adopt", turn=turn)) if turn else None,
        )

    def action_help(self) -> None:
        """The rule card and the keys."""
        if self.hands.state:
            self.app.push_screen(Help(self.hands.state["card"], keys_of(self.hands.state, self.words), self.words))

    def action_phones(self) -> None:
        """Where phones find the board, and who may play on one."""
        if self.hands.state:
            self.app.push_screen(Phones(self.hands, self.words))

    # Looking back

    def action_look(self, by: int) -> None:
        """Look at the position so many moves from the one that is shown."""
        if self.hands.state:
            at = self.looked["ply"] if self.looked else len(self.hands.state["moves"])
            self._look(at + by)

    def action_look_first(self) -> None:
        """Look at the beginning."""
        self._look(0)

    def action_now(self) -> None:
        """Back to the game as it is now."""
        self.looked = None
        self._refusal = ""
        self.draw()

    def _look(self, ply: int) -> None:
        if not self.hands.state or ply < 0:
            return
        if ply >= len(self.hands.state["moves"]):
            self.action_now()
        else:
            self._do(lambda: self._look_at(ply))

    async def _look_at(self, ply: int) -> None:
        self.looked = await self.hands.do("look", ply=ply)
        self.draw()
