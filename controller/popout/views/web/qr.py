"""The page's address as a QR code, for a phone's camera: drawn for the page, or in the letters of a terminal."""

from __future__ import annotations

import io

BLOCKS = "█▀▄"
"""What a terminal must be able to show."""


def drawing(address: str) -> bytes:
    """An SVG picture of it."""
    import segno

    picture = io.BytesIO()
    segno.make_qr(address).save(picture, kind="svg", border=2, scale=8, light="#fff", omitsize=True, svgclass=None)
    return picture.getvalue()


def lines(address: str) -> list[str]:
    """The same in `BLOCKS`, for light letters on a dark screen, two rows of the code a line."""
    import segno

    text = io.StringIO()
    segno.make_qr(address).terminal(text, border=2, compact=True)
    return text.getvalue().rstrip("\n").split("\n")
