"""The picture of a matrix: its lines, and at each crossing in use a switch with its diode.

This module is imported only where a picture is drawn, see `popout.wiring.sheet`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from popout.board.contacts import Crossing
from popout.wiring.picture_chip import Contact
from popout.wiring.sheet import GREY, SMALL, TITLE, Sheet, text_width

_HEAD, _FOOT = 1.9, 0.5
_LEFT = 1.4
_PITCH_DOWN = 2.0
_SWITCH_ABOVE = 0.95
_LABEL_ABOVE = 1.65


@dataclass(frozen=True)
class MatrixPicture:
    """A matrix of `rows` by `columns` with what lies at its crossings."""

    title: str
    subtitle: str
    rows: int
    columns: int
    diodes: bool
    contacts: Mapping[Crossing, Contact]

    @property
    def width(self) -> float:
        """In units."""
        lines = _LEFT + self.columns * self._pitch
        return max(lines, text_width(self.title, TITLE), text_width(self.subtitle))

    @property
    def height(self) -> float:
        """In units."""
        return _HEAD + self.rows * _PITCH_DOWN + _FOOT

    @property
    def _pitch(self) -> float:
        longest = max((text_width(contact.label, SMALL) for contact in self.contacts.values()), default=0.0)
        return max(2.4, longest + 0.35)

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its upper left corner there."""
        sheet.text((x, y - 0.25), self.title, size=TITLE)
        sheet.text((x, y - 0.8), self.subtitle, colour=GREY)
        top, left = y - _HEAD, x + _LEFT
        for column in range(1, self.columns + 1):
            at = left + (column - 1) * self._pitch
            sheet.text((at, top + 0.25), f"C{column}", align="center")
            sheet.line((at, top), (at, top - self.rows * _PITCH_DOWN + 0.4))
        for row in range(1, self.rows + 1):
            at = top - row * _PITCH_DOWN
            sheet.text((left - 0.6, at), f"R{row}", align="right")
            sheet.line((left - 0.45, at), (left + self.columns * self._pitch - 0.4, at))
        for (row, column), contact in self.contacts.items():
            self._crossing(sheet, left + (column - 1) * self._pitch, top - row * _PITCH_DOWN, contact)

    def _crossing(self, sheet: Sheet, x: float, y: float, contact: Contact) -> None:
        above, right = y + _SWITCH_ABOVE, x + 1.5
        sheet.dot((x, above))
        sheet.text((x + 0.15, y + _LABEL_ABOVE), contact.label, size=SMALL)
        (sheet.lever if contact.symbol == "lever" else sheet.button)((x, above), (right, above), closed=contact.closed)
        if self.diodes:
            sheet.diode((right, above), (right, y))
        else:
            sheet.line((right, above), (right, y))
        sheet.dot((right, y))
