"""What a screen can do: whether it is one at all, and which letters it understands."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TextIO

from popout.rules import Message

_COERCED = "C.UTF-8"
"""What Python makes of the locale C for itself; the screen knows nothing of that."""
_STREAMS = 3


def why_plain(streams: Iterable[TextIO | None], environ: Mapping[str, str] = os.environ) -> Message | None:
    """Why nothing can be drawn over the whole screen, for the person who reads lines instead; None if it can.

    :param streams: standard input, output and error. The last is what a screen is drawn through.
    """
    opened = [stream for stream in streams if stream is not None and stream.isatty()]
    if len(opened) < _STREAMS:
        return Message("Standard input, output or error is no terminal: the board is told in lines of text.")
    if environ.get("TERM", "dumb") in ("dumb", "unknown", "") and sys.platform != "win32":
        return Message("This terminal cannot be drawn on: the board is told in lines of text.")
    if not all(speaks_utf8(stream, environ) for stream in opened):
        return Message(
            "This terminal is not set to UTF-8, so the board is told in lines of text. "
            "To have it drawn, set {variable} to a language in UTF-8, such as {example}.",
            variable="LANG",
            example="C.UTF-8",
        )
    return None


def speaks_utf8(stream: TextIO | None, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written to `stream` is read as UTF-8, as far as its user has said."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    if encoding != "utf8":
        return False
    if sys.platform == "win32" or environ.get("PYTHONIOENCODING") or environ.get("PYTHONUTF8") == "1":
        return True
    said = [environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if said[1] == _COERCED:
        said[1] = None if (said[2] or "C") in ("C", "POSIX") and not said[0] else said[1]
    locale = next((name for name in said if name), "C").lower().replace("-", "")
    return "utf8" in locale


def in_ascii(text: str) -> str:
    """`text` in letters that every screen has; what has no such letter becomes a question mark."""
    simple = unicodedata.normalize("NFKD", text.translate(_TYPED))
    bare = "".join(letter for letter in simple if not unicodedata.combining(letter))
    return bare.encode("ascii", "replace").decode()


_TYPED = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "×": "x", "·": "-"})
