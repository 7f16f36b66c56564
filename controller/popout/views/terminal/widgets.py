"""What stands on the terminal's screen: the board, the players, the moves. Each draws what it was last shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.style import Style
from rich.text import Span, Text
from textual import events
from textual.message import Message as Event
from textual.widget import Widget

from popout.rules import Cell, Message, Side
from popout.views.terminal import seen
from popout.views.terminal.picture import WRONG, Picture, Size, column_at, draw, room
from popout.views.terminal.seen import State
from popout.views.terminal.words import DISCS, Words

_STRONG: Final = Style(bold=True)
_DIM: Final = Style(dim=True)
_COLOURS: Final = {"red": Style(color="#ff5c5c", bold=True), "yellow": Style(color="#ffd23f", bold=True)}


class BoardWidget(Widget):
    """The board; a click on a column is a press of its button."""

    class Clicked(Event):
        """A column was clicked. :ivar column: of the grid, from 1."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self) -> None:
        super().__init__()
        self._picture: Picture | None = None
        self._drawn_in: Size | None = None

    def show(self, picture: Picture, size: Size) -> None:
        """Draw this from now on."""
        if (picture, size) != (self._picture, self._drawn_in):
            self._picture, self._drawn_in = picture, size
            self.styles.width, self.styles.height = room(len(picture.grid), picture.rows, size)
            self.refresh()

    def render(self) -> Text:
        """The drawing."""
        if self._picture is None or self._drawn_in is None:
            return Text()
        drawn = Text("\n", no_wrap=True).join(draw(self._picture, self._drawn_in))
        if self.app.no_color:
            # Without this, they would come as shades of grey that are hard to tell apart.
            drawn.spans = [
                Span(start, end, Style.null() if isinstance(style, str) else style.without_color)
                for start, end, style in drawn.spans
            ]
        return drawn

    def on_click(self, event: events.Click) -> None:
        """Say which column was clicked."""
        if self._picture is None or self._drawn_in is None:
            return
        column = column_at(event.x, len(self._picture.grid), self._drawn_in)
        if column:
            self.post_message(self.Clicked(column))


class Moves(Widget):
    """The moves in pairs, as many as there is room for, around the one that is looked at."""

    class Looked(Event):
        """A move was clicked, or the wheel was turned. :ivar ply: the position to look at."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    _WIDE = 13

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._moves: list[tuple[str, str]] = []
        self._ply: int | None = None

    def show(self, moves: list[Mapping[str, str]], ply: int | None) -> None:
        """Show these moves, and that the position after `ply` of them is looked at (None: the game as it is now)."""
        self._moves, self._ply = [(move["text"], move["side"]) for move in moves], ply
        self.refresh()

    @property
    def _at(self) -> int:
        return len(self._moves) if self._ply is None else self._ply

    @property
    def _top(self) -> int:
        """The first line that is shown."""
        lines = -(-len(self._moves) // 2)
        height = max(self.size.height - 1, 1)
        wanted = max(self._at - 1, 0) // 2
        return max(min(wanted - height // 2, lines - height), 0)

    def render(self) -> Text:
        """The lines in view."""
        place = "" if self._ply is None else f" · {self._words('stepPlace', ply=self._ply, count=len(self._moves))}"
        drawn = Text(self._words("moves") + place, _STRONG, no_wrap=True)
        if not self._moves:
            drawn.append(f"\n{self._words('noMoves')}", _DIM)
            return drawn
        for line in range(self._top, self._top + max(self.size.height - 1, 1)):
            drawn.append("\n")
            for ply in (2 * line + 1, 2 * line + 2):
                if ply <= len(self._moves):
                    text, side = self._moves[ply - 1]
                    chosen = Style(reverse=ply == self._ply)
                    drawn.append(f"{ply:>4} ", _DIM)
                    drawn.append(DISCS[side], _COLOURS[side])
                    drawn.append(f" {text:<5} "[: self._WIDE - 6], chosen)
        return drawn

    def on_click(self, event: events.Click) -> None:
        """Look at the move that was clicked."""
        ply = 2 * (self._top + event.y - 1) + 1 + (event.x >= self._WIDE)
        if event.y >= 1 and 1 <= ply <= len(self._moves):
            self.post_message(self.Looked(ply))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One move back."""
        event.stop()
        self.post_message(self.Looked(self._at - 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One move on."""
        event.stop()
        self.post_message(self.Looked(self._at + 1))


def picture_of(state: State, look: State | None, cursor: int) -> Picture:
    """The board as it is now, or as it was (`look`)."""
    shown = look or state
    rules, telling, differs = state["rules"], state.get("telling"), state["differs"]
    marks = seen.marks(shown)
    coming = None
    if not look:
        wrong = telling["cells"] if telling else differs["cells"] if differs else []
        if wrong:
            marks = dict.fromkeys(((column, row) for column, row in wrong), WRONG)
        tentative = state["tentative"]
        if tentative and tentative["kind"] == "drop" and tentative["row"]:
            coming = ((tentative["column"], tentative["row"]), Side(tentative["side"]))
    return Picture(
        grid=tuple(telling["grid"] if telling and not look else shown["grid"]),
        rows=rules["rows"],
        buttons=(rules["firstColumn"], seen.last_column(state)),
        marks=marks,
        signs=signs_of(shown),
        popped=seen.popped(shown),
        coming=coming,
        legal=frozenset() if look else seen.legal_columns(state),
        barred=frozenset() if look else frozenset(state["barred"]),
        bar_open=state["bar"] == "open",
        cursor=cursor,
    )


def signs_of(message: State) -> dict[Cell, str]:
    """The letters of the power discs that lie on the board."""
    return {(column, row): letter for column, row, letter in message["signs"]}


def players(state: State, words: Words) -> Text:
    """Both sides: whose turn it is, what they have in hand, kept and not yet used."""
    drawn = Text(no_wrap=False)
    outcome, turn = state["outcome"], state["turn"]
    for side in ("red", "yellow"):
        doing = words("toMove") if side == turn else words("wins") if outcome and outcome["winner"] == side else ""
        drawn.append("▶ " if doing else "  ", _STRONG)
        drawn.append(f"{DISCS[side]} {words(side)}", _COLOURS[side])
        drawn.append(f" {doing}\n" if doing else "\n", _STRONG)
        for line in _belongings(state, side, words):
            drawn.append("    ")
            drawn.append_text(line)
            drawn.append("\n")
    drawn.rstrip()
    return drawn


def _belongings(state: State, side: str, words: Words) -> list[Text]:
    lines = []
    if state["kept"]:
        lines.append(Text(words("kept", count=state["kept"][side], target=state["rules"]["target"])))
    if state["inHand"]:
        lines.append(Text(words("inHand", count=state["inHand"][side])))
    floating: Mapping[str, Any] | None = state["floating"]
    if floating and floating["side"] == side:
        lines.append(Text(words.say(_OUT), _STRONG))
    if state["powers"]:
        rack = [_power(state, side, disc["disc"], words) for disc in state["powers"]["discs"]]
        lines += [Text(" ").join(rack[at : at + 2]) for at in range(0, len(rack), 2)]
    return lines


def _power(state: State, side: str, letter: str, words: Words) -> Text:
    """A power disc in its rack; its place is empty when it has been played."""
    powers, mine = state["powers"], side == state["turn"]
    name = words(f"power {letter}")
    if letter not in powers["left"][side]:
        return Text(f"– {' ' * _NAME}", _DIM)
    chosen = mine and letter == (powers["chosen"] or powers["atWork"])
    drawn = Text()
    drawn.append(letter.upper(), Style(reverse=chosen, bold=mine and letter in powers["playable"]))
    return drawn.append(f" {name:<{_NAME}}", _DIM)


_NAME: Final = 8
"""The letters that the name of a power disc may have."""

_OUT = Message("one disc out of the grid")
