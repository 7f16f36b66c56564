"""Small files, and what stands in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from popout.board.files import text


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (b"4096\n", "4096"),
        (b"Raspberry Pi 5\0", "Raspberry Pi 5"),
        (b"\n a\nb \n", "\n a\nb "),
        (b"", ""),
        (b"\xff!", "\N{REPLACEMENT CHARACTER}!"),
    ],
)
def test_a_file_is_read_as_text_without_its_end(tmp_path: Path, content: bytes, read: str):
    (tmp_path / "file").write_bytes(content)
    assert text(tmp_path / "file") == read


def test_of_a_large_file_the_beginning_is_read(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"x" * 1_000_000)
    assert text(tmp_path / "file") == "x" * 65536


@pytest.mark.parametrize("name", ["missing", ".", "a\0b", "x" * 10_000])
def test_what_cannot_be_read_is_none_and_no_error(tmp_path: Path, name: str):
    assert text(tmp_path / name) is None
