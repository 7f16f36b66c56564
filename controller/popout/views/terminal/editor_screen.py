"""The editor: somebody says what is on the board, sees what differs, and has it put right or taken over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from popout.rules import RED, YELLOW, Message, PopoutError, Side
from popout.views.terminal.boxes import key_list
from popout.views.terminal.dialogs import Question
from popout.views.terminal.editing import Draft
from popout.views.terminal.hands import Hands
from popout.views.terminal.picture import SMALL, WRONG, Picture, best_size, room
from popout.views.terminal.widgets import BoardWidget
from popout.views.terminal.words import DISCS, Words

_STRONG: Final = Style(bold=True)
_ALARM: Final = Style(color="#ff9df5", bold=True)
_SIDE: Final = 34
_OTHERS: Final = 6


class Editor(Screen[None]):
    """What is on the board, column by column; nothing changes before it is confirmed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(-1)"),
        Binding("right", "choose(1)"),
        Binding("r", "put('red')"),
        Binding("y,o", "put('yellow')"),
        Binding("x", "put_or_power"),
        Binding("backspace,delete", "take"),
        Binding("z", "again"),
        Binding("up", "field(-1)"),
        Binding("down", "field(1)"),
        Binding("plus", "change(1)"),
        Binding("minus", "change(-1)"),
        Binding("space", "change(1)"),
        *(Binding(letter, f"power('{letter}')") for letter in "abw"),
        Binding("t", "turn"),
        Binding("enter", "guide"),
        Binding("s", "set_up"),
        Binding("escape,c,q", "dismiss"),
    ]

    def __init__(self, hands: Hands, words: Words) -> None:
        super().__init__()
        self._hands, self._words = hands, words
        self.draft = Draft.begun(hands.state, hands.state["rules"]["firstColumn"])
        self._rules = hands.state["rules"]["text"]
        self._field = 0
        self._considered: Mapping[str, Any] = {}
        self._refusal = ""

    def compose(self) -> ComposeResult:
        """Title, board and what is beside it, and what the position would be."""
        yield Static(self._words.say(Message("What is on the board?")), id="title", markup=False)
        with Horizontal(id="middle"):
            yield BoardWidget()
            with Vertical(id="editor-side"):
                yield Static(id="fields", markup=False)
                yield Static(id="hints", markup=False)
        yield Static(id="status", markup=False)
        yield Static(id="notice", markup=False)

    def on_mount(self) -> None:
        """Begin."""
        self._change(self.draft)

    def on_resize(self) -> None:
        """Draw in the size that fits."""
        self._draw()

    def heard(self) -> None:
        """The board said something: what differs may be something else now, and another game has another board."""
        if self._hands.state["rules"]["text"] != self._rules:
            self.dismiss()
        else:
            self._change(self.draft)

    # The discs

    def action_choose(self, by: int) -> None:
        """Choose the column beside the chosen one."""
        self._change(self.draft.chosen(self.draft.column + by))

    def on_key(self, event: events.Key) -> None:
        """A digit chooses its column."""
        if event.character and event.character.isascii() and event.character.isdigit():
            event.stop()
            self._change(self.draft.chosen(int(event.character) or 10))

    def on_board_widget_clicked(self, event: BoardWidget.Clicked) -> None:
        """A click chooses a column."""
        self._change(self.draft.chosen(event.column))

    def action_put(self, side: str) -> None:
        """Put a disc on top of the column."""
        self._change(self.draft.put(Side(side)))

    def action_put_or_power(self) -> None:
        """X is a red disc, as in a drawing; in a line of power discs it is the x2."""
        if self._at.startswith("powers"):
            self.action_power("x")
        else:
            self.action_put(RED.value)

    def action_take(self) -> None:
        """Take the top disc of the column."""
        self._change(self.draft.taken())

    def action_again(self) -> None:
        """Begin again with what the board believes."""
        self._change(replace(self.draft, grid=tuple(self._hands.state["grid"])))

    # What is beside them

    @property
    def _at(self) -> str:
        fields = self.draft.fields
        return fields[min(self._field, len(fields) - 1)]

    def action_field(self, by: int) -> None:
        """Choose another field."""
        self._field = (min(self._field, len(self.draft.fields) - 1) + by) % len(self.draft.fields)
        self._draw()

    def action_change(self, by: int) -> None:
        """Give the chosen field its next value."""
        self._change(self.draft.changed(self._at, by))

    def action_turn(self) -> None:
        """The other side is to move."""
        self._change(self.draft.changed("turn", 1))

    def action_power(self, letter: str) -> None:
        """Give the side of the chosen field a power disc, or take it away."""
        self._change(self.draft.toggled(self._at, letter))

    # What becomes of it

    def action_guide(self) -> None:
        """Let the hands be guided until the board is as it should be."""
        self.run_worker(self._send("correct", grid=self.draft.playable), group="send")

    def action_set_up(self) -> None:
        """Go on from this position, when it is confirmed."""
        if not self._considered:
            return  # it is impossible, which is said already
        question = Question(
            self._words.say(Message("Go on from this position?")),
            f"{self._considered['text']} {self._considered['difference']}",
            [("", self._words("cancel")), ("set", self._words.say(Message("Go on from it")))],
        )
        self.app.push_screen(question, self._confirmed)

    def _confirmed(self, answer: str | None) -> None:
        if answer == "set":
            self.run_worker(self._send("set-up", **self.draft.said()), group="send")

    async def _send(self, do: str, **fields: Any) -> None:
        try:
            await self._hands.do(do, **fields)
        except PopoutError as error:
            self._refusal = self._words.say(error.message)
            self._draw()
            return
        self.dismiss()

    def _change(self, draft: Draft) -> None:
        self.draft = draft
        self._draw()
        self.run_worker(self._consider(), exclusive=True, group="consider")

    async def _consider(self) -> None:
        try:
            self._considered = await self._hands.do("consider", **self.draft.said())
            self._refusal = ""
        except PopoutError as error:
            self._considered = {}
            self._refusal = self._words.say(error.message)
        self._draw()

    # Drawing

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        draft, state = self.draft, self._hands.state
        least, _ = room(len(draft.grid), draft.rows, SMALL)
        wide = max(self.size.width - _SIDE, least)
        size = best_size(len(draft.grid), draft.rows, wide, self.size.height - _OTHERS)
        if size:
            picture = Picture(
                grid=draft.grid,
                rows=draft.rows,
                buttons=(draft.first, draft.last),
                marks=dict.fromkeys(draft.differing(state), WRONG),
                bar_open=state["bar"] == "open",
                cursor=draft.column,
            )
            self.query_one(BoardWidget).show(picture, size)
        self.query_one("#fields", Static).update(self._fields())
        self.query_one("#hints", Static).update(self._hints())
        considered = self._considered
        self.query_one("#status", Static).update(Text(considered.get("difference", self._count()), _STRONG))
        said = Text(f"✗ {self._refusal}", _ALARM) if self._refusal else Text(considered.get("text", ""))
        self.query_one("#notice", Static).update(said)

    def _count(self) -> str:
        return self._words.say(
            Message(
                "{count} cell is not as the board believes.",
                plural="{count} cells are not as the board believes.",
                count=len(self.draft.differing(self._hands.state)),
            )
        )

    def _fields(self) -> Text:
        drawn = Text()
        for name in self.draft.fields:
            chosen = name == self._at
            label, value = self._field_words(name)
            drawn.append("▶ " if chosen else "  ", _STRONG)
            drawn.append(f"{label}: ")
            drawn.append(f"{value}\n", Style(bold=True, reverse=chosen))
        return drawn

    def _field_words(self, field: str) -> tuple[str, str]:
        name, _, owner = field.partition(" ")
        draft, words = self.draft, self._words
        index = 1 if owner == YELLOW.value else 0
        match name:
            case "turn":
                return words.say(_LABELS["turn"]), f"{DISCS[draft.turn.value]} {words(draft.turn.value)}"
            case "phase":
                phases = {each["value"]: each["text"] for each in self._hands.state["beside"]["phases"]}
                return words.say(_LABELS["phase"]), phases.get(draft.phase, draft.phase)
            case "source":
                return words.say(_LABELS["source"]), str(draft.source or "?")
        value = getattr(draft, name)[index]
        if name == "powers":
            return f"{DISCS[owner]} {words.say(_LABELS[name])}", value.upper() or "–"
        return f"{DISCS[owner]} {words.say(_LABELS[name])}", str(value)

    def _hints(self) -> Text:
        keys = [*_HINTS]
        if len(self.draft.fields) > 1:
            keys += _MORE_FIELDS
        if self.draft.powers is not None:
            keys += _POWERS
        return key_list([(key, self._words.say(does)) for key, does in keys])


_LABELS = {
    "turn": Message("To move"),
    "phase": Message("Step"),
    "source": Message("The disc came from column"),
    "kept": Message("Kept"),
    "hands": Message("In hand"),
    "powers": Message("Power discs"),
}
_HINTS = (
    ("← →", Message("choose a column")),
    (f"R {DISCS['red']}", Message("put a red disc on top")),
    (f"Y {DISCS['yellow']}", Message("put a yellow disc on top")),
    ("⌫", Message("take the top disc away")),
    ("Z", Message("begin again")),
    ("T", Message("the other side is to move")),
    ("Enter", Message("guide my hands, step by step")),
    ("S", Message("go on from this position")),
    ("Esc", Message("leave it as it is")),
)
_MORE_FIELDS = (("↑ ↓", Message("choose a line above")), ("+ −", Message("change it")))
_POWERS = (("ABWX", Message("power discs: has it, or not")),)
