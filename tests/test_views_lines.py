"""Lines from a file descriptor, whatever comes."""

from __future__ import annotations

import asyncio
import os

from popout.views.lines import LONGEST, Lines


def read(data: bytes) -> list[str]:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(data)

    async def all_lines() -> list[str]:
        return [line async for line in Lines(reader)]

    try:
        return asyncio.run(all_lines())
    finally:
        os.close(reader)


def test_lines_of_all_kinds_and_a_last_one_without_an_end():
    assert read(b"d4\r\n\nnew popout\nquit") == ["d4", "", "new popout", "quit"]


def test_garbage_comes_as_replacement_characters():
    assert read(b"\xff\xfe\n") == ["��"]


def test_an_endless_line_is_cut():
    assert read(b"x" * (3 * LONGEST) + b"\nd4\n")[-1] == "d4"


def test_nothing_at_all_is_the_end():
    assert read(b"") == []


def test_a_descriptor_that_is_none_is_the_end():
    async def all_lines() -> list[str]:
        lines = Lines(-1)
        return [line async for line in lines] + [line async for line in lines]

    assert asyncio.run(all_lines()) == []
