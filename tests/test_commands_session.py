"""A running board from outside, as systemd sees it: ready, alive, and dark and gone when it is told to stop."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Self
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

from popout.board.driver import BoardLost
from popout.board.layout import Layout
from popout.commands.console import Console
from popout.commands.session import Page, Session
from popout.locale import Catalogue
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import Message
from popout.views.web import server
from popout.views.web.listening import listen
from popout.views.web.network import Network
from popout_sim.driver import SimulatedBoard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="systemd and its signals are not there")

PATIENCE_S = 20
STOP_WITHIN_S = 2
PLAY = [sys.executable, "-m", "popout", "play", "--board", "witness", "--no-browser", "--port", "0"]

WITNESS = '''
import os
from pathlib import Path
from popout.board.frame import Frame
from popout_sim.driver import SimulatedBoard

class Witness(SimulatedBoard):
    """Notes whether its lamps are lit, so that it can be read when the program is gone."""
    name = "witness"

    def show(self, frame):
        super().show(frame)
        self._note()

    def close(self):
        super().close()
        self._note()

    def _note(self):
        dark = self.lamps == Frame.dark(self.layout.columns, self.layout.rows)
        Path(os.environ["WITNESS"]).write_text("dark" if dark else "lit")
'''


class Running:
    """`popout play` on a board that notes its light, with somebody who listens as systemd does.

    :ivar heard: what was told to the system so far.
    """

    def __init__(self, folder: Path, watchdog_s: float = 0.2) -> None:
        self.folder = folder
        self.lamps = folder / "lamps"
        self.heard: list[str] = []
        self._news = threading.Condition()
        _install_witness(folder)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        threading.Thread(target=self._listen, daemon=True).start()
        self.process = subprocess.Popen(
            [*PLAY, "--record", str(folder / "games")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(folder),
                "WITNESS": str(self.lamps),
                "NOTIFY_SOCKET": str(folder / "notify"),
                "WATCHDOG_USEC": str(int(watchdog_s * 1_000_000)),
                "RUNTIME_DIRECTORY": str(folder / "run"),
                "PYTHONUNBUFFERED": "1",
            },
        )

    def until(self, seen: Callable[[list[str]], Any]) -> None:
        """Wait until what was heard is so."""
        with self._news:
            assert self._news.wait_for(lambda: seen(self.heard), PATIENCE_S), self.heard

    def address(self) -> str:
        """Where the page is."""
        assert self.process.stdout
        self.process.stdout.readline()
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found
        return found[0]

    def stop(self, by: signal.Signals) -> tuple[int, str]:
        """Tell it to stop, and see it stop in time: its exit code, and what it complained of."""
        self.process.send_signal(by)
        _, errors = self.process.communicate(timeout=STOP_WITHIN_S)
        return self.process.returncode, errors

    def status(self) -> subprocess.CompletedProcess[str]:
        """What `popout status` says meanwhile."""
        return subprocess.run(
            [sys.executable, "-m", "popout", "status"],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
            env={**os.environ, "RUNTIME_DIRECTORY": str(self.folder / "run"), "XDG_RUNTIME_DIR": str(self.folder)},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                message = self._socket.recv(4096).decode()
            except OSError:
                return
            with self._news:
                self.heard.append(message)
                self._news.notify_all()


def _install_witness(folder: Path) -> None:
    (folder / "witness.py").write_text(WITNESS, "utf-8")
    information = folder / "witness-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: witness\nVersion: 1.0\n", "utf-8")
    (information / "entry_points.txt").write_text("[popout.boards]\nwitness = witness:Witness\n", "utf-8")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path) as started:
        yield started


def test_it_says_that_it_is_ready_what_it_does_and_that_it_is_alive(running: Running):
    running.until(lambda heard: "READY=1" in heard)
    running.until(lambda heard: "STATUS=popout 7x6 connect=4, 0 moves. Red to move." in heard)
    running.until(lambda heard: heard.count("WATCHDOG=1") >= 5)
    assert running.lamps.read_text("utf-8") == "lit"


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_told_to_stop_it_says_so_darkens_the_lamps_and_is_gone(running: Running, by: signal.Signals):
    running.until(lambda heard: "READY=1" in heard)

    assert running.stop(by) == (0, "")

    running.until(lambda heard: "STOPPING=1" in heard)
    assert running.lamps.read_text("utf-8") == "dark"
    assert list((running.folder / "run").iterdir()) == []


def test_with_a_silent_page_open_it_stops_as_quickly(running: Running):
    address = running.address()
    running.until(lambda heard: "READY=1" in heard)
    with (
        socket.create_connection(address[7:-1].split(":")) as mute,
        connect(address.replace("http:", "ws:") + "ws", origin=address.rstrip("/"), max_queue=None) as page,
    ):
        page.recv(PATIENCE_S)
        mute.send(b"GET / HTTP/1.1\r\nHost: 127")

        assert running.stop(signal.SIGTERM) == (0, "")

    assert running.lamps.read_text("utf-8") == "dark"


def test_what_status_says_while_it_runs_and_after_it_was_killed(running: Running):
    address = running.address()
    running.until(lambda heard: "READY=1" in heard)
    file = running.folder / "run" / f"{running.process.pid}.json"
    _until(lambda: file.exists() and address in file.read_text("utf-8") and '"ready":true' in file.read_text("utf-8"))

    told = running.status()
    assert told.returncode == 0, told
    assert f"(process {running.process.pid})" in told.stdout
    assert f"The page is at {address}" in told.stdout

    running.process.kill()
    running.process.wait()
    assert f"(process {running.process.pid})" not in running.status().stdout
    assert not file.exists()


def test_after_a_crash_the_lamps_are_darkened_from_outside(running: Running):
    running.until(lambda heard: "READY=1" in heard)
    running.process.kill()
    running.process.wait()
    assert running.lamps.read_text("utf-8") == "lit"

    subprocess.run(
        [sys.executable, "-m", "popout", "dark", "--board", "witness"],
        check=True,
        timeout=PATIENCE_S,
        env={**os.environ, "PYTHONPATH": str(running.folder), "WITNESS": str(running.lamps)},
    )

    assert running.lamps.read_text("utf-8") == "dark"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts how often a process was woken")
def test_an_idle_game_wakes_less_than_once_a_second(tmp_path: Path):
    with Running(tmp_path, watchdog_s=30) as running:
        running.until(lambda heard: "STATUS=popout 7x6 connect=4, 0 moves. Red to move." in heard)
        running.address()
        woken = []
        for _ in range(PATIENCE_S // 3):  # what comes after a start is no idling, and takes a slow machine a while
            before = _times_woken(running.process.pid)
            threading.Event().wait(3)
            woken.append(_times_woken(running.process.pid) - before)
            if woken[-1] < 3:
                break

        assert woken[-1] < 3, woken


def _times_woken(pid: int) -> int:
    threads = Path(f"/proc/{pid}/task").glob("*/status")
    return sum(int(re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", file.read_text(), re.M)[0]) for file in threads)


def _until(seen: Callable[[], object]) -> None:
    waiting = threading.Event()
    for _ in range(PATIENCE_S * 100):
        if seen():
            return
        waiting.wait(0.01)
    raise AssertionError("it did not happen")


# In this process


def a_table(board: SimulatedBoard) -> Table:
    return Table(board, Store(None), Settings())


def test_a_board_that_is_gone_for_good_ends_everything_and_is_closed():
    class Gone(SimulatedBoard):
        closings = 0

        async def events(self):
            raise BoardLost(Message("The cable was pulled."))
            yield

        def close(self) -> None:
            Gone.closings += 1
            super().close()

    session = Session(a_table(Gone(Layout.plain(7, 6))), Console(Catalogue()), Message("Chosen."), None)

    with pytest.raises(BoardLost, match="The cable was pulled"):
        asyncio.run(session.run())

    assert Gone.closings


def test_what_there_is_to_say_about_the_board_is_said_at_the_start(capfd: pytest.CaptureFixture[str]):
    class Remarkable(SimulatedBoard):
        remarks = (Message("The lamps stay dark."),)

    table = a_table(Remarkable(Layout.plain(7, 6)))

    async def story() -> None:
        running = asyncio.create_task(Session(table, Console(Catalogue()), Message("Chosen."), None).run())
        await table.started.wait()
        running.cancel()
        await running

    asyncio.run(story())

    assert capfd.readouterr().out == "Chosen.\nThe lamps stay dark.\nPress Ctrl+C here to stop.\n"


def test_a_page_that_fails_comes_back_at_the_same_address_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    real = server.serve
    starts = 0

    async def failing(*arguments: Any, **named: Any) -> None:
        nonlocal starts
        starts += 1
        if starts > 1:
            await real(*arguments, **named)
        named["listener"].close()
        raise ValueError("the page is torn")

    monkeypatch.setattr(server, "serve", failing)
    table = a_table(SimulatedBoard(Layout.plain(7, 6)))

    async def story(page: Page) -> bytes:
        running = asyncio.create_task(Session(table, Console(Catalogue()), Message("Chosen."), page).run())
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    found = await asyncio.to_thread(lambda: urlopen(page.listener.address, timeout=5).read())
                    break
                except OSError:
                    await asyncio.sleep(0.02)
        assert "the page is torn" in str(table.controller.notices.newest.message)
        running.cancel()
        await running
        return found

    with closing(listen(port=0)) as listener:
        assert b"<html" in asyncio.run(story(Page(listener, Network([]), None, False)))
    assert starts == 2
    assert capfd.readouterr().out.count("The board is at ") == 1


def test_when_nobody_reads_what_is_said_the_page_is_there_all_the_same():
    class Unheard(Console):
        def say(self, *messages: Message) -> None:
            if "The board is at" in str(messages[0]):
                raise BrokenPipeError

    table = a_table(SimulatedBoard(Layout.plain(7, 6)))

    async def story(page: Page) -> bytes:
        running = asyncio.create_task(Session(table, Unheard(Catalogue()), Message("Chosen."), page).run())
        async with asyncio.timeout(PATIENCE_S):
            found = await asyncio.to_thread(lambda: urlopen(page.listener.address, timeout=PATIENCE_S).read())
        running.cancel()
        await running
        return found

    with closing(listen(port=0)) as listener:
        assert b"<html" in asyncio.run(story(Page(listener, Network([]), None, False)))
    assert table.controller.notices.newest is None
