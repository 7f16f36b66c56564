"""What the empty grid is worth, for every size that can be solved in time: `docs/start-values.md`, and how it was made.

What was found out is kept beside it, in `docs/start-values.json`. A size is tried again only if it was not solved and
may take longer, or more memory, than the last time.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

from popout.opponent.errors import NotEnoughMemory
from popout.opponent.kernel.compiling import COMPILED
from popout.opponent.kernel.shape import MOST_BITS
from popout.opponent.solver import MIB, Solver
from popout.opponent.verdicts import Worth
from popout.rules import Position, RuleSet

DOCS: Final = Path(__file__).parent.parent / "docs"
LEAST: Final = 4
GAMES: Final = {"popout": "Pop Out", "standard": "The original"}
Entry = dict[str, Any]


def sizes(most_cells: int) -> Iterator[tuple[int, int]]:
    """Columns and rows of each grid from 4x4 up that the search knows, the smallest first."""
    found = [
        (columns, rows)
        for columns in range(LEAST, MOST_BITS // (LEAST + 1) + 1)
        for rows in range(LEAST, MOST_BITS // columns)
        if columns * rows <= most_cells
    ]
    return iter(sorted(found, key=lambda size: (size[0] * size[1], size)))


def solve(game: str, columns: int, rows: int, seconds: float, memory: int, cores: int) -> Entry:
    """One size, within `seconds`; `memory` in MiB."""
    solver = Solver(RuleSet(game, columns, rows), memory * MIB, cores)
    began = monotonic()
    verdict = solver.value(Position.start(solver.rules), deadline=began + seconds)
    return {
        "game": game,
        "columns": columns,
        "rows": rows,
        "worth": verdict.worth.value,
        "turns": verdict.plies,
        "searched": verdict.searched,
        "positions": solver.positions,
        "seconds": round(monotonic() - began, 1),
        "allowed": seconds,
        "memory": memory,
        "cores": cores,
    }


def page(entries: list[Entry]) -> str:
    """The table for people."""
    text = [
        "# What the empty grid is worth",
        "",
        "Four in a row, both sides doing their best: the winner hurries, the loser delays, endless play is a draw. By",
        "the default options: a full grid is a draw, an emptied one too, lines for both win for the one who popped.",
        "",
        "Made by `python tools/start_values.py`, with the extra `engine`; `popout solve GAME SIZE` finds each of them",
        "again. A size that is not here was not solved in the time and the memory that it was given.",
    ]
    for game, title in GAMES.items():
        text += ["", f"## {title}", "", "| size | worth | turns | positions | seconds | cores | memory, MiB |"]
        text += ["|---|---|---|---|---|---|---|"]
        text += [_row(entry) for entry in entries if entry["game"] == game and entry["worth"] != "unknown"]
        open_ones = [entry for entry in entries if entry["game"] == game and entry["worth"] == "unknown"]
        if open_ones:
            text += ["", "Not solved, but neither side can force a win within so many turns: "]
            text[-1] += ", ".join(f"{each['columns']}x{each['rows']} ({each['searched']})" for each in open_ones) + "."
    return "\n".join(text) + "\n"


def _row(entry: Entry) -> str:
    worth = {"win": "first player", "loss": "second player", "draw": "draw"}[entry["worth"]]
    size = f"{entry['columns']}x{entry['rows']}"
    cells = [size, worth, entry["turns"] or "", entry["positions"], entry["seconds"], entry["cores"], entry["memory"]]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Solve what is not solved yet, and write the table after each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="for each size")
    parser.add_argument("--memory", type=int, default=1024, help="in MiB")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--most-cells", type=int, default=MOST_BITS, help="only grids of so many cells")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game")
    wanted = parser.parse_args()
    if not COMPILED:
        parser.error("install the extra: pip install -e '.[engine]'")
    data = DOCS / "start-values.json"
    entries: list[Entry] = json.loads(data.read_text("utf-8")) if data.exists() else []
    known = {(each["game"], each["columns"], each["rows"]): each for each in entries}
    for columns, rows in sizes(wanted.most_cells):
        for game in wanted.game or GAMES:
            before = known.get((game, columns, rows))
            if before and not _is_worth_trying(before, wanted.seconds, wanted.memory):
                continue
            try:
                entry = solve(game, columns, rows, wanted.seconds, wanted.memory, wanted.cores)
            except NotEnoughMemory as error:
                parser.error(str(error))
            print(entry, flush=True)
            known[game, columns, rows] = entry
            order = sorted(
                known.values(), key=lambda each: (each["game"], each["columns"] * each["rows"], each["columns"])
            )
            data.write_text("[\n" + ",\n".join(map(json.dumps, order)) + "\n]\n", "utf-8")
            (DOCS / "start-values.md").write_text(page(order), "utf-8")


def _place(entry: Entry) -> tuple[str, int, int]:
    return entry["game"], entry["columns"] * entry["rows"], entry["columns"]


def _is_worth_trying(entry: Entry, seconds: float, memory: int) -> bool:
    return entry["worth"] == Worth.UNKNOWN.value and (seconds > entry["allowed"] or memory > entry["memory"])


if __name__ == "__main__":
    main()
