"""Telling systemd: what goes over the socket, when the watchdog is fed, and that nobody is waited for."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from popout.service.notify import Notifier


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as opened:
        opened.setblocking(False)
        yield opened


def heard(listener: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(listener.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_everything_that_is_told_arrives_in_its_order(listener: socket.socket, tmp_path: Path):
    listener.bind(str(tmp_path / "notify"))

    with Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")}) as notifier:
        notifier.ready()
        notifier.status("popout 7x6, 3 moves.\nRed to move.")
        notifier.alive()
        notifier.stopping()

    assert heard(listener) == ["READY=1", "STATUS=popout 7x6, 3 moves. Red to move.", "WATCHDOG=1", "STOPPING=1"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has sockets with a name and no file")
def test_a_socket_without_a_file_is_reached(listener: socket.socket):
    name = f"popout-test-{os.getpid()}"
    listener.bind(f"\0{name}")

    with Notifier({"NOTIFY_SOCKET": f"@{name}"}) as notifier:
        assert notifier.ready()

    assert heard(listener) == ["READY=1"]


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}])
def test_where_nobody_listens_nothing_happens(environ: dict[str, str]):
    with Notifier({**environ, "WATCHDOG_USEC": "1000000"}) as notifier:
        assert notifier.ready()
        assert notifier.ping_every_s is None


def test_a_listener_that_is_gone_is_no_trouble_but_has_not_heard(tmp_path: Path):
    with Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}) as notifier:
        assert not notifier.ready()
        notifier.alive()
        notifier.stopping()


def test_a_listener_that_does_not_read_is_not_waited_for(listener: socket.socket, tmp_path: Path):
    listener.bind(str(tmp_path / "notify"))

    with Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")}) as notifier:
        said = 0
        while notifier.status(f"{said} " + "x" * 1000):
            said += 1
            assert said < 100_000

    assert len(heard(listener)) == said


def test_after_its_end_it_says_nothing(listener: socket.socket, tmp_path: Path):
    listener.bind(str(tmp_path / "notify"))
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})

    notifier.close()
    notifier.close()
    notifier.ready()

    assert heard(listener) == []


@pytest.mark.parametrize(
    ("watchdog", "every_s"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid() + 1)}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_fed_twice_in_its_time_if_it_is_ours(
    tmp_path: Path, watchdog: dict[str, str], every_s: float | None
):
    with Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify"), **watchdog}) as notifier:
        assert notifier.ping_every_s == every_s
