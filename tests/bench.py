"""Measures this machine: ``make bench``. Every figure is the median of several runs, and says what it is of.

Speeds that depend on how busy the machine is are given as CPU time of this process; start times are wall time beyond
the bare interpreter's own. Other programs are measured in the same run with the same random choices, if installed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench_spectators import SPECTATORS, event_to_frame
from popout.board.layout import Layout
from popout.board.power import within_limits
from popout.play.controller import Controller
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import GAMES, Game, Position, RuleSet
from popout_sim.driver import SimulatedBoard

RUNS = 5
_REACHABLE = {"pop10+five": " target=9"}
"""What a game needs beside its size so that it can be won."""


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description="Measure this machine.")
    parser.add_argument("--quick", action="store_true", help="smaller runs, to see that everything works")
    quick = parser.parse_args().quick
    steps = 20_000 if quick else 200_000
    for game in ("popout", "standard"):
        _print(f"{game} 9x9, positions played with outcome check", _positions(f"{game} 9x9", steps), "a second")
    speeds = {game: _positions(f"{game} 7x6" + _REACHABLE.get(game, ""), steps) for game in GAMES}
    for game, speed in speeds.items():
        _print(f"{game} 7x6, positions played with outcome check", speed, "a second")
    _print("  the slowest of these against popout", min(speeds.values()) / speeds["popout"], "times", digits=2)
    _print("popout 7x6, perft of depth 6", _cpu_time(lambda: _perft_of_popout()), "s", digits=3)
    _playouts(steps)
    for what, milliseconds in _event_to_frame(200 if quick else 2000).items():
        _print(f"switch event to finished frame, {what}", milliseconds, "ms", digits=3)
    _spectators(40 if quick else 300)
    seconds = 2 if quick else 10
    used = asyncio.run(_idle(seconds))
    _print(f"CPU of an idle game over {seconds} s, disc lamps of both sides lit", used, "%", digits=2)
    _start_times()


def _print(what: str, value: float, unit: str, digits: int = 0) -> None:
    print(f"{what:<72}{value:>12,.{digits}f} {unit}", flush=True)


def _cpu_time(run: Callable[[], object]) -> float:
    """Seconds of CPU that `run` takes: the median of several runs."""
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        run()
        times.append(time.process_time() - began)
    return statistics.median(times)


# Rules


def _positions(rules: str, steps: int) -> float:
    return steps / _cpu_time(lambda: _play_at_random(RuleSet.parse(rules), steps))


def _play_at_random(rules: RuleSet, steps: int) -> None:
    choose = random.Random(1).random
    start = position = Position.start(rules)
    for _ in range(steps):
        moves = position.legal_moves
        position = position.play(moves[int(choose() * len(moves))])
        if position.outcome is not None:
            position = start


def _perft_of_popout() -> int:
    def count(position: Position, depth: int) -> int:
        if depth == 1:
            return len(position.legal_moves)
        return sum(count(position.play(move), depth - 1) for move in position.legal_moves)

    return count(Position.start(RuleSet.parse("popout 7x6")), 6)


# Playouts beside other programs


def _playouts(steps: int) -> None:
    speeds = {"here": steps / _cpu_time(lambda: _our_playouts(steps))}
    if importlib.util.find_spec("pyspiel"):
        speeds["open_spiel"] = steps / _cpu_time(lambda: _playouts_of_open_spiel(steps))
    if importlib.util.find_spec("bitbully"):
        speeds["bitbully"] = steps / _cpu_time(lambda: _playouts_of_bitbully(steps))
    for name, speed in speeds.items():
        _print(f"random playouts of the original game, {name}", speed, "moves a second")
    for name, speed in speeds.items():
        if name != "here":
            _print(f"  here against {name}", speeds["here"] / speed, "times", digits=2)


def _our_playouts(steps: int) -> None:
    choose = random.Random(1).random
    start = position = Position.start(RuleSet.parse("standard 7x6"))
    for _ in range(steps):
        moves = position.legal_moves
        position = position.play(moves[int(choose() * len(moves))])
        if position.ended:
            position = start


def _playouts_of_open_spiel(steps: int) -> None:
    import pyspiel

    choose = random.Random(1).random
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for _ in range(steps):
        moves = state.legal_actions()
        state.apply_action(moves[int(choose() * len(moves))])
        if state.is_terminal():
            state = game.new_initial_state()


def _playouts_of_bitbully(steps: int) -> None:
    import bitbully

    choose = random.Random(1).random
    board = bitbully.Board()
    for _ in range(steps):
        moves = board.legal_moves()
        board.play(moves[int(choose() * len(moves))])
        if board.is_game_over():
            board = bitbully.Board()


# The controller


def _event_to_frame(presses: int) -> dict[str, float]:
    """Milliseconds from a raw edge, through debouncer, gestures and rules, to the frame for the lamps.

    On the clock, which other programs on the machine can hold up, and of CPU, which they cannot.
    """
    layout = Layout.plain(7, 6)
    settings = Settings()
    now = 0.0
    levels = dict.fromkeys(layout.switches, False)
    controller = Controller(layout, settings, Game.start(RuleSet.parse("popout 7x6")), levels=levels, now=now)
    board = SimulatedBoard(layout, clock=lambda: now)
    choose = random.Random(1)
    on_the_clock, of_cpu = [], []
    for _ in range(presses):
        column = f"column {choose.randint(1, 7)}"
        for closed in (True, False):
            now += 100
            board.twin.act({"do": "press" if closed else "release", "switch": column})
            for edge in board.drain():
                began, began_cpu = time.perf_counter(), time.thread_time()
                controller.edge(edge)
                controller.tick(now + settings.glitch_ms, board.levels())
                if controller.unsaved:
                    controller.saved(now)
                within_limits(controller.frame(now), layout)
                on_the_clock.append(time.perf_counter() - began)
                of_cpu.append(time.thread_time() - began_cpu)
        if controller.game.outcome:
            controller.new_game(controller.game.rules)
            controller.saved(now)
    return {
        f"{name}, {kind}": value * 1000
        for kind, times in (("clock", on_the_clock), ("CPU", of_cpu))
        for name, value in (
            ("median", statistics.median(times)),
            ("99th percentile", statistics.quantiles(times, n=100)[98]),
        )
    }


def _spectators(presses: int) -> None:
    for spectators in (0, SPECTATORS):
        times, grown = asyncio.run(event_to_frame(presses, spectators))
        for name, milliseconds in times.items():
            _print(f"switch event to finished frame, {spectators} spectators, {name}", milliseconds, "ms", digits=3)
        if spectators:
            _print(f"  memory of the board's process, grown over {presses} presses", grown, "MiB", digits=2)


async def _idle(seconds: float) -> float:
    """Percent of a core that a game takes while nobody touches it, with discs of both sides on the board."""
    with Store(None) as store, SimulatedBoard(Layout.plain(7, 6)) as board:
        table = Table(board, store, Settings(), RuleSet.parse("popout 7x6"))
        running = asyncio.create_task(table.run())
        for column in (4, 4):
            table.finger(f"column {column}", closed=True)
            await asyncio.sleep(0.1)
            table.finger(f"column {column}", closed=False)
            await asyncio.sleep(0.3)
        assert len(table.controller.game.moves) == 2
        await asyncio.sleep(1)
        began = time.process_time()
        await asyncio.sleep(seconds)
        used = time.process_time() - began
        running.cancel()
        await asyncio.wait([running])
    return used / seconds * 100


# Starting


def _start_times() -> None:
    bare = _wall_time([sys.executable, "-c", "pass"])
    _print("start of the bare interpreter", bare, "ms")
    imported = _wall_time([sys.executable, "-c", "import popout.rules"])
    _print("import popout.rules, beyond that", imported - bare, "ms")
    popout = [sys.executable, "-c", "from popout.cli import main; raise SystemExit(main())"]
    _print("popout check --help, beyond that", _wall_time([*popout, "check", "--help"]) - bare, "ms")
    _print("popout sim until its page answers, beyond that", _page_start(popout) - bare, "ms")


def _wall_time(command: list[str]) -> float:
    times = []
    for _ in range(2 * RUNS):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def _page_start(popout: list[str]) -> float:
    from urllib.request import urlopen

    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            record = str(Path(folder) / "games.sqlite3")
            began = time.perf_counter()
            process = subprocess.Popen(
                [*popout, "sim", "--port", "0", "--no-browser", "--record", record], stdout=subprocess.PIPE, text=True
            )
            assert process.stdout
            address = next(word for line in process.stdout for word in line.split() if word.startswith("http"))
            urlopen(address).read()
            times.append(time.perf_counter() - began)
            process.terminate()
            process.wait()
    return statistics.median(times) * 1000


if __name__ == "__main__":
    main()
