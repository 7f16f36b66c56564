"""The events of a board: numbered, acknowledged, said again, and never one twice or out of order."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from link_ends import Ends, Listener, events
from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK


def greeted(**setting: object) -> Ends:
    ends = Ends(**setting)  # type: ignore[arg-type]
    ends.hello()
    return ends


def press(ends: Ends, switch: int = 0, closed: bool = True) -> list[tuple[int, list[int]]]:
    return events(ends.move(switch, closed) + ends.wait(2))


def test_a_press_and_a_release_are_told_with_their_times_and_all_levels():
    ends = greeted()
    press(ends, 2)
    ends.say("a", "", 0)
    ends.wait(98)
    assert press(ends, 0) == [(1, [1100, 0, PRESSED, 0b101])]
    ends.say("a", "", 1)
    ends.wait(98)
    assert press(ends, 2, False) == [(2, [1200, 2, RELEASED, 0b001])]


def test_presses_while_nobody_listens_are_not_told_later():
    ends = Ends()
    assert ends.tap(0) == []
    ends.hello()
    assert ends.wait(3000) == []
    ends.wait(1500, pings=False)
    ends.tap(1)
    ends.hello()
    assert ends.wait(3000) == []
    assert ends.say("s")[0][2].split(":")[1:] == ["0", "0", "0", "0"]


def test_a_press_that_is_held_while_nobody_listens_is_in_the_state():
    ends = Ends()
    ends.move(3, True)
    ends.wait(50)
    ends.hello()
    assert ends.say("s", "", 4) == [("S", 4, "41A:0:8:0:0")]


def test_an_event_is_said_again_and_again_until_it_is_acknowledged():
    ends = greeted()
    press(ends)
    times = []
    for _ in range(550):
        times += [ends.now for _ in events(ends.wait(1))]
    assert [after - before for before, after in pairwise([1002, *times])] == [100] * 5
    ends.say("a", "", 0)
    assert events(ends.wait(2000)) == []


def test_all_that_is_not_acknowledged_is_said_again_in_order():
    ends = greeted()
    ends.move(0, True)
    ends.move(1, True)
    ends.move(2, True)
    assert [number for number, _ in events(ends.wait(2))] == [0, 1, 2]
    assert [number for number, _ in events(ends.wait(100))] == [0, 1, 2]
    ends.say("a", "", 0)
    assert [number for number, _ in events(ends.wait(100))] == [1, 2]


def test_an_acknowledgement_counts_for_all_before_it():
    ends = greeted()
    for switch in range(4):
        ends.move(switch, True)
    ends.wait(2)
    ends.say("a", "", 2)
    assert [number for number, _ in events(ends.wait(100))] == [3]


def test_an_acknowledgement_of_nothing_or_twice_does_nothing():
    ends = greeted()
    for number in (0, 255, 17):
        assert ends.say("a", "", number) == []
    assert [number for number, _ in press(ends)] == [0]
    ends.say("a", "", 0)
    ends.say("a", "", 0)
    assert [number for number, _ in press(ends, 1)] == [1]
    ends.say("a", "", 0)
    assert [number for number, _ in events(ends.wait(100))] == [1]


def test_an_acknowledgement_that_comes_as_the_event_is_about_to_be_said_again_counts():
    ends = greeted()
    press(ends)
    ends.now += 100
    ends.end.tick(ends.now)
    assert ends.say("a", "", 0) == []
    assert events(ends.wait(1000)) == []


def test_later_events_do_not_put_off_that_a_lost_one_is_said_again():
    ends = greeted()
    found = press(ends)
    for step in range(10):
        found += events(ends.move(1, step % 2 == 0) + ends.wait(40))
    assert [number for number, _ in found].count(0) >= 3
    assert ends.end.greeted


def test_events_are_counted_from_0_to_255_and_on():
    ends = greeted()
    listener = Listener(ends.say("s")[0][2])
    for _ in range(300):
        for closed in (True, False):
            for frame in ends.move(0, closed) + ends.wait(40):
                number = listener.hear(frame)
                if number is not None:
                    ends.say("a", "", number)
    assert [kind for _, _, kind in listener.told] == [PRESSED, RELEASED] * 300
    assert listener.expected == 600 % 256


def test_more_events_than_are_kept_end_the_talk_and_leave_no_light():
    ends = greeted(switches=17)
    ends.picture(1, [0xFF0000] * 6)
    for switch in range(16):
        ends.move(switch, True)
    assert len({number for number, _ in events(ends.wait(500))}) == 16
    assert ends.end.greeted
    press(ends, 16)
    assert not ends.end.greeted
    assert not ends.end.lit
    assert ends.wait(1000, pings=False) == []
    assert ends.say("a", "", 15) == [("R", 15, "hello-first:")]
    ends.hello()
    assert ends.say("s")[0][2].split(":")[1:] == ["0", "1FFFF", "0", "0"]
    assert ends.say("g", "0")[0][2] == "1:too many events were not acknowledged"


def test_a_greeting_forgets_events_and_counts_anew():
    ends = greeted()
    press(ends)
    press(ends, 1)
    ends.hello()
    assert events(ends.wait(1000)) == []
    assert press(ends, 2) == [(0, [2004, 2, PRESSED, 0b111])]


def test_what_was_certain_first_is_told_first_also_after_a_long_turn_of_the_loop():
    ends = greeted()
    ends.end.edge(3, True, 1001)
    ends.end.edge(0, True, 1002)
    ends.contacts = [True, False, False, True]
    ends.now = 1040
    ends.end.poll(ends.now, ends.contacts)
    assert [event[1][:2] for event in events(ends.heard())] == [[1001, 3], [1002, 0]]


def test_a_board_knows_when_it_must_look_again():
    ends = Ends()
    assert ends.end.due() is None
    ends.move(1, True)
    assert ends.end.due() == 1002
    ends.now = 1001
    ends.move(0, True)
    assert ends.end.due() == 1002
    ends.wait(1)
    assert ends.end.due() == 1003
    ends.wait(1)
    assert ends.end.due() == 1032  # the end of the lock-out
    ends.wait(100)
    assert ends.end.due() is None


def test_an_edge_that_was_lost_is_found_at_the_end_of_the_lock_out():
    ends = greeted()
    press(ends)
    ends.say("a", "", 0)
    ends.contacts[0] = False  # and nobody heard the edge
    assert [event[1][1:] for event in events(ends.wait(50))] == [[0, RELEASED, 0]]


def test_a_button_held_at_the_start_is_stuck_until_it_is_open():
    ends = greeted(closed=(1,))
    assert ends.say("s", "", 4) == [("S", 4, "3E8:0:2:2:0")]
    assert ends.wait(5000) == []
    assert press(ends, 1, False) == [(0, [6000, 1, HEALED, 0])]


def test_chatter_is_told_as_a_fault_and_its_end_too():
    ends = greeted()
    listener = Listener(ends.say("s")[0][2])
    for flip in range(61):
        for frame in ends.move(0, flip % 2 == 0) + ends.wait(1):
            listener.hear(frame)
    assert ends.say("s")[0][2].split(":")[2:] == ["0", "0", "1"]
    for frame in ends.wait(6000):
        listener.hear(frame)
    assert [kind for _, _, kind in listener.told] == [FAULTY, HEALED, STUCK]
    assert ends.say("s")[0][2].split(":")[2:] == ["1", "1", "0"]


whatever_happens = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["edge", "edge", "tap"]), st.integers(0, 3), st.integers(1, 60)),
        st.tuples(st.just("chatter"), st.integers(0, 3), st.integers(51, 56)),
        st.tuples(st.just("quiet"), st.just(0), st.sampled_from([1, 90, 110, 700, 5100])),
    ),
    max_size=14,
)


@given(st.sets(st.integers(0, 3)), whatever_happens, st.lists(st.integers(0, 9), min_size=1, max_size=60))
def test_whatever_lines_are_lost_both_ends_hold_the_same_true_of_the_switches(closed, story, losses):
    ends = greeted(closed=tuple(closed), resting=0b1000, levers=0b0100)
    listener = Listener(ends.say("s")[0][2])
    lost = [loss < 3 for loss in losses]
    count = 0

    def over_the_wire(frames: list[tuple[str, int, str]], lossy: bool = True) -> None:
        nonlocal count
        for frame in frames:
            count += 2
            if lossy and lost[count % len(lost)]:
                continue
            number = listener.hear(frame)
            if number is not None and not (lossy and lost[(count + 1) % len(lost)]):
                ends.say("a", "", number)

    for what, switch, amount in story:
        for _ in range({"edge": 1, "tap": 2, "chatter": amount, "quiet": 0}[what]):
            over_the_wire(ends.move(switch, not ends.contacts[switch]))
            for _ in range(1 if what == "chatter" else amount):
                over_the_wire(ends.wait(1))
        for _ in range(amount if what == "quiet" else 0):
            over_the_wire(ends.wait(1))
    if not ends.end.greeted:
        return  # too much was lost: the host has to say hello again, and hears the whole state
    for _ in range(1000):
        over_the_wire(ends.wait(1), lossy=False)
    _, following, *state = (int(field, 16) for field in ends.say("s")[0][2].split(":"))
    assert state == [listener.levels.closed, listener.levels.stuck, listener.levels.muted]
    assert following == listener.expected
    for switch in range(4):
        presses = [kind for _, of, kind in listener.told if of == switch and kind in (PRESSED, RELEASED)]
        assert all(before != after for before, after in pairwise(presses))
        if not any(mask >> switch & 1 for mask in state[1:]):
            assert bool(state[0] >> switch & 1) == ends.contacts[switch]
