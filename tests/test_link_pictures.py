"""Pictures in chunks: shown as they were sent, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.link.frames import MOST_PAYLOAD
from popout.link.pictures import MOST_COLOURS, MOST_LAMPS, Easel, chunks, least_lit, limits, within_limits

few = st.sampled_from([0, 0xFF0000, 0xFFFF00, 0x00FF00, 0xFFFFFF, 0x102030])
any_colour = st.integers(0, 0xFFFFFF)
pictures = st.one_of(st.lists(few, max_size=700), st.lists(any_colour, max_size=150))


def taken(easel: Easel, payloads: list[str]) -> list[bool | None]:
    return [easel.take(payload) for payload in payloads]


def test_a_small_picture_as_it_is_written():
    assert chunks(0x1F, [0xFF0000, 0, 0, 0xFF0000]) == ["1F00C00FF0000000000", "1F01I00000110", "1F02S02"]


def test_a_picture_of_many_colours_as_it_is_written():
    payloads = chunks(2, list(range(65)))
    assert [payload[:9] for payload in payloads] == ["0200R0000", "0201R0026", "0202S02"]


@given(st.integers(0, 255), pictures)
def test_any_picture_is_shown_as_it_was_sent(number, colours):
    payloads = chunks(number, colours)
    assert all(len(payload) <= MOST_PAYLOAD for payload in payloads)
    easel = Easel(len(colours))
    assert taken(easel, payloads) == [False] * (len(payloads) - 1) + [True]
    assert easel.colours == colours


@pytest.mark.parametrize("kinds", [1, MOST_COLOURS, MOST_COLOURS + 1, MOST_LAMPS])
def test_the_largest_picture(kinds):
    colours = [(lamp * 8111) % 0xFFFFFF if kinds == MOST_LAMPS else lamp % kinds for lamp in range(MOST_LAMPS)]
    easel = Easel(MOST_LAMPS)
    payloads = chunks(255, colours)
    assert len(payloads) <= 256
    assert taken(easel, payloads)[-1] is True
    assert easel.colours == colours


def test_a_picture_of_more_lamps_than_its_chunks_can_number_is_refused():
    with pytest.raises(ValueError, match="too many lamps"):
        chunks(0, [0] * (MOST_LAMPS + 1))


def test_what_is_shown_is_the_same_list_for_ever():
    easel = Easel(2)
    colours = easel.colours
    taken(easel, chunks(1, [1, 2]))
    easel.darken()
    taken(easel, chunks(1, [3, 4]))
    assert easel.colours is colours
    assert colours == [3, 4]


@given(st.integers(1, 150), st.data())
def test_pictures_whose_chunks_are_lost_repeated_or_out_of_order_are_shown_right_or_not_at_all(lamps, data):
    size = {"min_size": lamps, "max_size": lamps}
    first, second, third = (data.draw(st.one_of(st.lists(few, **size), st.lists(any_colour, **size))) for _ in "123")
    sent = [*chunks(8, second), *chunks(9, third)]
    easel = Easel(lamps)
    taken(easel, chunks(7, first))
    showing = first
    for payload in data.draw(st.lists(st.sampled_from(sent), max_size=30)):
        if easel.take(payload):
            showing = second if payload.startswith("08") else third
        assert easel.colours == showing


def test_every_single_chunk_that_is_lost_keeps_the_picture_from_being_shown():
    payloads = chunks(1, list(range(100)))
    for lost in range(len(payloads) - 1):
        easel = Easel(100)
        assert taken(easel, payloads[:lost] + payloads[lost + 1 :])[-1] is None
        assert easel.colours == [0] * 100
        assert taken(easel, chunks(2, list(range(100))))[-1] is True


def test_a_chunk_that_comes_before_its_colours_is_not_shown_in_others():
    easel = Easel(2)
    taken(easel, chunks(1, [0xFF0000, 0xFF0000]))
    colours, lamps, show = chunks(2, [0x00FF00, 0x0000FF])
    assert taken(easel, [lamps, colours, show]) == [False, False, None]
    assert easel.colours == [0xFF0000, 0xFF0000]


def test_chunks_of_two_pictures_of_the_same_number_make_none_once_the_first_is_forgotten():
    easel = Easel(80)
    taken(easel, chunks(1, list(range(80)))[:-2])
    easel.forget()
    later = chunks(1, list(range(1000, 1080)))
    assert taken(easel, later[1:])[-1] is None
    assert easel.colours == [0] * 80


def test_a_lamp_that_no_chunk_names_is_dark_and_not_as_it_was():
    easel = Easel(3)
    taken(easel, chunks(1, [5, 5, 5]))
    assert taken(easel, ["0200R0001000007", "0201S01"]) == [False, True]
    assert easel.colours == [0, 7, 0]


def test_a_forgotten_picture_stays_on_and_a_darkened_one_does_not():
    easel = Easel(1)
    taken(easel, chunks(1, [5]))
    easel.forget()
    assert easel.colours == [5]
    easel.darken()
    assert easel.colours == [0]


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "01",
        "0x00S00",
        "0200",
        "0200X",
        "0200S",
        "0200Szz",
        "0200C00FF000",
        "0200C",
        "0200C3FFF0000FF0000",
        "0200CFFFF0000",
        "0200R0000FF00",
        "0200R0003FF0000",
        "0200R0000FF00gg",
        "0200I00000000",
        "0200I0000p",
        "0200I0000/",
        "0200I",
        "0200R00:0FF0000",
    ],
)
def test_what_is_no_chunk_for_these_lamps_is_refused_and_changes_no_light(payload):
    easel = Easel(3)
    taken(easel, chunks(1, [1, 2, 3]))
    with pytest.raises(ValueError):  # noqa: PT011 - which sentence does not matter to a board
        easel.take(payload)
    assert easel.colours == [1, 2, 3]


@pytest.mark.parametrize("count", ["FFFFFFFFFFFFFFFF", "40000000", "FF", "1"])
def test_an_absurd_count_of_chunks_takes_no_memory(count):
    assert Easel(3).take(f"0100S{count}") is None


@given(
    st.lists(
        st.one_of(
            st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60),
            st.from_regex(r"0[12]0[0-3][CIRS][0-9A-F]{0,24}", fullmatch=True),
        ),
        max_size=20,
    )
)
def test_any_payloads_raise_nothing_else_and_change_the_light_only_when_they_say_so(payloads):
    easel = Easel(4)
    for payload in payloads:
        before = list(easel.colours)
        try:
            shown = easel.take(payload)
        except ValueError:
            shown = None
        if not shown:
            assert easel.colours == before
        assert len(easel.colours) == 4
        assert all(0 <= colour <= 0xFFFFFF for colour in easel.colours)


def levels_of(colours: list[int]) -> list[int]:
    return [level for colour in colours for level in (colour >> 16, colour >> 8 & 255, colour & 255)]


@given(st.lists(any_colour, max_size=100), st.integers(0, 255), st.integers(0, 80_000))
def test_multiplied_levels_never_exceed_a_limit(colours, most_level, most_sum):
    above, below = within_limits(colours, most_level, most_sum)
    assert 0 <= above <= below
    multiplied = [level * above // below for level in levels_of(colours)]
    assert max(multiplied, default=0) <= most_level
    assert sum(multiplied) <= most_sum


@given(st.lists(any_colour, max_size=100), st.integers(1, 255), st.integers(1, 80_000))
def test_levels_are_not_lower_than_the_limits_ask_for(colours, most_level, most_sum):
    above, below = within_limits(colours, most_level, most_sum)
    levels = levels_of(colours)
    if max(levels, default=0) <= most_level and sum(levels) <= most_sum:
        assert above == below
    else:  # one of the limits is met by the fraction itself
        assert max(levels) * above == most_level * below or sum(levels) * above == most_sum * below


def test_the_light_of_a_board_at_both_limits():
    assert within_limits([0xFFFFFF] * 4, 128, 100_000) == (128, 255)
    assert within_limits([0xFFFFFF] * 4, 128, 600) == (600, 4 * 765)
    assert within_limits([0x800000], 128, 128) == (1, 1)


def test_the_limits_of_a_board():
    assert limits(51, 0.5, 900, 1, 12) == (128, int((900 - 51) * 255 / 12))
    assert limits(100, 1, 90, 1, 12) == (255, 0), "a supply that is too weak for dark lamps lights none"


def test_a_plain_led_is_lit_from_just_below_a_quarter_of_full_light():
    assert [least_lit(brightness) for brightness in (1, 0.5, 0.001)] == [61, 30, 1]
