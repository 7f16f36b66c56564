"""The terminal's dialogs: a question, a new game, the rule card with the keys, and that the window is too small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from popout.rules import Message, PopoutError
from popout.views.terminal.hands import Hands
from popout.views.terminal.words import Words

_STRONG: Final = Style(bold=True)
_DIM: Final = Style(dim=True)


class Question(ModalScreen[str | None]):
    """A question with a few answers; Escape answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss"),
        Binding("left,up", "app.focus_previous"),
        Binding("right,down", "app.focus_next"),
    ]

    def __init__(self, title: str, text: str, answers: Sequence[tuple[str, str]], name: str | None = None) -> None:
        """Ask `title`. `answers` are pairs of what is returned and what stands on the button, the safe one first."""
        super().__init__(name)
        self._asked, self._about, self._answers = title, text, answers

    def compose(self) -> ComposeResult:
        """The question above its answers."""
        with Vertical(classes="dialog"):
            yield Label(self._asked, classes="title", markup=False)
            yield Static(self._about, markup=False)
            with Vertical(classes="answers"):
                for number, (_, label) in enumerate(self._answers):
                    yield Button(Text(label), id=f"answer-{number}")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Return the answer."""
        number = int(str(event.button.id).removeprefix("answer-"))
        self.dismiss(self._answers[number][0])


class NewGame(ModalScreen[None]):
    """Choose a game and its size, or write the line of rules; what is refused is said here."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss")]

    def __init__(self, hands: Hands, words: Words) -> None:
        super().__init__()
        self._hands, self._words = hands, words
        self._games: list[Mapping[str, Any]] = list(hands.state["games"])

    def compose(self) -> ComposeResult:
        """The games, the size, the line and the start."""
        words, rules = self._words, self._hands.state["rules"]
        fixed = bool(self._hands.state["sizeFixed"])
        with Vertical(classes="dialog"):
            yield Label(words("newGame"), classes="title", markup=False)
            options = [Option(self._said(game), id=game["game"]) for game in self._games]
            yield OptionList(*options, id="games", compact=True)
            with Horizontal(id="size"):
                for name in ("columns", "rows", "connect"):
                    yield Label(words(f"{name}Field"), markup=False)
                    field = Input(str(rules[name]), id=name, type="integer", max_length=2, compact=True)
                    field.disabled = fixed and name != "connect"
                    yield field
            yield Label(words.say(Message("Or write the rules, with any of their options:")), markup=False)
            yield Input(str(rules["text"]), id="line", compact=True)
            yield Static(self._losing(), id="refusal", markup=False)
            with Horizontal(classes="answers"):
                yield Button(Text(words("start")), id="start", variant="primary", compact=True)
                yield Button(Text(words("cancel")), id="cancel", compact=True)

    def on_mount(self) -> None:
        """Begin at the game that is played."""
        games = self.query_one("#games", OptionList)
        names = [game["game"] for game in self._games]
        games.highlighted = names.index(self._hands.state["rules"]["game"])
        games.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another game: with its usual line."""
        if event.option_list.has_focus:
            game = self._games[event.option_index]
            self.query_one("#connect", Input).value = str(game["connect"])
            self._write()

    def on_option_list_option_selected(self) -> None:
        """Enter on a game starts it."""
        self._start()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another size."""
        if event.input.id != "line" and event.input.has_focus:
            self._write()

    def on_input_submitted(self) -> None:
        """Enter anywhere starts."""
        self._start()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Start, or not."""
        if event.button.id == "start":
            self._start()
        else:
            self.dismiss()

    def _said(self, game: Mapping[str, Any]) -> Text:
        said = Text(str(game["title"]), _STRONG)
        said.append(f"  {game['text']}", _DIM)
        return said

    def _losing(self) -> str:
        state = self._hands.state
        return self._words("losingGame") if state["moves"] and not state["outcome"] else ""

    def _write(self) -> None:
        """Write the line that the choices mean."""
        index = self.query_one("#games", OptionList).highlighted or 0
        columns, rows, connect = (self.query_one(f"#{name}", Input).value for name in ("columns", "rows", "connect"))
        self.query_one("#line", Input).value = f"{self._games[index]['game']} {columns}x{rows} connect={connect}"

    def _start(self) -> None:
        self.run_worker(self._begin(), exclusive=True)

    async def _begin(self) -> None:
        try:
            await self._hands.do("new", rules=self.query_one("#line", Input).value.strip())
        except PopoutError as error:
            self.query_one("#refusal", Static).update(Text(self._words.say(error.message), _STRONG))
            return
        self.dismiss()


class Help(ModalScreen[None]):
    """The rule card of the game at hand, and the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "dismiss")]

    def __init__(self, card: Mapping[str, Any], keys: Sequence[tuple[str, str]], words: Words) -> None:
        super().__init__()
        self._card, self._keys, self._words = card, keys, words

    def compose(self) -> ComposeResult:
        """The card above the keys."""
        with Vertical(classes="dialog tall"):
            yield Label(self._words("helpTitle", game=self._card["title"]), classes="title", markup=False)
            with VerticalScroll():
                yield Static(Text("\n").join(self._lines()))
            yield Button(Text(self._words("gotIt")), variant="primary")

    def on_button_pressed(self) -> None:
        """Back to the board."""
        self.dismiss()

    def _lines(self) -> Iterator[Text]:
        yield from _card_lines(self._card, self._words)
        yield Text(f"\n{self._words.say(KEYS)}", _STRONG)
        wide = max(len(key) for key, _ in self._keys)
        for key, does in self._keys:
            line = Text(f"  {key:<{wide}}  ", _STRONG)
            line.append(does, Style(bold=False))
            yield line


class TooSmall(Screen[None]):
    """The window is smaller than the board needs; gone as soon as it is large enough."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """One sentence."""
        yield Static(id="too-small", markup=False)

    def show(self, needed: tuple[int, int], there: tuple[int, int]) -> None:
        """Say how much room is needed and how much there is, in columns and rows."""
        said = Message(
            "The board needs a window of {columns} columns by {rows} rows; this one has {width} by {height}."
            " Enlarge it, or make its letters smaller: the board comes back by itself.",
            columns=needed[0],
            rows=needed[1],
            width=there[0],
            height=there[1],
        )
        self.query_one("#too-small", Static).update(self._words.say(said))


KEYS = Message("Keys")


def _card_lines(card: Mapping[str, Any], words: Words) -> Iterator[Text]:
    yield Text(str(card["aim"]))
    for number, step in enumerate(card["steps"], 1):
        yield Text(f" {number}. {step}")
    for power in card["powers"]:
        yield Text(f" {power['disc'].upper()}: {power['text']}")
    for part in card["parts"]:
        yield Text(f"\n{part['title']}", _STRONG)
        yield from _card_lines(part, words)
    if card["notes"]:
        yield Text(f"\n{words('cardNotes')}", _STRONG)
        for note in card["notes"]:
            yield Text(f" · {note}")
