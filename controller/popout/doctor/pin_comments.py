"""Comments of a layout file that say where its pins are on the header: they are to be true after a correction too.

The comments are those beside a key: behind its value, and in the lines above it, as `popout layout new` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from popout.wiring.pinout import PINOUTS, Pinout

_MENTION: Final = re.compile(r"\bpins? \d+(?:(?:, and |, | and | to |,\n[ \t]*# )\d+)*", re.IGNORECASE)
_CODE: Final = re.compile(r"""(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*""")
_STRING: Final = re.compile(r""""([^"]*)"|'([^']*)'""")
_KEY: Final = re.compile(r"\s*[\w-]+\s*=")
_GONE: Final = "\0"
_CLAUSE: Final = re.compile(rf"[,;]?[^,;.#]*{_GONE}[^,;.]*\.?")

Moved = tuple[list[str], list[str]]
"""The numbers on the header of some pins, before and after; empty for a pin that is not on it."""


def put_right(before: str, after: str, driver: str) -> str:
    """The text `after`, with its comments about pins put right or, where that cannot be, left out.

    Comments behind a value stay in their column.

    :param before: the text before pins were changed in it, line for line. :param driver: of the board.
    """
    pinout = PINOUTS.get(driver)
    old, new = before.split("\n"), after.split("\n")
    if pinout is None or len(old) != len(new):
        return after
    for first, last in reversed(list(_changed_values(old, new))):
        whole = _moved(old[first : last + 1], new[first : last + 1], pinout)
        for number in range(first, last + 1):
            if old[number] != new[number] or number == last:
                moved = _moved([old[number]], [new[number]], pinout)
                new[number] = _behind(old[number], new[number], [moved, whole])
        top = first
        while top > 0 and new[top - 1].lstrip().startswith("#"):
            top -= 1
        new[top:first] = _above(new[top:first], whole)
    return "\n".join(new)


def _changed_values(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first and the last line of each value in which something changed."""
    done = -1
    for number in range(len(old)):
        if old[number] == new[number] or number <= done:
            continue
        first = number
        while first > 0 and not _KEY.match(old[first]):
            first -= 1
        done, depth = number, 0
        for last in range(first, len(old)):
            code = _STRING.sub("", _code(old[last]))
            depth += code.count("[") - code.count("]")
            if depth <= 0:
                done = max(last, number)
                break
        yield first, done


def _moved(old: Sequence[str], new: Sequence[str], pinout: Pinout) -> Moved:
    return _numbers(old, pinout), _numbers(new, pinout)


def _numbers(lines: Sequence[str], pinout: Pinout) -> list[str]:
    names = [found[1] or found[2] for line in lines for found in _STRING.finditer(_code(line))]
    pins = [pinout.pin(name) for name in names]
    return ["" if pin is None else str(pin.number) for pin in pins]


def _code(line: str) -> str:
    found = _CODE.match(line)
    return found[0] if found else ""


def _behind(old: str, line: str, moved: Sequence[Moved]) -> str:
    """A line with its comment put right and in the column where it was."""
    code, end = _code(line), "\r" if line.endswith("\r") else ""
    comment = line[len(code) :].rstrip("\r")
    if not comment:
        return line
    for each in moved:
        comment = _CLAUSE.sub("", _said(comment, each)).rstrip()
    if comment in ("", "#"):
        return code.rstrip() + end
    column = len(_code(old))
    return f"{code.rstrip():<{column - 1}} {comment}{end}" if column else line


def _above(comments: Sequence[str], moved: Moved) -> list[str]:
    """The lines of a comment, put right; those of which nothing is left are left out."""
    text = "\n".join(comments)
    said = _said(text, moved)
    if said == text:
        return list(comments)
    lines = []
    for line in said.split("\n"):
        left = _CLAUSE.sub("", line).rstrip(" ")
        if _GONE not in line or left.strip() != "#":
            lines.append(left)
    return lines


def _said(comment: str, moved: Moved) -> str:
    """A comment with the new numbers; `_GONE` stands for what was said of pins and cannot be put right."""
    old, new = moved
    changed = {number for number, later in zip(old, new, strict=True) if number and number != later}

    def put(found: re.Match[str]) -> str:
        numbers = re.findall(r"\d+", found[0])
        if numbers == old and all(new):
            later = iter(new)
            return re.sub(r"\d+", lambda _: next(later), found[0])
        return _GONE if changed & set(numbers) else found[0]

    return _MENTION.sub(put, comment)
