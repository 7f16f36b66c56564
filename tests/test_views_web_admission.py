"""Who may play on the network: codes, wrong codes, tokens, and those who are put out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from popout.rules import RED, YELLOW, Side
from popout.views.web.admission import (
    ADDRESSES_KEPT,
    MOST_PLAYERS,
    TRIES,
    VALID_S,
    Admission,
    CodeRunOut,
    NotAdmitted,
    TooManyTries,
    WrongCode,
)

PHONE, OTHER = "192.168.1.20", "192.168.1.66"


def counting(start: int) -> Callable[[], str]:
    """Codes one after the other, so that a test knows them."""
    numbers = iter(range(start, 1_000_000))
    return lambda: f"{next(numbers):06}"


def new_admission() -> Admission:
    return Admission(counting(100_000))


def guess(admission: Admission, count: int, now: float = 0) -> None:
    """Somebody tries wrong codes, each from another address."""
    for number in range(count):
        with pytest.raises((WrongCode, CodeRunOut)):
            admission.enter(f"fe80::{number:x}", "000000", now)


def test_a_code_admits_one_device_to_its_side():
    admission = new_admission()
    code = admission.invite(YELLOW, now=10).code

    player = admission.enter(PHONE, code, now=20)

    assert (player.number, player.side, player.since, player.address) == (1, YELLOW, 20, PHONE)
    assert admission.side_of(1) is YELLOW
    assert admission.players == (player,)
    assert admission.invited(20) == ()


def test_a_code_is_good_once():
    admission = new_admission()
    code = admission.invite(RED, now=0).code
    admission.enter(PHONE, code, now=1)

    with pytest.raises(CodeRunOut, match=r"^No code can be used now\. Ask at the board for one\.$"):
        admission.enter(OTHER, code, now=2)


def test_a_code_runs_out():
    admission = new_admission()
    invitation = admission.invite(RED, now=0)
    assert invitation.until == VALID_S

    with pytest.raises(CodeRunOut, match=r"^This code has run out\. Ask at the board for a new one\.$"):
        admission.enter(PHONE, invitation.code, now=VALID_S)
    assert admission.invited(VALID_S) == ()


def test_a_code_is_good_until_the_last_moment():
    admission = new_admission()
    code = admission.invite(RED, now=0).code

    assert admission.enter(PHONE, code, now=VALID_S - 0.001).side is RED


def test_a_new_code_makes_the_old_one_of_that_side_void_and_no_other():
    admission = new_admission()
    first, other = admission.invite(RED, now=0).code, admission.invite(YELLOW, now=0).code
    second = admission.invite(RED, now=1).code

    with pytest.raises(WrongCode):
        admission.enter(PHONE, first, now=2)
    assert admission.enter(OTHER, second, now=2).side is RED
    assert admission.enter(OTHER, other, now=2).side is YELLOW


def test_two_sides_never_have_the_same_code():
    codes = iter(["111111", "111111", "222222"])
    admission = Admission(lambda: next(codes))

    assert admission.invite(RED, now=0).code == "111111"
    assert admission.invite(YELLOW, now=0).code == "222222"


def test_codes_are_six_digits_and_tokens_cannot_be_guessed():
    admission = Admission()
    codes = [admission.invite(RED, now=0).code for _ in range(200)]
    tokens = set()
    for side in (RED, YELLOW):
        tokens.add(admission.enter(PHONE, admission.invite(side, now=0).code, now=0).token)

    assert all(len(code) == 6 and code.isdecimal() for code in codes)
    assert len(set(codes)) > 190
    assert len(tokens) == 2
    assert all(len(token) >= 128 / 6 for token in tokens)


def test_a_wrong_code_says_where_the_right_one_is():
    admission = new_admission()
    admission.invite(RED, now=0)

    with pytest.raises(WrongCode) as refused:
        admission.enter(PHONE, "000000", now=0)

    assert str(refused.value) == (
        "This is not the code. Look at the board's page or terminal, and type its six digits."
    )


def test_each_wrong_code_of_an_address_makes_it_wait_twice_as_long_and_nobody_else():
    admission = new_admission()
    code = admission.invite(RED, now=0).code
    now = 0.0
    for wait in (1, 2, 4):
        with pytest.raises(WrongCode):
            admission.enter(PHONE, "000000", now)
        with pytest.raises(TooManyTries) as refused:
            admission.enter(PHONE, code, now + 0.01)
        assert f"Wait for {wait} second" in str(refused.value)
        with pytest.raises(TooManyTries):
            admission.enter(PHONE, code, now + wait - 0.01)
        now += wait

    assert admission.enter(OTHER, code, now).side is RED


def test_a_try_during_the_wait_is_not_counted():
    admission = new_admission()
    code = admission.invite(RED, now=0).code
    with pytest.raises(WrongCode):
        admission.enter(PHONE, "000000", now=0)
    for _ in range(100):
        with pytest.raises(TooManyTries):
            admission.enter(PHONE, "000000", now=0.5)

    assert admission.enter(PHONE, code, now=1).side is RED


def test_after_ten_wrong_codes_from_anywhere_every_code_is_void():
    admission = new_admission()
    codes = [admission.invite(side, now=0).code for side in Side]

    guess(admission, TRIES)

    assert admission.invited(0) == ()
    for code in codes:
        with pytest.raises(CodeRunOut):
            admission.enter(PHONE, code, now=0)


def test_one_wrong_code_less_and_the_right_one_still_counts():
    admission = new_admission()
    code = admission.invite(RED, now=0).code

    guess(admission, TRIES - 1)

    assert admission.enter(PHONE, code, now=0).side is RED


def test_a_new_code_ends_every_wait_but_gives_an_older_code_no_new_tries():
    admission = new_admission()
    red = admission.invite(RED, now=0).code
    guess(admission, TRIES - 1)
    yellow = admission.invite(YELLOW, now=0).code

    with pytest.raises(WrongCode):
        admission.enter("fe80::0", "000000", now=0)  # had to wait before

    with pytest.raises(CodeRunOut):
        admission.enter(PHONE, red, now=0)
    assert admission.enter(OTHER, yellow, now=0).side is YELLOW


def test_where_nobody_is_invited_nothing_can_be_guessed_and_nothing_is_remembered():
    admission = new_admission()
    for number in range(1000):
        with pytest.raises(CodeRunOut):
            admission.enter(f"10.0.{number // 256}.{number % 256}", "000000", now=0)

    code = admission.invite(RED, now=0).code
    assert admission.enter("10.0.0.1", code, now=0).side is RED


def test_a_flood_of_addresses_is_not_remembered_for_ever():
    admission = new_admission()
    for number in range(3 * ADDRESSES_KEPT):
        if number % TRIES == 0:
            admission.invite(RED, now=0)
        with pytest.raises((WrongCode, CodeRunOut)):
            admission.enter(f"2001:db8::{number:x}", "000000", now=0)

    assert len(admission._waits) <= ADDRESSES_KEPT


def test_a_device_is_known_again_by_its_token():
    admission = new_admission()
    player = admission.enter(PHONE, admission.invite(RED, now=0).code, now=0)

    assert admission.again(player.token) == player


@pytest.mark.parametrize("token", ["", "x", "é" * 20])
def test_another_token_is_nobodys(token):
    admission = new_admission()
    admission.enter(PHONE, admission.invite(RED, now=0).code, now=0)

    with pytest.raises(NotAdmitted) as refused:
        admission.again(token)

    assert str(refused.value) == (
        "This device may not play any more. To play again, type the code that the board shows."
    )


def test_a_device_that_is_put_out_stays_out():
    admission = new_admission()
    player = admission.enter(PHONE, admission.invite(RED, now=0).code, now=0)

    admission.put_out(player.number)

    assert admission.side_of(player.number) is None
    assert admission.players == ()
    with pytest.raises(NotAdmitted):
        admission.again(player.token)
    with pytest.raises(NotAdmitted, match=r"^There is no device 1 any more\.$"):
        admission.put_out(player.number)


def test_numbers_are_not_used_again():
    admission = new_admission()
    first = admission.enter(PHONE, admission.invite(RED, now=0).code, now=0)
    admission.put_out(first.number)
    second = admission.enter(PHONE, admission.invite(RED, now=0).code, now=0)

    assert (first.number, second.number) == (1, 2)


def test_with_one_device_too_many_the_oldest_is_put_out():
    admission = new_admission()
    for _ in range(MOST_PLAYERS + 1):
        admission.enter(PHONE, admission.invite(RED, now=0).code, now=0)

    assert [player.number for player in admission.players] == list(range(2, MOST_PLAYERS + 2))


class Anything(RuleBasedStateMachine):
    """Whatever is done in whatever order: nobody gets in without a code that was given and is still good."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.admission = Admission(counting(500_000))
        self.good: dict[str, tuple[Side, float, int]] = {}
        self.inside: dict[int, tuple[Side, str]] = {}
        self.gone: list[str] = []

    @rule(seconds=st.sampled_from([0.5, 30.0, 200.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(side=st.sampled_from(Side))
    def invite(self, side: Side) -> None:
        self.good = {code: each for code, each in self.good.items() if each[0] is not side}
        self.good[self.admission.invite(side, self.now).code] = (side, self.now + VALID_S, 0)

    @rule(address=st.sampled_from([PHONE, OTHER, "::1"]), number=st.integers(499_998, 500_020))
    def enter(self, address: str, number: int) -> None:
        code = f"{number:06}"
        self.good = {each: what for each, what in self.good.items() if what[1] > self.now and what[2] < TRIES}
        try:
            player = self.admission.enter(address, code, self.now)
        except TooManyTries:
            return
        except (WrongCode, CodeRunOut):
            assert code not in self.good
            self.good = {each: (side, until, wrong + 1) for each, (side, until, wrong) in self.good.items()}
            return
        assert self.good.pop(code)[0] is player.side
        self.inside[player.number] = (player.side, player.token)

    @rule(number=st.integers(1, 8))
    def put_out(self, number: int) -> None:
        if number not in self.inside:
            return
        self.admission.put_out(number)
        self.gone.append(self.inside.pop(number)[1])

    @invariant()
    def those_inside_and_no_others_may_play(self) -> None:
        alive = dict(list(self.inside.items())[-MOST_PLAYERS:])
        assert {each.number: (each.side, each.token) for each in self.admission.players} == alive
        for token in self.gone:
            with pytest.raises(NotAdmitted):
                self.admission.again(token)


Anything.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestAnything = Anything.TestCase
