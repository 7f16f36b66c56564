"""A layout file with corrections written into it: comments, order and everything else of the original stay.

It needs the package tomlkit, which is imported when it is used.
"""

from __future__ import annotations

import difflib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from popout.board.layout import Layout, LayoutError
from popout.board.switches import numbered
from popout.doctor.edits import Edits, corrected, key_of
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
    """There is a file of that name, and nobody said that it may be replaced."""

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
        _edit_switches(document["switches"], edits)
        if edits.leds is not None:
            for key in ("red", "yellow", "lit"):
                _set(document["leds"], key, getattr(edits.leds, key), default="high" if key == "lit" else None)
        if edits.order is not None:
            document["lamps"]["order"] = edits.order
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


def write_corrected(text: str, target: Path, layout: Layout, edits: Edits, *, may_replace: bool) -> None:
    """Write the text of a corrected layout, after it was read back and found to say what it should.

    :param layout: as it was before the edits.
    :raises LayoutThere: `target` is there, and `may_replace` is not set.
    :raises LayoutNotWritten: it cannot be written. :raises CorrectionFailed: it does not say what it should.
    """
    beside = target.with_name(f".{target.stem}.new.toml")
    try:
        if target.exists() and not may_replace:
            raise LayoutThere(Message("{file} is there already, and was left as it is.", file=str(target)))
        beside.write_bytes(text.encode())
        check_corrected(beside, layout, edits)
        beside.replace(target)
    except OSError as error:
        if isinstance(error, LayoutError):
            raise
        raise LayoutNotWritten(
            Message(
                "The corrected layout cannot be written to {file}: {reason}. Choose another place.",
                file=str(target),
                reason=_reason(error),
            )
        ) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def check_corrected(path: Path, layout: Layout, edits: Edits) -> None:
    """Read a corrected layout back.

    :raises LayoutError: it is no layout, or not that which the edits make.
    """
    if replace(Layout.load(path), name=layout.name) != corrected(layout, edits):
        raise CorrectionFailed(
            Message("The corrected layout does not say what it should. Make the changes by hand, as shown.")
        )


def _edit_switches(table: MutableMapping[str, Any], edits: Edits) -> None:
    for switch, pin in edits.pins.items():
        _, column = numbered(switch) or ("", 0)
        if column:
            table[key_of(switch)][column - 1] = pin
        else:
            table[key_of(switch)] = pin
    if edits.closed is not None:
        table["closed"] = edits.closed
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
    """Give a key another value; one that has it already, if only by default, is not touched."""
    if table.get(key, default) != value:
        table[key] = value


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
