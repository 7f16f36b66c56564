"""`popout sim --listen`: what the terminal says about phones."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from popout.views.web import qr
from popout.views.web.network import addresses_of_this_machine

COMMAND = Path(sys.executable).with_name("popout")
STOP = "Press Ctrl+C here to stop."


@pytest.fixture(autouse=True)
def network() -> None:
    if not addresses_of_this_machine(1):
        pytest.skip("this machine has no address but loopback")


def said(folder: Path, *arguments: str, encoding: str = "C.UTF-8") -> str:
    """What the program prints to a terminal until all of its beginning has been said, or until it ends."""
    master, slave = pty.openpty()
    command: Sequence[str | Path] = [
        COMMAND, "sim", "--no-browser", "--port", "0", "--record", folder / "games", *arguments,
    ]  # fmt: skip
    environment = {
        **os.environ,
        "LC_ALL": encoding,
        "PYTHONIOENCODING": "utf-8" if "UTF-8" in encoding else "ascii",
        "TERM": "xterm",
        "XDG_CONFIG_HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
    }
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    heard, last = b"", b"On the network" if "--listen" in arguments else b"to stop"
    try:
        os.set_blocking(master, False)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                heard += os.read(master, 65536)
            except BlockingIOError:
                if last in heard:
                    time.sleep(0.3)  # for the rest, which is written at once
                    heard += _rest(master)
                    break
                time.sleep(0.02)
            except OSError:
                break
    finally:
        process.terminate()
        process.wait(10)
        os.close(master)
    return heard.decode(errors="replace").replace("\r\n", "\n")


def _rest(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:
        return b""


def port_in(text: str) -> int:
    return int(text.partition("http://127.0.0.1:")[2].partition("/")[0])


def test_the_address_for_phones_is_said_and_drawn(tmp_path):
    text = said(tmp_path, "--listen")

    address = addresses_of_this_machine(port_in(text))[0]
    assert f"On the network it is at {address}\n" in text
    assert "\n".join(qr.lines(address)) in text


def test_a_terminal_without_the_letters_is_told_the_address_alone(tmp_path):
    text = said(tmp_path, "--listen", encoding="C")

    assert "On the network it is at http://" in text
    assert not set(text) & set(qr.BLOCKS)


def test_without_it_nothing_is_said_of_a_network(tmp_path):
    text = said(tmp_path)

    assert STOP in text
    assert "network" not in text
