"""A layout file with corrections written into it: comments, order and everything else of the original stay.

It needs the package tomlkit, which is imported when it is used.
"""

from __future__ import annotations

import difflib
import errno
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from popout.board.layout import Layout, LayoutError
from popout.board.switches import numbered
from popout.doctor.edits import Edits, corrected, key_of
from popout.doctor.pin_comments import put_right
from popout.rules.messages import Message

if TYPE_CHECKING:
    from collections.abc import MutableMapping

_TOO_BLANK: Final = "\n\n\n[[lamps.parts]]"


class CorrectionFailed(LayoutError, ValueError):
    """The corrections could not be brought into the file."""

    code = "correction-failed"


class LayoutNotWritten(LayoutError, OSError):
    """The corrected layout cannot be written there."""

    code = "layout-not-written"


class LayoutThere(LayoutNotWritten):
    """Something of that name is there that may not be replaced."""

    code = "layout-there"


def layout_text(path: Path) -> str:
    """The text of a layout file, with the ends of its lines as they are.

    :raises LayoutError: it cannot be read any more.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CorrectionFailed(
            Message("The board layout {file} cannot be read: {reason}.", file=str(path), reason=_reason(error))
        ) from None


def edited(text: str, edits: Edits) -> str:
    """The text of a layout file with the edits in it.

    :raises CorrectionFailed: tomlkit is missing, or the text has a form in which they find no place.
    """
    try:
        import tomlkit
    except ModuleNotFoundError:
        raise CorrectionFailed(
            Message(
                "Writing a corrected layout needs the Python package “{package}”, which is missing. Install it with: "
                "pip install {package}",
                package="tomlkit",
            )
        ) from None
    try:
        document: Any = tomlkit.parse(text)
        _edit_pins(document, edits)
        document = tomlkit.parse(put_right(text, tomlkit.dumps(document), str(document.get("driver", ""))))
        _edit_switches(document["switches"], edits)
        if edits.leds is not None:
            _set(document["leds"], "lit", edits.leds.lit, default="high")
        if edits.order is not None:
            _set(document["lamps"], "order", edits.order)
        if edits.parts is not None:
            _edit_parts(document["lamps"], edits.parts)
    except (ValueError, LookupError, TypeError) as error:  # tomlkit's own errors are ValueErrors and LookupErrors
        raise CorrectionFailed(
            Message("The corrections find no place in this layout file: {reason}.", reason=_reason(error))
        ) from error
    written = tomlkit.dumps(document)
    if edits.parts is not None:
        # A table that was the last one brings along the blank lines behind it.
        while _TOO_BLANK in written:
            written = written.replace(_TOO_BLANK, _TOO_BLANK[1:])
    return written


def difference(before: str, after: str, name: str) -> list[str]:
    """What changes in a file, line by line: ``-`` before what goes, ``+`` before what comes."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), name, f"{name}, corrected", lineterm="", n=1)
    return list(lines)


def place_of(target: Path) -> Path:
    """The file that is written for a wanted one, with ``~`` and links followed; it may be there.

    :raises LayoutThere: what is there is no file. :raises LayoutNotWritten: nothing can be written there.
    """
    try:
        place = target.expanduser().resolve()
        with suppress(FileNotFoundError):
            mode = place.stat().st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(mode):
                raise _there(target)
        place.parent.stat()
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except LayoutError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise _not_written(target, error) from None
    return place


def write_corrected(text: str, target: Path, layout: Layout, edits: Edits, *, may_replace: bool) -> None:
    """Write the text of a corrected layout, after it was read back and found to say what it should.

    A file that is replaced is replaced whole or not at all, and keeps its owner and its mode.

    :param layout: as it was before the edits.
    :raises LayoutThere: `target` is there, and `may_replace` is not set or it is no file.
    :raises LayoutNotWritten: it cannot be written. :raises CorrectionFailed: it does not say what it should.
    """
    place = place_of(target)
    try:
        before = place.stat() if place.exists() else None
        if before is not None and not may_replace:
            raise _there(target)
        with tempfile.TemporaryDirectory(prefix=".", dir=place.parent) as folder:
            beside = Path(folder) / "layout.toml"
            beside.write_bytes(text.encode())
            check_corrected(beside, layout, edits)
            if before is not None:
                with suppress(OSError, AttributeError):  # only root can give files away, and not on every system
                    os.chown(beside, before.st_uid, before.st_gid)
                beside.chmod(stat.S_IMODE(before.st_mode))
            beside.replace(place)
    except LayoutError:
        raise
    except OSError as error:
        raise _not_written(target, error) from None


def check_corrected(path: Path, layout: Layout, edits: Edits) -> None:
    """Read a corrected layout back.

    :raises LayoutError: it is no layout, or not that which the edits make.
    """
    if replace(Layout.load(path), name=layout.name) != corrected(layout, edits):
        raise CorrectionFailed(
            Message("The corrected layout does not say what it should. Make the changes by hand, as shown.")
        )


def _there(target: Path) -> LayoutThere:
    return LayoutThere(Message("{file} is there already, and was left as it is.", file=str(target)))


def _not_written(target: Path, error: Exception) -> LayoutNotWritten:
    return LayoutNotWritten(
        Message(
            "The corrected layout cannot be written to {file}: {reason}. Choose another place.",
            file=str(target),
            reason=_reason(error),
        )
    )


def _edit_pins(document: MutableMapping[str, Any], edits: Edits) -> None:
    """The pins, each written where another one was, so that every line stays where it is."""
    for switch, pin in edits.pins.items():
        _, column = numbered(switch) or ("", 0)
        if column:
            document["switches"][key_of(switch)][column - 1] = pin
        else:
            document["switches"][key_of(switch)] = pin
    if edits.leds is not None:
        document["leds"]["red"], document["leds"]["yellow"] = edits.leds.red, edits.leds.yellow


def _edit_switches(table: MutableMapping[str, Any], edits: Edits) -> None:
    """How the switches count; their pins are done."""
    if edits.closed is not None:
        _set(table, "closed", edits.closed)
    if edits.inverted is not None:
        kept = [str(key) for key in table.get("inverted", []) if key in edits.inverted]
        keys = kept + sorted(edits.inverted - set(kept))
        if keys:
            table["inverted"] = keys
        else:
            table.pop("inverted", None)


def _edit_parts(table: MutableMapping[str, Any], parts: tuple[Any, ...]) -> None:
    from tomlkit.items import AoT

    old = list(table["parts"])
    by_kind = {str(part["kind"]): part for part in old}
    ordered = []
    for part in parts:
        found = by_kind[part.__struct_config__.tag]
        for name in part.__struct_fields__:
            _set(found, name, getattr(part, name))
        ordered.append(found)
    if [id(part) for part in ordered] == [id(part) for part in old]:
        return
    if isinstance(table["parts"], AoT):
        table["parts"] = AoT(ordered)
    else:  # written in square brackets: the comments keep their lines
        for place, found in enumerate(ordered):
            table["parts"][place] = found


def _set(table: MutableMapping[str, Any], key: str, value: Any, default: Any = None) -> None:
    """Give a key another value, its comment in the same column; one that has it, if only by default, is not touched."""
    if table.get(key, default) == value:
        return
    before = _item(table, key)
    table[key] = value
    after = _item(table, key)
    if before is not None and after is not None and after.trivia.comment:
        room = len(before.as_string()) + len(before.trivia.comment_ws) - len(after.as_string())
        after.trivia.comment_ws = " " * max(room, 1)


def _item(table: MutableMapping[str, Any], key: str) -> Any:
    """What tomlkit knows of a value; None if there is no such key, or the table stands in several places."""
    container: Any = getattr(table, "value", None)
    return container.item(key) if container is not None and key in table else None


def _reason(error: Exception) -> str:
    """What an error says, without the full stop that some have."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")
