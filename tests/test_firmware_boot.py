"""What runs on the Pico before its program."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

BOOT = Path(__file__).parent.parent / "firmware/program/boot.py"


def test_what_is_said_before_the_program_listens_cannot_stop_it_and_no_file_is_taken_for_a_part_of_it(
    monkeypatch: pytest.MonkeyPatch,
):
    """Field bug S6: a byte 3 in noise is the key that stops a program."""
    keys: list[int] = []
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace(kbd_intr=keys.append))
    monkeypatch.setattr(sys, "path", ["", ".frozen", "/lib"])
    exec(compile(BOOT.read_text("utf-8"), BOOT, "exec"), {})
    assert keys == [-1]
    assert sys.path == [".frozen"]
