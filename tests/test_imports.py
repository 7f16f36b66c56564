"""The direction of imports: arrows point down only.

``cli, commands -> doctor, views -> wiring, service -> play -> record, opponent, board -> link``; everything may use
``rules``, ``rules`` uses nothing; commands use ``firmware``, which uses ``board`` and ``link``; the simulator uses
``board``, ``link`` and ``rules`` and is imported by no module of the controller.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {"popout": ROOT / "controller/popout", "popout_sim": ROOT / "sim/popout_sim"}

BELOW_PLAY = {"record", "opponent", "board", "link"}
BELOW_COMMANDS = {"doctor", "firmware", "wiring", "views", "service", "play", *BELOW_PLAY, "locale", "rules", ""}
ALLOWED: dict[str, set[str]] = {
    "popout.cli": {"commands", *BELOW_COMMANDS},
    "popout.commands": BELOW_COMMANDS,
    "popout.doctor": {"wiring", "service", "play", *BELOW_PLAY, "locale", "rules", ""},
    "popout.wiring": {"board", "rules"},
    "popout.firmware": {"board", "link", "rules", ""},
    "popout.service": {"play", *BELOW_PLAY, "locale", "rules", ""},
    "popout.views": {"play", *BELOW_PLAY, "locale", "rules"},
    "popout.play": {*BELOW_PLAY, "locale", "rules"},
    "popout.record": {"link", "rules"},
    "popout.opponent": {"link", "rules"},
    "popout.board": {"link", "rules"},
    "popout.locale": {"rules"},
    "popout.link": set(),
    "popout.rules": set(),
    "popout": set(),
    "popout_sim": {"board", "link", "rules"},
}
"""For each floor the other floors of `popout` that it may use; "" is the package's own top (its version)."""

MICROPYTHON = {
    *("array", "asyncio", "binascii", "cmath", "collections", "errno", "gc", "hashlib", "heapq", "io", "json"),
    *("machine", "math", "micropython", "os", "random", "re", "select", "struct", "sys", "time"),
}
"""What `popout.link` may import, since it runs on MicroPython unchanged."""

THE_SIMULATOR = re.compile(r"popout_sim(?![A-Za-z0-9_])")


def imports_of(source: str, module: str, *, package: bool = False) -> Iterator[tuple[int, str]]:
    """Every module that a source imports, at any depth of it, with the line; ``from a import b`` is ``a.b``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")
                kept = len(parents) - node.level + package
                base = ".".join([*parents[:kept], *([base] if base else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def faults_of(source: str, module: str, *, package: bool = False) -> list[str]:
    """What is wrong with the imports of a module called `module`; empty if nothing is."""
    floor = _floor(module)
    if floor not in ALLOWED:
        return [f"{module}: no floor of the house"]
    faults = []
    for line, imported in imports_of(source, module, package=package):
        top = imported.partition(".")[0]
        if top == "popout":
            target = _floor(imported)
            if target != floor and target.removeprefix("popout").removeprefix(".") not in ALLOWED[floor]:
                faults.append(f"{module}:{line} must not import {imported}")
        elif top == "popout_sim":
            if floor != "popout_sim":
                faults.append(f"{module}:{line} must not import {imported}")
        elif floor == "popout.rules" and top not in sys.stdlib_module_names:
            faults.append(f"{module}:{line} must import the standard library only, not {imported}")
        elif floor == "popout.link" and top not in MICROPYTHON:
            faults.append(f"{module}:{line} must run on MicroPython, which has no {imported}")
    if floor != "popout_sim":
        faults += [f"{module}:{line} must not name the simulator's modules" for line in _named(source)]
    return faults


def _named(source: str) -> Iterator[int]:
    """The lines where a text names the simulator's package, by which it could be imported; not those of docstrings."""
    tree = ast.parse(source)
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in documentation:
            continue
        if isinstance(node.value, str) and THE_SIMULATOR.match(node.value):
            yield node.lineno


def _floor(module: str) -> str:
    """The floor that a module is on, such as ``popout.views``."""
    top, _, rest = module.partition(".")
    if top == "popout_sim":
        return top
    name = "cli" if rest == "__main__" else rest.partition(".")[0]
    return f"popout.{name}" if name and not name.startswith("__") else "popout"


def modules() -> Iterator[tuple[str, Path]]:
    for name, folder in SOURCES.items():
        for file in sorted(folder.rglob("*.py")):
            parts = [name, *file.relative_to(folder).with_suffix("").parts]
            yield ".".join(part for part in parts if part != "__init__"), file


@pytest.mark.parametrize(("module", "file"), list(modules()), ids=str)
def test_imports_point_down_only(module: str, file: Path):
    assert faults_of(file.read_text("utf-8"), module, package=file.name == "__init__.py") == []


def test_every_floor_was_looked_at():
    floors = {_floor(module) for module, _ in modules()}

    assert floors >= {
        f"popout.{name}"
        for name in ("cli", "commands", "views", "service", "play", "firmware", "board", "link", "rules")
    }
    assert "popout_sim" in floors


# The checker itself


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("popout.rules.position", "from popout.board import layout"),
        ("popout.rules.position", "import msgspec"),
        ("popout.rules.position", "def late():\n    import popout.play.table"),
        ("popout.rules.position", "from ..board.layout import Layout"),
        ("popout.rules.messages", "from popout.locale import Catalogue"),
        ("popout.board.layout", "from popout.play.settings import Settings"),
        ("popout.board.layout", "from popout.record import store"),
        ("popout.board.layout", "from popout import play"),
        ("popout.record.store", "import popout.board.layout"),
        ("popout.play.table", "from popout.views.web import server"),
        ("popout.views.web.server", "from popout.commands.console import Console"),
        ("popout.views.words", "from popout.cli import main"),
        ("popout.commands.check", "from popout.cli import main"),
        ("popout.commands.play", "from popout_sim.driver import SimulatedBoard"),
        ("popout.board.find", "import importlib\nimportlib.import_module('popout_sim.driver')"),
        ("popout.link.debounce", "from popout.rules import RED"),
        ("popout.link.debounce", "from dataclasses import dataclass"),
        ("popout.link.debounce", "from typing import Final"),
        ("popout_sim.driver", "from popout.play.settings import Settings"),
        ("popout_sim.driver", "from popout import __version__"),
        ("popout.service.status", "from popout.views import words"),
        ("popout.firmware.build", "from popout.play.settings import Settings"),
        ("popout.play.table", "from popout.firmware.uf2 import read_uf2"),
        ("popout.play.supervisor", "from popout.service.notify import Notifier"),
        ("popout.cellar.wine", "import sys"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str):
    assert len(faults_of(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("popout.rules.position", "from dataclasses import dataclass\nfrom popout.rules.side import RED"),
        ("popout.rules.position", "from .side import RED"),
        ("popout.board.layout", "import msgspec\nfrom popout.link.debounce import Debouncer"),
        ("popout.service.report", "from popout.play.table import Table"),
        ("popout.play.table", "from popout.board.driver import BoardDriver\nfrom popout.record.store import Store"),
        ("popout.views.words", "from popout.rules import RED\nfrom popout.locale import Catalogue"),
        ("popout.commands.sim", "from popout.views.web.server import serve"),
        ("popout.cli", "from popout import __version__\nfrom popout.commands.console import Console"),
        ("popout.link.debounce", "import time"),
        ("popout_sim.driver", "from popout_sim.twin import Twin\nfrom popout.board.driver import BoardDriver"),
        ("popout.board.find", '"""As popout_sim does."""\nprint("the extra popout_sims")'),
    ],
)
def test_a_right_import_is_not(module: str, source: str):
    assert faults_of(source, module) == []


def test_a_package_resolves_its_own_relative_imports():
    assert list(imports_of("from .side import RED", "popout.rules", package=True)) == [(1, "popout.rules.side.RED")]
    assert list(imports_of("from ..board import x", "popout.rules", package=True)) == [(1, "popout.board.x")]
