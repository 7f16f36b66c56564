"""A sheet to draw circuits on, over schemdraw, in its units of half an inch; up is positive.

This module is imported only where a picture is drawn: schemdraw takes its time, and nothing else needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import schemdraw
from schemdraw import elements
from schemdraw.backends import svg
from schemdraw.segments import Segment, SegmentCircle, SegmentPoly, SegmentText

Point = tuple[float, float]
Align = Literal["left", "center", "right"]

LABEL, SMALL, TITLE = 9.0, 7.5, 13.0
"""Sizes of letters, in points."""
BLACK, GREY, BLUE = "#111111", "#777777", "#2266aa"

_POINTS_A_UNIT = 36.0
# The widest of the usual fonts decides, so that nothing overlaps with any of them.
_FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
_LETTER = 0.64
_LINE = 1.2
_MARGIN = 0.6


def text_width(text: str, size: float = LABEL) -> float:
    """How wide a text may become, in units."""
    return len(text) * size * _LETTER / _POINTS_A_UNIT


class Sheet:
    """What is drawn is put together as SVG by `svg`; the same calls give the same bytes."""

    def __init__(self) -> None:
        svg.config.text = "text"
        self._drawing = schemdraw.Drawing(canvas="svg", show=False)
        self._drawing.config(font=_FONT, fontsize=LABEL, lw=_LINE, color=BLACK, bgcolor="white", margin=_MARGIN)
        self._plain = elements.Element()
        self._left = self._bottom = self._right = self._top = 0.0

    def svg(self) -> str:
        """The drawing as an SVG document, on a white ground that the widest letters do not leave."""
        left, right, bottom, top = self._left, self._right, self._bottom, self._top
        corners = ((left, bottom), (right, bottom), (right, top), (left, top))
        self._plain.segments.append(SegmentPoly(corners, color="white", fill="white", lw=0.1, zorder=0))
        self._drawing.add(self._plain.at((0, 0)).theta(0))  # else it is turned as the last symbol was
        return str(self._drawing.get_imagedata("svg").decode()) + "\n"

    @property
    def right(self) -> float:
        """Where the text that reaches furthest to the right ends."""
        return self._right

    def text(
        self,
        at: Point,
        text: str,
        *,
        align: Align = "left",
        size: float = LABEL,
        colour: str = BLACK,
    ) -> None:
        """Write one line, with its middle at the height of `at`."""
        width = text_width(text, size)
        start = at[0] - {"left": 0.0, "center": width / 2, "right": width}[align]
        self._left, self._right = min(self._left, start), max(self._right, start + width)
        self._bottom, self._top = min(self._bottom, at[1]), max(self._top, at[1])
        self._plain.segments.append(
            SegmentText(
                (at[0], at[1]),
                _as_markup(text),
                align=(align, "center"),
                fontsize=size,
                font=_FONT,
                color=colour,
                zorder=5,
            )
        )

    def line(self, *points: Point, colour: str = BLACK, width: float = _LINE, dashed: bool = False) -> None:
        """Draw a wire through these points."""
        self._plain.segments.append(Segment(points, color=colour, lw=width, ls="--" if dashed else "-", zorder=1))

    def box(
        self, corner: Point, other: Point, *, fill: str = "white", colour: str = BLACK, width: float = _LINE
    ) -> None:
        """Draw a rectangle between two opposite corners."""
        (x, y), (to_x, to_y) = corner, other
        self.polygon(((x, y), (to_x, y), (to_x, to_y), (x, to_y)), fill=fill, colour=colour, width=width)

    def polygon(
        self, points: Sequence[Point], *, fill: str = "white", colour: str = BLACK, width: float = _LINE
    ) -> None:
        """Draw a closed line."""
        self._plain.segments.append(SegmentPoly(points, color=colour, fill=fill, lw=width, zorder=2))

    def dot(self, at: Point) -> None:
        """Mark where wires are joined."""
        self._plain.segments.append(SegmentCircle(at, 0.06, color=BLACK, fill=BLACK, zorder=4))

    def flag(self, at: Point, name: str, *, to_the_left: bool = False) -> None:
        """Name the net of a wire that ends at `at`: wires with the same flag are joined."""
        x, y = at
        side = -1 if to_the_left else 1
        end = x + side * (text_width(name, SMALL) + 0.5)
        half = 0.2
        self.polygon(
            ((x, y), (x + side * half, y + half), (end, y + half), (end, y - half), (x + side * half, y - half)),
            fill="#eef4fa",
            colour=BLUE,
        )
        self.text(((x + side * half + end) / 2, y), name, align="center", size=SMALL, colour=BLUE)

    def ground(self, at: Point) -> None:
        """The sign of ground, below a wire that ends at `at`."""
        self._drawing.add(elements.Ground(lw=_LINE).at(at).theta(0))

    def button(self, start: Point, end: Point, *, closed: bool) -> None:
        """A push button; `closed` if it is that at rest."""
        self._drawing.add(elements.Button(nc=closed, lw=_LINE).at(start).to(end))

    def lever(self, start: Point, end: Point, *, closed: bool) -> None:
        """A switch with a lever; `closed` if it is that at rest."""
        self._drawing.add(elements.Switch(nc=closed, lw=_LINE).at(start).to(end))

    def resistor(self, start: Point, end: Point) -> None:
        """A resistor."""
        self._drawing.add(elements.ResistorIEC(lw=_LINE).at(start).to(end))  # type: ignore[no-untyped-call]

    def capacitor(self, start: Point, end: Point) -> None:
        """A capacitor with a plus side, which is at `start`."""
        self._drawing.add(elements.Capacitor(polar=True, lw=_LINE).at(start).to(end))

    def diode(self, anode: Point, cathode: Point) -> None:
        """A diode."""
        self._drawing.add(elements.Diode(fill=BLACK, lw=_LINE).scale(0.7).at(anode).to(cathode))  # type: ignore[no-untyped-call]

    def led(self, anode: Point, cathode: Point) -> None:
        """An LED in a level wire; its light goes upwards."""
        self.diode(anode, cathode)
        middle, y = (anode[0] + cathode[0]) / 2, anode[1]
        for x in (middle - 0.1, middle + 0.08):
            ray = Segment(
                ((x, y + 0.2), (x + 0.16, y + 0.42)), color=BLACK, lw=0.8, arrow="->", arrowwidth=0.09, arrowlength=0.12
            )
            self._plain.segments.append(ray)


def _as_markup(text: str) -> str:
    """A text in the markup of schemdraw, in which some letters would mean something, and XML has no controls."""
    # A space that does not break, as French has before a colon, prints as one though it is called unprintable.
    shown = "".join(letter if letter.isprintable() or letter == "\xa0" else "?" for letter in text)
    return shown.replace("&", "&amp;").replace("$", "&#36;")
