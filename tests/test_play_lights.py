import timeit
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.frame import DARK, Frame
from popout.play.lights import frame, lamp_test_ms, menu_sign, next_change
from popout.play.palette import (
    COLOURS,
    DIM,
    FAINT,
    FULL,
    LAST,
    STEP_MS,
    VIOLET,
    WHITE,
    YELLOW_DARK_MS,
    YELLOW_PERIOD_MS,
    scaled,
)
from popout.play.scene import (
    Announced,
    Correcting,
    CountingDown,
    Drawn,
    Flash,
    LampTest,
    MenuShown,
    Pressing,
    Scene,
    ShowingLast,
    Waiting,
    Won,
)
from popout.play.settings import Settings
from popout.rules.side import RED, YELLOW

CLASSIC = Settings()
PALETTES = ("classic", "colour-blind", "mono")

STEADY = 1_000
"""A time at which yellow is not in its dark moment, which is at every multiple of its period."""
HIDDEN = 100
"""A time at which it is."""


def drawn(*rows):
    """A grid from its picture: rows from the top, ``X`` red, ``O`` yellow, ``.`` empty."""
    return tuple("".join(column).rstrip(".") for column in zip(*reversed(rows), strict=True))


def scene(*rows, mode=None, turn=RED, last=(), drops=None, pops=(), bar_open=False, **more):
    grid = drawn(*rows)
    if drops is None:
        drops = tuple(column for column, discs in enumerate(grid, 1) if len(discs) < len(rows))
    return Scene(grid, len(rows), turn, last, drops, pops, bar_open, mode or Waiting(), **more)


def played(**changes):
    return scene(
        "....",
        ".XO.",
        "XOXO",
        **changes,
    )


def show(what, now=STEADY, settings=CLASSIC):
    return frame(what, now, settings)


def red(level):
    return scaled(COLOURS["classic"][RED], level)


def yellow(level):
    return scaled(COLOURS["classic"][YELLOW], level)


def changes(what, start, length, settings=CLASSIC):
    """The times from `start` on at which the picture changes, as `next_change` tells them."""
    times, now = [], start
    while (now := next_change(what, now, settings)) is not None and now <= start + length:
        times.append(now)
    return times


def levels(what, cell, start, length, settings=CLASSIC):
    """How bright a cell is from step to step: what eyes see that see no colours."""
    column, row = cell
    seen = []
    for now in range(start, start + length, STEP_MS):
        colour = show(what, now, settings).cells[column - 1][row - 1]
        seen.append(max(colour >> 16, colour >> 8 & 0xFF, colour & 0xFF))
    return seen


def runs(what, look, start, length):
    """How long `look` of the frame keeps each of its values, in milliseconds."""
    out = []
    for now in range(start, start + length, STEP_MS):
        value = look(show(what, now))
        if out and out[-1][0] == value:
            out[-1][1] += STEP_MS
        else:
            out.append([value, STEP_MS])
    return [tuple(run) for run in out]


# Waiting for a move


def test_waiting_shows_each_disc_dim_the_last_move_brighter_the_legal_columns_and_the_side_to_move():
    picture = show(played(last=((3, 2),), drops=(1, 2, 4)))
    assert picture == Frame(
        cells=(
            (red(DIM), DARK, DARK),
            (yellow(DIM), red(DIM), DARK),
            (red(DIM), yellow(LAST), DARK),
            (yellow(DIM), DARK, DARK),
        ),
        columns=(red(DIM), red(DIM), DARK, red(DIM)),
        turns=(red(FULL), DARK),
    )


def test_with_the_bar_open_the_columns_that_may_be_popped_are_lit():
    picture = show(played(turn=YELLOW, pops=(2, 4), bar_open=True))
    assert picture.columns == (DARK, yellow(DIM), DARK, yellow(DIM))
    assert picture.turns == (DARK, yellow(FULL))


def test_when_it_is_nobody_s_turn_no_column_and_no_turn_lamp_is_lit():
    picture = show(played(turn=None))
    assert picture.columns == (DARK,) * 4
    assert picture.turns == (DARK, DARK)


def test_a_cell_that_the_last_move_emptied_is_dark():
    assert show(played(last=((1, 2),))) == show(played())


def test_a_board_that_waits_and_shows_no_yellow_never_changes():
    assert next_change(scene("...", "X.X", last=((1, 1),)), STEADY, CLASSIC) is None


def test_a_board_that_waits_wakes_twice_in_four_seconds_for_yellow():
    assert changes(played(), STEADY, 8_000) == [4_000, 4_320, 8_000, 8_320]


# Press


@pytest.mark.parametrize(("side", "colour"), [(RED, red(FULL)), (YELLOW, yellow(FULL))])
@pytest.mark.parametrize("now", [STEADY, HIDDEN, 12_345.6])
def test_a_press_lights_the_landing_cell_and_its_column_at_once(side, colour, now):
    pressed = played(turn=side, mode=Pressing(2, False, side, 3, now))
    assert show(pressed, now).cells[1][2] == colour
    assert show(pressed, now).columns[1] == colour


@pytest.mark.parametrize(
    ("side", "rhythm"),
    [(RED, [(red(FULL), 320), (DARK, 320)] * 2), (YELLOW, [(yellow(FULL), 160), (DARK, 120), (yellow(FULL), 160)])],
)
def test_the_landing_cell_blinks_in_the_mover_s_colour_and_rhythm(side, rhythm):
    pressed = played(turn=side, mode=Pressing(2, False, side, 3, STEADY))
    assert runs(pressed, lambda picture: picture.cells[1][2], STEADY, sum(time for _, time in rhythm)) == rhythm


def test_a_press_leaves_the_rest_of_the_picture_as_it_was():
    before, after = show(played()), show(played(mode=Pressing(2, False, RED, 3, STEADY)))
    assert after.cells[0] == before.cells[0]
    assert after.cells[1][:2] == before.cells[1][:2]
    assert (after.columns[0], *after.columns[2:]) == (before.columns[0], *before.columns[2:])
    assert after.turns == before.turns


def test_pressing_for_a_pop_shows_the_column_as_it_will_be():
    pressed = played(turn=YELLOW, pops=(2, 4), bar_open=True, mode=Pressing(2, True, YELLOW, None, STEADY))
    picture = show(pressed)
    assert picture.cells[1] == (red(LAST), DARK, DARK)
    assert picture.columns == (DARK, yellow(FULL), DARK, yellow(DIM))


def test_a_press_that_makes_no_legal_drop_lights_its_column_and_no_cell():
    pressed = played(mode=Pressing(2, False, RED, None, STEADY))
    assert show(pressed).cells == show(played()).cells
    assert show(pressed).columns[1] == red(FULL)


# A move that is announced


def test_an_announced_drop_blinks_in_its_cell_and_its_column_and_no_other_column_is_lit():
    shown = played(mode=Announced(2, False, RED, 3, STEADY))
    blinks = [(red(FULL), 320), (DARK, 320)]
    assert runs(shown, lambda picture: picture.cells[1][2], STEADY, 640) == blinks
    assert runs(shown, lambda picture: picture.columns[1], STEADY, 640) == blinks
    assert (show(shown).columns[0], *show(shown).columns[2:]) == (DARK, DARK, DARK)


def test_an_announced_pop_lights_all_that_is_next_to_the_bar():
    shown = played(turn=YELLOW, mode=Announced(2, True, YELLOW, None, STEADY))
    picture = show(shown)
    white = round(0xFF * FAINT) * 0x010101
    assert picture.columns == (white, yellow(FULL), white, white)
    assert [column[0] for column in picture.cells] == [
        {"X": red(LAST), "O": yellow(LAST), "": white}[discs[:1]] if number != 2 else yellow(FULL)
        for number, discs in enumerate(shown.grid, 1)
    ]
    assert runs(shown, lambda picture: picture.cells[1][0], STEADY, 280) == [(yellow(FULL), 160), (DARK, 120)]


# Holding


def test_a_held_column_runs_empty_from_the_top_and_its_lamp_fades():
    held = played(mode=CountingDown((2,), 10_000, 11_200))
    white = scaled(WHITE, LAST)
    lit = [show(held, now).cells[1] for now in (10_000, 10_400, 10_800, 11_200)]
    assert lit == [
        (white, white, white),
        (white, white, DARK),
        (white, DARK, DARK),
        (DARK, DARK, DARK),
    ]
    lamp = [show(held, now).columns[1] for now in range(10_000, 11_240, STEP_MS)]
    assert lamp[0] == WHITE
    assert lamp == sorted(lamp, reverse=True)
    assert lamp[-1] == DARK
    assert show(held, 10_000).columns[::2] == (DARK, DARK)
    assert show(held, 10_000).turns == (red(FULL), DARK)


def test_the_way_to_the_menu_counts_down_on_both_outermost_columns():
    held = played(mode=CountingDown((1, 4), 10_000, 11_500))
    picture = show(held, 10_000)
    assert picture.columns == (WHITE, DARK, DARK, WHITE)
    assert picture.cells[0] == picture.cells[3] == (scaled(WHITE, LAST),) * 3


def test_a_countdown_that_is_over_stays_dark():
    held = scene("X.", mode=CountingDown((2,), 10_000, 11_500))
    assert next_change(held, 11_500, CLASSIC) is None


# Committed and refused


def test_a_committed_move_flashes_once_and_the_turn_has_passed():
    committed = played(last=((3, 2),), flash=Flash("committed", ((3, 2),), (), STEADY))
    cell = runs(committed, lambda picture: picture.cells[2][1], STEADY, 1000)
    assert cell == [(yellow(FULL), 240), (yellow(LAST), 760)]
    assert show(committed).turns == (red(FULL), DARK)


def test_a_committed_move_flashes_at_once_in_yellow_s_dark_moment_too():
    committed = played(last=((3, 2),), flash=Flash("committed", ((3, 2),), (), HIDDEN))
    assert show(committed, HIDDEN).cells[2][1] == yellow(FULL)


def test_a_committed_pop_that_emptied_its_column_flashes_the_lamp_of_the_column():
    committed = scene("X.", flash=Flash("committed", ((2, 1),), (2,), STEADY))
    assert show(committed).cells[1] == (DARK,)
    assert runs(committed, lambda picture: picture.columns[1], STEADY, 800) == [(WHITE, 240), (red(DIM), 560)]


def test_a_refused_move_flashes_white_three_times_where_it_happened():
    refused = played(flash=Flash("refused", ((2, 3),), (2,), STEADY))
    flashes = [(WHITE, 200), (DARK, 160), (WHITE, 200), (DARK, 160), (WHITE, 200)]
    assert runs(refused, lambda picture: picture.cells[1][2], STEADY, 2000) == [*flashes, (DARK, 1080)]
    assert runs(refused, lambda picture: picture.columns[1], STEADY, 2000) == [*flashes, (red(DIM), 1080)]


def test_a_refused_move_changes_nothing_else():
    refused, before = show(played(flash=Flash("refused", ((2, 3),), (2,), STEADY))), show(played())
    assert refused.cells[0] == before.cells[0]
    assert refused.cells[1][:2] == before.cells[1][:2]
    assert refused.turns == before.turns


@pytest.mark.parametrize("kind", ["refused", "committed"])
def test_a_flash_that_is_over_wakes_nobody(kind):
    over = scene("X.", flash=Flash(kind, ((1, 1),), (1,), STEADY))
    assert next_change(over, STEADY, CLASSIC) is not None
    assert next_change(over, STEADY + 2000, CLASSIC) is None


def test_a_refusal_after_the_end_flashes_over_the_won_line():
    won = replace(WON, flash=Flash("refused", (), (3,), STEADY))
    assert show(won).columns == (DARK, DARK, WHITE, DARK)


def test_no_light_flashes_more_than_three_times_in_a_second():
    for mode in (*(Pressing(2, False, side, 3, STEADY) for side in (RED, YELLOW)), Correcting((2, 3), None, STEADY)):
        lit = levels(played(mode=mode), (2, 3), STEADY, 20_000)
        rises = [i * STEP_MS for i in range(1, len(lit)) if lit[i] > lit[i - 1]]
        assert all(later - earlier >= 1000 for earlier, later in zip(rises, rises[3:], strict=False))


# The end


WON = played(turn=None, mode=Won(RED, (((1, 1), (2, 2)),), (((2, 1), (3, 2)),), STEADY), last=((1, 1),))


def test_every_cell_of_the_winner_s_lines_pulses_and_the_other_side_s_lines_are_dim():
    picture = show(WON)
    assert picture == Frame(
        cells=(
            (red(FULL), DARK, DARK),
            (yellow(DIM), red(FULL), DARK),
            (red(FAINT), yellow(DIM), DARK),
            (yellow(FAINT), DARK, DARK),
        ),
        columns=(DARK,) * 4,
        turns=(red(FULL), DARK),
    )
    first, second = levels(WON, (1, 1), STEADY, 1200), levels(WON, (2, 2), STEADY, 1200)
    assert first == second
    assert first[0] == 255
    assert min(first) < 80
    assert max(abs(a - b) for a, b in pairwise(first)) < 30


def test_all_lines_of_the_winner_pulse():
    mode = Won(YELLOW, (((2, 1), (3, 2)), ((4, 1), (3, 2))), (), STEADY)
    picture = show(played(turn=None, mode=mode))
    assert [picture.cells[1][0], picture.cells[2][1], picture.cells[3][0]] == [yellow(FULL)] * 3
    assert picture.turns == (DARK, yellow(FULL))


def test_the_winner_s_turn_lamp_pulses_as_the_line_does():
    for now in range(STEADY, STEADY + 1200, STEP_MS):
        assert show(WON, now).turns[0] == show(WON, now).cells[0][0]


def test_in_a_draw_all_discs_and_both_turn_lamps_breathe_slowly():
    what = played(turn=None, mode=Drawn(STEADY))
    breath = levels(what, (1, 1), STEADY, 4000)
    assert breath[0] > 3 * min(breath)
    assert breath.index(min(breath)) * STEP_MS == 2000
    for now in range(STEADY, STEADY + 4000, STEP_MS):
        picture = show(what, now)
        assert picture.cells[0][0] == picture.cells[1][1] == picture.cells[2][0] == picture.turns[0]
        assert picture.cells[1][0] == picture.cells[3][0] == picture.turns[1]
        assert picture.columns == (DARK,) * 4


def test_a_draw_on_an_emptied_grid_breathes_on_the_turn_lamps():
    what = scene("..", turn=None, mode=Drawn(STEADY))
    assert show(what).turns == (red(LAST), yellow(LAST))


# Trouble


def test_in_trouble_the_last_picture_is_frozen_and_one_corner_blinks_violet():
    trouble = replace(WON, trouble_since=STEADY + 333)
    frozen = show(WON, STEADY + 333)
    for now in range(STEADY + 360, STEADY + 2900, STEP_MS):
        picture = show(trouble, now)
        assert picture.cells[0][:2] == frozen.cells[0][:2]
        assert picture.cells[1:] == frozen.cells[1:]
        assert picture.columns[1:] == frozen.columns[1:]
        assert picture.turns == frozen.turns
    corner = [(VIOLET, 520), (DARK, 520), (VIOLET, 520)]
    start = STEADY + 320
    assert runs(trouble, lambda picture: picture.cells[0][2], start, 1560) == corner
    assert runs(trouble, lambda picture: picture.columns[0], start, 1560) == corner


def test_trouble_in_yellow_s_dark_moment_does_not_hide_yellow_for_good():
    trouble = played(trouble_since=HIDDEN)
    assert show(trouble, HIDDEN).cells[1][0] == DARK
    assert show(trouble, STEADY).cells[1][0] == yellow(DIM)


# Correction, the last move, the menu, the lamps


def test_what_should_be_there_blinks_in_its_colour_and_rhythm():
    what = played(mode=Correcting((1, 2), YELLOW, STEADY))
    rhythm = [(yellow(FULL), 160), (DARK, 120), (yellow(FULL), 160)]
    assert runs(what, lambda picture: picture.cells[0][1], STEADY, 440) == rhythm
    assert runs(what, lambda picture: picture.columns[0], STEADY, 440) == rhythm


def test_what_should_not_be_there_blinks_white():
    what = played(mode=Correcting((1, 1), None, STEADY))
    rhythm = [(WHITE, 520), (DARK, 520)]
    assert runs(what, lambda picture: picture.cells[0][0], STEADY, 1040) == rhythm
    assert show(what).columns == (WHITE, DARK, DARK, DARK)
    assert show(what).turns == (red(FULL), DARK)


def test_the_last_move_blinks_on_its_cells_and_columns():
    what = played(mode=ShowingLast(((3, 2), (3, 3)), STEADY))
    picture = show(what)
    assert picture.cells == (
        (red(FAINT), DARK, DARK),
        (yellow(FAINT), red(FAINT), DARK),
        (red(FAINT), yellow(FULL), WHITE),
        (yellow(FAINT), DARK, DARK),
    )
    assert picture.columns == (DARK, DARK, WHITE, DARK)
    assert show(what, STEADY + 530).columns == (DARK,) * 4


def test_the_menu_lights_the_columns_that_offer_something_and_nothing_of_the_game():
    picture = show(played(mode=MenuShown((1, 3))))
    assert [lamp != DARK for lamp in picture.columns] == [True, False, True, False]
    assert [[lamp != DARK for lamp in lamps] for lamps in picture.cells] == [
        [True, False, False],
        [False, False, False],
        [True, True, True],
        [False, False, False],
    ]
    assert picture.turns == (scaled(WHITE, DIM),) * 2
    assert next_change(played(mode=MenuShown((1, 3))), STEADY, CLASSIC) is None


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (5, 4), (8, 8), (12, 10)])
def test_entries_of_the_menu_are_told_apart_by_their_cells_without_colour(columns, rows):
    signs = [menu_sign(column, rows, "mono")[1] for column in range(1, columns + 1)]
    assert len(set(signs)) == columns
    assert all(sign and set(sign) <= set(range(1, rows + 1)) for sign in signs)
    assert [len(sign) for sign in signs[:rows]] == list(range(1, min(rows, columns) + 1))


@pytest.mark.parametrize("palette", ["classic", "colour-blind"])
def test_entries_of_the_menu_are_told_apart_by_colour(palette):
    assert len({menu_sign(column, 6, palette)[0] for column in range(1, 9)}) == 8


def test_the_menu_on_a_grid_of_one_row_lights_a_cell_for_each_entry():
    assert show(scene("...", mode=MenuShown((1, 2, 3)))).cells != show(scene("...")).cells


def test_the_lamp_test_shows_each_colour_on_all_lamps_and_then_each_column_row_and_turn_lamp():
    what = played(mode=LampTest(STEADY))
    for second, colour in enumerate((0xFF0000, 0x00FF00, 0x0000FF, WHITE)):
        assert show(what, STEADY + 1000 * second) == Frame(((colour,) * 3,) * 4, (colour,) * 4, (colour, colour))
    walk = STEADY + 4000
    dark = Frame.dark(4, 3)
    for column in range(4):
        picture = show(what, walk + 240 * column)
        lit = tuple(WHITE if each == column else DARK for each in range(4))
        assert picture == replace(dark, cells=tuple((colour,) * 3 for colour in lit), columns=lit)
    for row in range(3):
        lit = tuple(WHITE if each == row else DARK for each in range(3))
        assert show(what, walk + 240 * (4 + row)) == replace(dark, cells=(lit,) * 4)
    assert show(what, walk + 240 * 7) == replace(dark, turns=(WHITE, DARK))
    assert show(what, walk + 240 * 8) == replace(dark, turns=(DARK, WHITE))


def test_the_lamp_test_ends_when_it_says_and_shows_the_game_again():
    what = played(mode=LampTest(STEADY))
    end = STEADY + lamp_test_ms(4, 3)
    assert show(what, end - 1) != show(played(), end - 1)
    assert show(what, end) == show(played(), end)


# Without colour


SIDES_SHOWN = {
    "waiting": lambda side: (disc(side), (1, 1)),
    "last move": lambda side: (replace(disc(side), last=((1, 1),)), (1, 1)),
    "press": lambda side: (replace(disc(side), mode=Pressing(2, False, side, 1, STEADY)), (2, 1)),
    "pop": lambda side: (replace(disc(side), mode=Pressing(3, True, side, None, STEADY)), (3, 1)),
    "announced": lambda side: (replace(disc(side), mode=Announced(2, False, side, 1, STEADY)), (2, 1)),
    "announced pop": lambda side: (replace(disc(side), mode=Announced(3, True, side, None, STEADY)), (3, 1)),
    "won": lambda side: (replace(disc(side), mode=Won(side, (((1, 1),),), (), STEADY)), (1, 1)),
    "other line": lambda side: (replace(disc(side), mode=Won(side.other, (), (((1, 1),),), STEADY)), (1, 1)),
    "beside the line": lambda side: (replace(disc(side), mode=Won(side, (), (), STEADY)), (1, 1)),
    "draw": lambda side: (replace(disc(side), mode=Drawn(STEADY)), (1, 1)),
    "correction": lambda side: (replace(disc(side), mode=Correcting((2, 1), side, STEADY)), (2, 1)),
    "last move shown": lambda side: (replace(disc(side), mode=ShowingLast(((1, 1),), STEADY)), (1, 1)),
    "held": lambda side: (replace(disc(side), mode=CountingDown((2,), STEADY, STEADY + 900)), (1, 1)),
    "trouble": lambda side: (replace(disc(side), trouble_since=STEADY), (1, 1)),
}


def disc(side):
    return Scene((side.letter, "", side.letter * 2), 2, side, (), (1, 2), (1, 3), False, Waiting())


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("where", SIDES_SHOWN)
def test_red_and_yellow_are_told_apart_without_colour(where, palette):
    settings = Settings(palette=palette)
    dark = []
    for side in (RED, YELLOW):
        what, cell = SIDES_SHOWN[where](side)
        dark.append([level == 0 for level in levels(what, cell, STEADY, YELLOW_PERIOD_MS, settings)])
    assert dark[0] != dark[1]


@pytest.mark.parametrize("palette", PALETTES)
def test_red_is_steady_and_yellow_goes_dark_slowly(palette):
    settings = Settings(palette=palette)
    for period in range(3):
        start = period * YELLOW_PERIOD_MS
        assert len(set(levels(disc(RED), (1, 1), start, YELLOW_PERIOD_MS, settings))) == 1
        lit = [level > 0 for level in levels(disc(YELLOW), (1, 1), start, YELLOW_PERIOD_MS, settings)]
        assert lit == [now >= YELLOW_DARK_MS for now in range(0, YELLOW_PERIOD_MS, STEP_MS)]


def test_in_mono_every_light_is_white():
    settings = Settings(palette="mono")
    for what in (*EVERY_MODE, *(replace(each, trouble_since=STEADY) for each in EVERY_MODE)):
        if isinstance(what.mode, LampTest):
            continue
        for now in range(STEADY, STEADY + 4000, STEP_MS):
            picture = show(what, now, settings)
            for colour in (*(lamp for lamps in picture.cells for lamp in lamps), *picture.columns, *picture.turns):
                assert colour >> 16 == colour >> 8 & 0xFF == colour & 0xFF


def test_the_palettes_are_not_the_same():
    assert len({show(played(), STEADY, Settings(palette=palette)) for palette in PALETTES}) == 3


# With few lamps, and for whatever scene


EVERY_MODE = [
    played(mode=mode)
    for mode in (
        Waiting(),
        Pressing(1, False, RED, 2, STEADY),
        Pressing(1, True, RED, None, STEADY),
        Announced(1, False, RED, 2, STEADY),
        Announced(1, True, RED, None, STEADY),
        CountingDown((1,), STEADY, STEADY + 900),
        CountingDown((1, 4), STEADY, STEADY + 900),
        Won(RED, (((1, 1),),), (), STEADY),
        Won(YELLOW, (((2, 1),),), (), STEADY),
        Drawn(STEADY),
        MenuShown((1, 2)),
        LampTest(STEADY),
        ShowingLast(((2, 2),), STEADY),
        Correcting((3, 1), None, STEADY),
    )
]


def test_each_mode_has_its_own_picture():
    assert len({show(what) for what in EVERY_MODE}) == len(EVERY_MODE)


def test_each_mode_has_its_own_picture_on_a_board_without_cell_lamps():
    flashing = [played(flash=Flash("refused", (), (1,), STEADY)), played(trouble_since=STEADY)]
    films = {
        tuple((picture.columns, picture.turns) for picture in (show(what, now) for now in range(STEADY, 3000, 40)))
        for what in EVERY_MODE + flashing
        # A drop and a pop of one column differ by the bar, which the hand is on.
        if not (isinstance(what.mode, Pressing) and what.mode.pop)
    }
    assert len(films) == len(EVERY_MODE) + len(flashing) - 1


GRID = st.lists(st.text("XO", max_size=4), min_size=3, max_size=3).map(tuple)
SIDE = st.sampled_from([RED, YELLOW])
COLUMN = st.integers(1, 3)
CELL = st.tuples(COLUMN, st.integers(1, 4))
CELLS = st.lists(CELL, max_size=4).map(tuple)
COLUMNS = st.lists(COLUMN, max_size=3, unique=True).map(tuple)
TIME = st.one_of(st.integers(0, 9_000), st.floats(0, 9_000), st.sampled_from([0, 3_999.999, 4_000, 4_320]))
MODE = st.one_of(
    st.just(Waiting()),
    st.builds(Pressing, COLUMN, st.booleans(), SIDE, st.one_of(st.none(), st.integers(1, 4)), TIME),
    st.builds(Announced, COLUMN, st.booleans(), SIDE, st.one_of(st.none(), st.integers(1, 4)), TIME),
    st.builds(lambda columns, since, length: CountingDown(columns, since, since + length), COLUMNS, TIME, TIME),
    st.builds(Won, SIDE, st.tuples(CELLS), st.tuples(CELLS), TIME),
    st.builds(Drawn, TIME),
    st.builds(MenuShown, COLUMNS),
    st.builds(LampTest, TIME),
    st.builds(ShowingLast, CELLS, TIME),
    st.builds(Correcting, CELL, st.one_of(st.none(), SIDE), TIME),
)
SCENE = st.builds(
    Scene,
    GRID,
    st.just(4),
    st.one_of(st.none(), SIDE),
    CELLS,
    COLUMNS,
    COLUMNS,
    st.booleans(),
    MODE,
    st.one_of(st.none(), st.builds(Flash, st.sampled_from(["refused", "committed"]), CELLS, COLUMNS, TIME)),
    st.one_of(st.none(), TIME),
)
SETTINGS = st.sampled_from([Settings(palette=palette) for palette in PALETTES])


@given(SCENE, TIME, SETTINGS, st.floats(0, 1, exclude_max=True))
def test_nothing_changes_before_the_time_that_next_change_tells(what, now, settings, part):
    then = next_change(what, now, settings)
    end = now + 10_000 if then is None else then
    assert end > now
    between = min(now + part * (end - now), end - 0.001)
    if between > now:
        assert frame(what, between, settings) == frame(what, now, settings)
    if then is not None:
        just_before = then - 0.001
        if just_before > now:
            assert frame(what, just_before, settings) == frame(what, now, settings)


@pytest.mark.parametrize("what", EVERY_MODE, ids=lambda what: type(what.mode).__name__)
@pytest.mark.parametrize("palette", PALETTES)
def test_next_change_tells_exactly_the_times_at_which_the_picture_becomes_another_one(what, palette):
    settings = Settings(palette=palette)
    seen = [
        now
        for now in range(STEADY + STEP_MS, STEADY + 9_000, STEP_MS)
        if frame(what, now, settings) != frame(what, now - STEP_MS, settings)
    ]
    assert changes(what, STEADY + 0.5, 9_000 - STEP_MS, settings) == seen


@given(SCENE, TIME, SETTINGS)
def test_never_more_than_30_frames_a_second(what, now, settings):
    assert len(changes(what, now, 999, settings)) <= 30


@given(SCENE, TIME, SETTINGS)
def test_every_lamp_has_a_colour_that_it_can_show(what, now, settings):
    picture = frame(what, now, settings)
    assert [len(lamps) for lamps in picture.cells] == [4] * 3
    assert len(picture.columns) == 3
    assert len(picture.turns) == 2
    for colour in (*(lamp for lamps in picture.cells for lamp in lamps), *picture.columns, *picture.turns):
        assert 0 <= colour <= 0xFFFFFF


def test_a_frame_of_a_full_7x6_board_is_quick():
    full = scene(*("XOXOXOX", "OXOXOXO") * 3, turn=None, mode=Drawn(0))
    best = min(timeit.repeat(lambda: frame(full, 1_000, CLASSIC), number=100, repeat=10)) / 100
    # Some 15 µs on a laptop; the bound leaves room for a slow machine that does other things as well.
    assert best < 0.0005
