import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.play.gestures import (
    BothHeld,
    Cancelled,
    CountingDown,
    HoldStarted,
    Idle,
    MenuHoldStarted,
    MenuOpen,
    Pressed,
    Spent,
    TakeBack,
    Tap,
    Tentative,
    due,
    step,
)
from popout.play.hands import (
    BarMoved,
    Button,
    Lost,
    MenuPressed,
    Press,
    Release,
    TakeBackPressed,
    Tick,
)
from popout.play.settings import Settings
from popout.rules.side import RED, YELLOW

ENDINGS = (Tap, TakeBack, MenuOpen, Cancelled)


class Hands:
    """Hands on a board of seven columns; the ticks come when they are due and see the buttons as they are."""

    def __init__(self, *, columns=7, actuation="button", bar_open=False, settings=None):
        self.settings = settings or Settings()
        self.columns, self.actuation = columns, actuation
        self.state = Idle(bar_open)
        self.closed = set()
        self.now = 0
        self.seen = []

    def do(self, event):
        self.state, gestures = step(
            self.state, event, columns=self.columns, actuation=self.actuation, settings=self.settings
        )
        self.seen.extend(gestures)
        return self

    def at(self, time):
        """Let time pass until `time`."""
        while (when := due(self.state, self.settings)) is not None and when <= time:
            self.do(Tick(when, frozenset(self.closed)))
        self.now = time
        return self

    def press(self, column, side=None):
        button = Button(column, side)
        self.closed.add(button.switch)
        return self.do(Press(button, self.now))

    def release(self, column, side=None):
        button = Button(column, side)
        self.closed.discard(button.switch)
        return self.do(Release(button, self.now))

    def slide(self, is_open):
        return self.do(BarMoved(is_open, self.now))

    @property
    def endings(self):
        """What came of it; of what was cancelled only the reason."""
        ended = [gesture for gesture in self.seen if isinstance(gesture, ENDINGS)]
        return [gesture.reason if isinstance(gesture, Cancelled) else gesture for gesture in ended]


# Tapping


def test_a_press_shows_the_move_at_once_and_letting_go_commits_it():
    hands = Hands().at(100).press(4)
    assert hands.seen == [Tentative(4, False, None, 100)]
    hands.at(180).release(4)
    assert hands.seen == [Tentative(4, False, None, 100), Tap(4, False, None, 100)]
    assert hands.state == Idle(False)


def test_a_tap_with_the_bar_open_is_a_pop():
    hands = Hands().slide(True).at(100).press(4).at(180).release(4)
    assert hands.seen == [Tentative(4, True, None, 100), Tap(4, True, None, 100)]


def test_the_bar_counts_again_once_it_is_closed():
    hands = Hands(bar_open=True).slide(False).press(4).at(80).release(4)
    assert hands.endings == [Tap(4, False, None, 0)]


@pytest.mark.parametrize("slowly", [1, 599, 600, 601, 1000, 1499])
def test_letting_go_commits_however_slowly_as_long_as_it_is_no_take_back(slowly):
    hands = Hands().press(4).at(slowly).release(4)
    assert hands.endings == [Tap(4, False, None, 0)]


def test_two_taps_one_after_the_other_are_two_moves():
    hands = Hands().press(4).at(50).release(4).at(90).press(4).at(140).release(4)
    assert hands.endings == [Tap(4, False, None, 0), Tap(4, False, None, 90)]


def test_the_side_whose_row_was_pressed_comes_along():
    hands = Hands().press(4, YELLOW).at(50).release(4, YELLOW)
    assert hands.seen == [Tentative(4, False, YELLOW, 0), Tap(4, False, YELLOW, 0)]


def test_a_release_without_a_press_means_nothing():
    assert Hands().release(4).seen == []


# Holding one column: take back


def test_from_600_ms_on_a_held_column_counts_down():
    hands = Hands().at(100).press(4).at(699)
    assert hands.state == Pressed(Button(4), 100, False)
    hands.at(700)
    assert hands.state == CountingDown(Button(4), 100, False)
    assert hands.seen[1:] == [HoldStarted(4, 100)]


def test_a_column_held_for_1500_ms_takes_back_and_drops_nothing():
    hands = Hands().at(100).press(4).at(1599)
    assert hands.endings == []
    hands.at(1600)
    assert hands.endings == [TakeBack(1600)]
    hands.at(5000).release(4)
    assert hands.endings == [TakeBack(1600)]
    assert hands.state == Idle(False)


def test_the_times_of_holding_are_settings():
    hands = Hands(settings=Settings(count_down_after_ms=1000, take_back_hold_ms=4000)).press(4).at(3999).release(4)
    assert hands.endings == [Tap(4, False, None, 0)]


def test_a_column_held_with_the_bar_open_takes_back_too():
    assert Hands(bar_open=True).press(4).at(1500).endings == [TakeBack(1500)]


def test_nothing_is_taken_back_when_the_button_is_read_as_up_and_its_release_comes_late():
    hands = Hands().press(4).at(1000)
    hands.do(Tick(1700, frozenset()))
    assert hands.endings == []
    assert due(hands.state, hands.settings) is None
    hands.do(Tick(1800, frozenset({"column 4"})))
    hands.do(Release(Button(4), 1490))
    assert hands.endings == [Tap(4, False, None, 0)]


def test_no_countdown_starts_when_the_button_is_read_as_up():
    hands = Hands().press(4).do(Tick(600, frozenset({"column 5"})))
    assert hands.seen == [Tentative(4, False, None, 0)]
    hands.do(Release(Button(4), 599))
    assert hands.endings == [Tap(4, False, None, 0)]


def test_a_release_that_bears_a_time_past_the_hold_is_a_take_back_though_no_tick_came():
    hands = Hands().press(4).do(Release(Button(4), 1500))
    assert hands.endings == [TakeBack(1500)]


def test_a_tick_that_comes_far_too_late_takes_back_at_the_time_of_the_hold():
    hands = Hands().press(4).do(Tick(9000, frozenset({"column 4"})))
    assert hands.endings == [TakeBack(1500)]


def test_a_tick_before_its_time_changes_nothing():
    hands = Hands().press(4).do(Tick(599, frozenset()))
    assert hands.state == Pressed(Button(4), 0, False)


def test_a_quick_second_tap_is_never_a_take_back():
    hands = Hands().press(4).at(60).release(4).at(61).press(4).at(1200).release(4)
    assert hands.endings == [Tap(4, False, None, 0), Tap(4, False, None, 61)]


# Cancelling


def test_a_second_column_cancels():
    hands = Hands().press(3).at(40).press(4).at(80).release(3).at(90).release(4)
    assert hands.endings == ["second-button"]


def test_a_second_column_cancels_while_the_light_counts_down():
    hands = Hands().press(3).at(1000).press(4).at(9000)
    assert hands.endings == ["second-button"]


@pytest.mark.parametrize("moves", [[True], [True, False]])
def test_moving_the_bar_cancels_even_if_it_is_moved_back(moves):
    hands = Hands().press(3).at(40)
    for is_open in moves:
        hands.slide(is_open)
    hands.at(80).release(3)
    assert hands.endings == ["bar-moved"]
    assert hands.state == Idle(moves[-1])


def test_a_bar_that_reports_where_it_is_anyway_has_not_moved():
    hands = Hands().press(3).slide(False).at(80).release(3)
    assert hands.endings == [Tap(3, False, None, 0)]


def test_after_a_cancel_nothing_happens_until_all_buttons_are_up():
    hands = Hands().press(3).press(4).at(50).release(3).at(60).press(5).at(70).release(4).at(80).release(5)
    assert hands.endings == ["second-button"]
    hands.at(90).press(5).at(130).release(5)
    assert hands.endings == ["second-button", Tap(5, False, None, 90)]


def test_after_a_cancel_the_switches_for_menu_and_take_back_are_silent_too():
    hands = Hands().press(3).press(4).do(MenuPressed(50)).do(TakeBackPressed(60))
    assert hands.endings == ["second-button"]


def test_after_a_take_back_nothing_happens_until_the_button_is_up():
    hands = Hands().press(3).at(1500).press(4).at(1600).release(4).at(1700).release(3)
    assert hands.endings == [TakeBack(1500)]


def test_the_other_row_s_button_of_the_same_column_is_a_second_button():
    assert Hands().press(3, RED).press(3, YELLOW).endings == ["second-button"]


@pytest.mark.parametrize("event", [MenuPressed(50), TakeBackPressed(50)])
def test_another_switch_pressed_meanwhile_cancels_and_does_nothing_else(event):
    hands = Hands().press(3).do(event).at(80).release(3)
    assert hands.endings == ["second-button"]


def test_a_muted_switch_ends_its_gesture_without_a_move():
    hands = Hands().press(3).do(Lost(Button(3), 0))
    assert hands.endings == ["switch-lost"]
    hands.at(50).release(3).at(60).press(4).at(100).release(4)
    assert hands.endings == ["switch-lost", Tap(4, False, None, 60)]


def test_another_switch_that_is_muted_disturbs_nobody():
    hands = Hands().press(3).do(Lost(Button(4), 0)).at(50).release(3)
    assert hands.endings == [Tap(3, False, None, 0)]


def test_a_lost_board_ends_the_gesture_without_a_move():
    hands = Hands().press(3).do(Lost(None, 0)).at(50).release(3)
    assert hands.endings == ["switch-lost"]
    assert hands.state == Idle(False)


def test_a_muted_switch_does_not_keep_the_board_waiting_after_a_cancel():
    hands = Hands().press(3).press(4).do(Lost(Button(3), 0)).release(4).at(50).press(5).at(90).release(5)
    assert hands.endings == ["second-button", Tap(5, False, None, 50)]


def test_a_lost_board_is_not_waited_for_after_a_cancel():
    assert Hands().press(3).press(4).do(Lost(None, 0)).state == Idle(False)


def test_a_second_press_of_a_button_that_never_came_up_makes_no_move():
    hands = Hands().press(3).at(50).press(3).at(90).release(3)
    assert hands.endings == ["switch-lost"]


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("second-button", "Two buttons were pressed together, so nothing was done. Let go of both."),
        ("bar-moved", "The bar was moved while a button was down, so nothing was done. Let go of it."),
        ("let-go", "Hold both outermost buttons for longer to open the menu."),
        ("switch-lost", "The button stopped answering, so nothing was done."),
    ],
)
def test_every_cancel_says_why(reason, sentence):
    assert str(Cancelled(reason, 0).message) == sentence


@pytest.mark.parametrize(
    "event",
    [Press(Button(4), 50), BarMoved(True, 50), Lost(Button(3), 50), MenuPressed(50), TakeBackPressed(50)],
)
def test_a_cancel_bears_the_time_of_what_cancelled(event):
    (_, cancelled) = Hands().press(3).do(event).seen
    assert cancelled.time == 50


# The menu


@pytest.mark.parametrize(("first", "second"), [(1, 7), (7, 1)])
@pytest.mark.parametrize("gap", [0, 30, 1400])
@pytest.mark.parametrize("up_first", [1, 7])
def test_both_outermost_columns_held_open_the_menu_and_do_nothing_else(first, second, gap, up_first):
    hands = Hands().press(first).at(gap).press(second)
    assert hands.state == BothHeld(frozenset({Button(1), Button(7)}), gap, False)
    hands.at(gap + 1499)
    assert hands.endings == []
    hands.at(gap + 1500)
    assert hands.endings == [MenuOpen(gap + 1500)]
    hands.at(4000).release(up_first).at(9000).release(8 - up_first)
    assert hands.endings == [MenuOpen(gap + 1500)]
    assert hands.state == Idle(False)


def test_the_second_outermost_column_starts_the_countdown_to_the_menu():
    hands = Hands().press(1).at(30).press(7)
    assert hands.seen == [Tentative(1, False, None, 0), MenuHoldStarted(30)]


@pytest.mark.parametrize("up_first", [1, 7])
def test_outermost_columns_let_go_too_early_do_nothing(up_first):
    hands = Hands().press(1).at(30).press(7).at(1529).release(up_first).at(8000).release(8 - up_first)
    assert hands.endings == ["let-go"]
    assert hands.state == Idle(False)


def test_no_menu_opens_when_one_of_the_two_is_read_as_up():
    hands = Hands().press(1).press(7).do(Tick(1500, frozenset({"column 1"})))
    assert hands.endings == ["let-go"]


def test_a_release_that_bears_a_time_past_the_hold_opens_the_menu():
    hands = Hands().press(1).press(7).do(Release(Button(7), 1501))
    assert hands.endings == [MenuOpen(1500)]
    assert hands.state == Spent(frozenset({Button(1)}), False)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Press(Button(4), 50), "second-button"),
        (Press(Button(7), 50), "switch-lost"),
        (BarMoved(True, 0), "bar-moved"),
        (MenuPressed(50), "second-button"),
        (TakeBackPressed(50), "second-button"),
        (Lost(Button(7), 0), "switch-lost"),
        (Lost(None, 0), "switch-lost"),
    ],
)
def test_the_way_to_the_menu_is_cancelled_as_any_other_gesture(event, reason):
    hands = Hands().press(1).press(7).do(event).at(9000)
    assert hands.endings == [reason]


@pytest.mark.parametrize(
    "event", [BarMoved(False, 0), Lost(Button(4), 0), Release(Button(4), 50), Tick(50, frozenset())]
)
def test_the_way_to_the_menu_is_not_disturbed_by_what_does_not_concern_it(event):
    hands = Hands().press(1).press(7).do(event).at(1500)
    assert hands.endings == [MenuOpen(1500)]


def test_outermost_buttons_of_two_rows_are_not_one_player_s_hands():
    assert Hands().press(1, RED).press(7, YELLOW).endings == ["second-button"]
    assert Hands().press(1, YELLOW).press(7, YELLOW).at(1500).endings == [MenuOpen(1500)]


def test_on_a_board_of_two_columns_both_are_outermost():
    assert Hands(columns=2).press(1).press(2).at(1500).endings == [MenuOpen(1500)]


def test_on_a_board_of_one_column_a_hold_takes_back():
    assert Hands(columns=1).press(1).at(1500).endings == [TakeBack(1500)]
    assert Hands(columns=1).press(1).press(1).endings == ["switch-lost"]


def test_the_menu_switch_opens_the_menu_and_the_take_back_switch_takes_back():
    hands = Hands().do(MenuPressed(10)).do(TakeBackPressed(20))
    assert hands.seen == [MenuOpen(10), TakeBack(20)]
    assert hands.state == Idle(False)


# Levers that a disc trips


def test_a_lever_commits_at_once_and_is_never_held():
    hands = Hands(actuation="disc").at(100).press(4)
    assert hands.seen == [Tap(4, False, None, 100)]
    assert due(hands.state, hands.settings) is None
    hands.at(9000).do(Tick(9000, frozenset({"column 4"}))).release(4)
    assert hands.seen == [Tap(4, False, None, 100)]


def test_two_discs_that_fall_close_together_are_two_moves():
    hands = Hands(actuation="disc").press(1).at(20).press(7).at(40).release(1).release(7)
    assert hands.seen == [Tap(1, False, None, 0), Tap(7, False, None, 20)]


def test_a_lever_pressed_with_the_bar_open_pops():
    assert Hands(actuation="disc").slide(True).press(4).seen == [Tap(4, True, None, 0)]


# Whatever happens


BUTTONS = st.builds(Button, st.integers(1, 4), st.sampled_from([None, RED, YELLOW]))
EVENTS = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 30, 300, 599, 600, 900, 1500, 4000]),
        st.one_of(
            st.tuples(st.just(Press), BUTTONS),
            st.tuples(st.just(Release), BUTTONS),
            st.tuples(st.just(Lost), st.one_of(st.none(), BUTTONS)),
            st.tuples(st.just(BarMoved), st.booleans()),
            st.tuples(st.just(Tick), st.frozensets(BUTTONS.map(lambda button: button.switch))),
            st.tuples(st.just(MenuPressed), st.none()),
            st.tuples(st.just(TakeBackPressed), st.none()),
        ),
    ),
    max_size=40,
)


def told(events):
    """The drawn events with their times, whatever sense they make together."""
    now = 0
    for wait, (kind, what) in events:
        now += wait
        if kind in (Press, Release, Lost, BarMoved):
            yield kind(what, now)
        elif kind is Tick:
            yield Tick(now, what)
        else:
            yield kind(now)


@given(EVENTS)
def test_a_press_has_at_most_one_ending_and_a_cancelled_one_waits_for_all_buttons(events):
    hands = Hands(columns=4)
    down, over = set(), True
    for event in told(events):
        before = len(hands.seen)
        resting = not down
        hands.do(event)
        new = hands.seen[before:]
        if isinstance(event, MenuPressed | TakeBackPressed) and resting:
            assert len(new) == 1
            continue
        if isinstance(event, Press):
            down.add(event.button)
            over = over and not resting
        for gesture in new:
            assert not over, "something happened although the gesture was over"
            over = isinstance(gesture, ENDINGS)
        if isinstance(event, Release):
            down.discard(event.button)
        if isinstance(event, Lost):
            down -= {event.button} if event.button else down
        assert isinstance(hands.state, Idle) == (not down)


@given(EVENTS)
def test_a_tap_is_a_press_and_a_release_of_one_button_with_nothing_between(events):
    hands = Hands(columns=4)
    history, bar_open = [], False
    for event in told(events):
        before = len(hands.seen)
        hands.do(event)
        taps = [gesture for gesture in hands.seen[before:] if isinstance(gesture, Tap)]
        if taps:
            (tap,) = taps
            button = Button(tap.column, tap.side)
            assert isinstance(event, Release)
            assert event.button == button
            assert event.time - tap.time < hands.settings.take_back_hold_ms
            pressed = max(i for i, (past, _) in enumerate(history) if past == Press(button, tap.time))
            assert tap.bar_open == history[pressed][1]
            for past, bar in history[pressed + 1 :]:
                assert not isinstance(past, Press | MenuPressed | TakeBackPressed)
                assert not (isinstance(past, Lost) and past.button in (button, None))
                assert bar == tap.bar_open
        if isinstance(event, BarMoved):
            bar_open = event.open
        history.append((event, bar_open))


@given(EVENTS)
def test_a_lever_makes_one_move_a_press_and_nothing_else(events):
    hands = Hands(columns=4, actuation="disc")
    for event in told(events):
        before = len(hands.seen)
        hands.do(event)
        kinds = [type(gesture) for gesture in hands.seen[before:]]
        expected = {Press: [Tap], MenuPressed: [MenuOpen], TakeBackPressed: [TakeBack]}
        assert kinds == expected.get(type(event), [])


@given(EVENTS, st.integers(1, 5000))
def test_whatever_happened_the_board_can_be_played_again_once_all_is_let_go(events, wait):
    hands = Hands(columns=4)
    now = 0
    for event in told(events):
        hands.do(event)
        now = getattr(event, "time", now)
    for column in range(1, 5):
        for side in (None, RED, YELLOW):
            hands.do(Release(Button(column, side), now + wait))
    hands.do(BarMoved(False, 0))
    hands.seen.clear()
    hands.do(Press(Button(2), now + 6000)).do(Release(Button(2), now + 6100))
    assert hands.seen == [Tentative(2, False, None, now + 6000), Tap(2, False, None, now + 6000)]
