"""The header's pins through the real lgpio: where its pipe goes, its one factory, its thread.

lgpio belongs to a process as a whole and leaves traces in it, so each story has a process of its own. Its chip is not
there; that lines work is shown on a kernel that simulates them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from popout.board.gpio import header as header_module
from popout.board.gpio.chips import Chip
from popout.board.gpio.driver import GpioBoard
from popout.board.gpio.header import HeaderPins, NoHeader, PinsForbidden
from popout.board.layout import Layout

REAL_LGPIO = pytest.mark.skipif(
    sys.version_info >= (3, 13) or sys.platform != "linux", reason="there is no lgpio for this Python that can be had"
)
"""As the extra for the tests says it. Where it can be had it must be there."""

_BEGINNING = """
import json, os, struct, sys, tempfile, threading, time
from pathlib import Path
from popout.board.driver import BoardLost
from popout.board.gpio import header
from popout.board.gpio.chips import Chip

chip = Chip(0, Path("/dev/gpiochip0"), "pinctrl-bcm2711", 58)
header.header_chip = lambda: chip
threading.excepthook = lambda arguments: None

def pins():
    header.HeaderPins._import_lgpio()
    import lgpio
    lgpio.gpiochip_open = lambda number: opened.append(number) or len(opened) | number << 16
    lgpio.gpiochip_close = lambda handle: closed.append(handle)
    lgpio.gpio_get_chip_info = lambda handle: [0, 58, "gpiochip0", "pinctrl-bcm2711"] if handle not in gone else fail()
    return header.HeaderPins("7x6-pi")

def fail():
    import lgpio
    raise lgpio.error("bad chip")

opened, closed, gone, said = [], [], [], {}
"""


def in_its_own_process(story: str, folder: Path, **environment: str) -> dict[str, Any]:
    """What a story wrote into `said`, in a process that works in `folder`."""
    source = f"{_BEGINNING}\n{textwrap.dedent(story)}\nprint(json.dumps(said))"
    found = subprocess.run(
        [sys.executable, "-c", source],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    said = json.loads(found.stdout)
    assert isinstance(said, dict)
    return said


@REAL_LGPIO
def test_lgpios_pipe_goes_into_a_folder_of_its_own_that_goes_with_the_process_g7(tmp_path: Path):
    """Field bug G7: it would go into the working folder, which a service may not write in."""
    said = in_its_own_process(
        """
        pins()
        folder = header.HeaderPins._folder
        said.update(here=os.getcwd(), LG_WD=os.environ["LG_WD"], folder=str(folder), mode=folder.stat().st_mode & 0o777,
                    pipes=len(list(folder.glob(".lgd-nfy*"))))
        """,
        tmp_path,
        LG_WD="/somewhere/else",
    )
    assert said["here"] == str(tmp_path)
    assert said["LG_WD"] == "/somewhere/else"
    assert said["pipes"] == 1
    assert said["mode"] == 0o700
    assert list(tmp_path.iterdir()) == []
    assert not Path(said["folder"]).exists()


@REAL_LGPIO
def test_a_working_folder_that_was_removed_is_no_reason_not_to_play_g7(tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    said = in_its_own_process(
        """
        os.rmdir(os.getcwd())
        pins()
        said["LG_WD"] = os.environ.get("LG_WD")
        """,
        gone,
    )
    assert said == {"LG_WD": os.environ.get("LG_WD")}


@REAL_LGPIO
def test_without_any_folder_to_write_in_the_opening_says_so_g7(tmp_path: Path):
    said = in_its_own_process(
        """
        def refuse(**names):
            raise FileNotFoundError(2, "No usable temporary directory found")
        tempfile.mkdtemp = refuse
        try:
            pins()
        except header.NoRunFolder as error:
            said["error"] = str(error)
        said["here"] = os.getcwd()
        """,
        tmp_path,
    )
    assert said == {
        "error": "lgpio needs a folder to write in, and none could be found: No usable temporary directory found. Name "
        "one in the environment variable TMPDIR.",
        "here": str(tmp_path),
    }


@REAL_LGPIO
def test_one_factory_serves_all_openings_of_a_process_and_names_its_chip(tmp_path: Path):
    """A factory that is closed and opened anew kills lgpio's only thread at the first edge."""
    said = in_its_own_process(
        """
        factories = {id(pins().factory) for _ in range(5)}
        said.update(factories=len(factories), opened=opened, closed=closed)
        """,
        tmp_path,
    )
    assert said == {"factories": 1, "opened": [0], "closed": []}


@REAL_LGPIO
def test_a_chip_that_came_back_under_another_number_is_opened_anew_g6(tmp_path: Path):
    """Field bug G6: a new kernel counts the chips in another way; they are found by their label."""
    said = in_its_own_process(
        """
        first = pins().factory
        chip = Chip(4, Path("/dev/gpiochip4"), "pinctrl-bcm2711", 58)
        second = pins().factory
        said.update(chips=[first.chip, second.chip], opened=opened, closed=closed)
        """,
        tmp_path,
    )
    assert said == {"chips": [0, 4], "opened": [0, 4], "closed": [1]}


@REAL_LGPIO
def test_a_chip_that_was_away_and_came_back_is_opened_anew(tmp_path: Path):
    said = in_its_own_process(
        """
        pins()
        gone.append(1)
        pins()
        said.update(opened=opened, closed=closed)
        """,
        tmp_path,
    )
    assert said == {"opened": [0, 0], "closed": [1]}


@REAL_LGPIO
def test_a_thread_that_was_killed_is_noticed_and_started_anew_at_the_next_opening_g10(tmp_path: Path):
    """Field bug G10: an error in a callback ends the only thread that brings edges."""
    said = in_its_own_process(
        """
        board = pins()
        import lgpio
        board.check()
        os.chdir = os.fchdir = None  # boards are opened again in a thread, and the working folder is everybody's

        def heard(chip, gpio, level, tick):
            said.setdefault("edges", []).append([gpio, level])

        def bring_an_edge(level):
            pipe = header.HeaderPins._folder / f".lgd-nfy{lgpio._notify_thread._notify}"
            with pipe.open("wb", buffering=0) as file:
                file.write(struct.pack("QBBBBI", 1, 0, 5, level, 0, 0))

        def bad(*arguments):
            raise ValueError("a bug of somebody else's")

        dead = lgpio._notify_thread
        lgpio.callback(0, 5, lgpio.BOTH_EDGES, bad)
        bring_an_edge(0)
        dead.join(20)
        try:
            board.check()
        except BoardLost as error:
            said["error"] = str(error)
        board = pins()
        board.check()
        lgpio.callback(0, 5, lgpio.BOTH_EDGES, heard)
        bring_an_edge(1)
        until = time.monotonic() + 20
        while "edges" not in said and time.monotonic() < until:
            time.sleep(0.002)
        said.update(dead=not dead.is_alive(), here=os.getcwd())
        """,
        tmp_path,
    )
    assert said == {
        "error": "The buttons are not heard any more: the part of lgpio that listens has stopped.",
        "edges": [[5, 1]],
        "dead": True,
        "here": str(tmp_path),
    }
    assert list(tmp_path.iterdir()) == []


def test_a_stub_in_place_of_lgpio_is_told_from_the_real_one_g16(tmp_path: Path):
    """Field bug G16: on some Pythons pip finds an empty package of that name."""
    (tmp_path / "lgpio.py").write_text("", encoding="utf-8")
    said = in_its_own_process(
        """
        from popout.board.find import DriverPackageMissing
        sys.path.insert(0, os.getcwd())
        try:
            header.HeaderPins("7x6-pi")
        except DriverPackageMissing as error:
            said["error"] = str(error)
        """,
        tmp_path,
    )
    assert said["error"] == (
        "The Python package “lgpio” is there, but empty: that is what pip finds for a version of Python that lgpio "
        "does not serve. What to install instead says: popout doctor"
    )


def test_an_lgpio_that_cannot_be_loaded_is_one_sentence(tmp_path: Path):
    """As pip builds it where the library is missing that it is linked to."""
    said_by_the_loader = "liblgpio.so.1: cannot open shared object file: No such file or directory"
    (tmp_path / "lgpio.py").write_text(f"raise ImportError({said_by_the_loader!r})\n", encoding="utf-8")
    said = in_its_own_process(
        """
        from popout.board.find import DriverPackageMissing
        sys.path.insert(0, os.getcwd())
        for _ in range(2):
            try:
                header.HeaderPins("7x6-pi")
            except DriverPackageMissing as error:
                said.setdefault("errors", []).append(str(error))
        said["LG_WD"] = os.environ.get("LG_WD")
        """,
        tmp_path,
    )
    sentence = (
        f"The Python package “lgpio” is there, but cannot be loaded ({said_by_the_loader}). If it misses "
        "liblgpio.so.1, type: sudo apt install liblgpio1; else install “lgpio” anew."
    )
    assert said == {"errors": [sentence, sentence], "LG_WD": os.environ.get("LG_WD")}


def test_an_lgpio_that_is_missing_is_left_for_the_driver_to_say(tmp_path: Path):
    said = in_its_own_process(
        """
        import importlib.abc

        class Nowhere(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == "lgpio":
                    raise ModuleNotFoundError("No module named 'lgpio'", name=name)

        sys.meta_path.insert(0, Nowhere())
        try:
            header.HeaderPins("7x6-pi")
        except ModuleNotFoundError as error:
            said["missing"] = error.name
        """,
        tmp_path,
    )
    assert said == {"missing": "lgpio"}


def test_pins_that_may_not_be_used_say_what_to_type(monkeypatch: pytest.MonkeyPatch):
    def refuse() -> Chip:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(header_module, "header_chip", refuse)
    with pytest.raises(PinsForbidden) as caught:
        HeaderPins("7x6-pi")
    assert str(caught.value) == (
        "You may not use the pins of this Raspberry Pi, since you are not in the group “gpio”. Type: sudo usermod -aG "
        "gpio $USER; then log out and in again."
    )


@REAL_LGPIO
@pytest.mark.parametrize(("path", "said_so"), [("/nowhere", "You may not use the pins"), ("/dev/null", "cannot be")])
def test_a_chip_that_lgpio_cannot_open_is_one_sentence(path: str, said_so: str, tmp_path: Path):
    said = in_its_own_process(
        f"""
        chip = Chip(0, Path({path!r}), "pinctrl-bcm2711", 58)
        header.HeaderPins._import_lgpio()
        import lgpio

        def refuse(number):
            raise lgpio.error("can not open gpiochip")

        lgpio.gpiochip_open = refuse
        try:
            header.HeaderPins("7x6-pi")
        except header.BoardError as error:
            said["error"] = str(error)
        """,
        tmp_path,
    )
    assert said_so in said["error"]


def test_a_computer_without_a_header_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(header_module, "header_chip", lambda: None)
    with pytest.raises(NoHeader) as caught:
        GpioBoard(Layout.load("7x6-pi"))
    assert str(caught.value) == (
        "This computer has no GPIO pins of a Raspberry Pi that could be found. Choose another board, such as the "
        "simulator: --board sim"
    )


def test_what_a_killed_program_left_behind_is_removed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(header_module.tempfile, "gettempdir", lambda: str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"popout-lgpio-{ended.pid}-abc", f"popout-lgpio-{os.getpid()}-abc", "popout-lgpio-notes", "other"):
        (tmp_path / name).mkdir()

    header_module._remove_old_folders()

    assert {folder.name for folder in tmp_path.iterdir()} == {
        f"popout-lgpio-{os.getpid()}-abc",
        "popout-lgpio-notes",
        "other",
    }
