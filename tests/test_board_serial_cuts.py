"""Games over a cable that is cut, noisy or repeats itself: each goes on with exactly the moves that people made."""

from __future__ import annotations

import pytest

from link_cable import LONG, SHORT, Cable, cut_at, flips, repeats


def test_a_game_over_a_sound_cable():
    cable = Cable().play()

    assert cable.committed == list(LONG[1])
    assert cable.wrong == []
    assert cable.losses == 0


def test_the_cable_is_pulled_at_each_byte_of_a_game():
    """Field bugs S1 and S6; the board loses its power with it, or keeps it, by turns."""
    whole = Cable(story=SHORT).play()
    assert whole.carried > 1500
    wrong = {}
    for place in range(whole.carried):
        cable = Cable(cut_at(place), SHORT, power=place % 2 == 0, away_ms=place % 7 * 100.0).play()
        if cable.wrong or cable.losses != 1 or cable.committed != list(SHORT[1]):
            wrong[place] = (cable.wrong, cable.losses, cable.committed)

    assert wrong == {}


@pytest.mark.parametrize("away_ms", [0.0, 700.0, 1400.0, 1600.0, 4000.0])
def test_the_program_is_killed_at_any_time_and_another_one_goes_on(away_ms: float):
    for step in range(0, 1800, 37):
        cable = Cable()
        while cable.now < 1000 + step:
            cable.step()
        cable.kill_host(away_ms)
        cable.play()
        assert (cable.wrong, cable.committed) == ([], list(LONG[1])), step


def test_the_board_begins_anew_at_any_time():
    """Field bug S5: what the board knew before is asked for anew."""
    for step in range(0, 1800, 31):
        cable = Cable()
        while cable.now < 1000 + step:
            cable.step()
        cable.reset_board()
        cable.play()
        assert (cable.wrong, cable.committed) == ([], list(LONG[1])), step


@pytest.mark.parametrize("seed", range(20))
def test_one_byte_in_a_hundred_is_wrong(seed: int):
    """Field bug S6."""
    cable = Cable(flips(0.01, seed)).play()

    assert (cable.wrong, cable.committed) == ([], list(LONG[1]))


@pytest.mark.parametrize("seed", range(10))
def test_what_is_said_arrives_twice(seed: int):
    cable = Cable(repeats(0.3, seed)).play()

    assert (cable.wrong, cable.committed) == ([], list(LONG[1]))


@pytest.mark.parametrize("stalled_ms", [300, 900, 1600, 1900, 2500, 4500])
def test_a_link_that_stalls_in_the_middle_of_a_tap_makes_no_hold_of_it(stalled_ms: int):
    """Field bug G9: nobody took a move back, for whatever reason the board was mute."""
    cable = Cable()
    stalls: list[float] = []

    def swallow(_: int, data: bytes) -> bytes:
        return b"" if stalls and cable.now < stalls[0] + stalled_ms else data

    cable.fault = swallow
    while not stalls:
        cable.step()
        if len(cable.committed) == 3 and cable.ear is not None and cable.ear.levels["column 3"]:
            stalls.append(cable.now)
    cable.play()
    assert (cable.wrong, cable.committed) == ([], list(LONG[1]))
