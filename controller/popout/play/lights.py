"""Lights: the frame of lamps that shows a scene at a time, always computed whole.

Everything that matters is on the column and turn lamps as well as on the cell lamps, since a board may lack some of
them. Nothing relies on colour: yellow goes dark for a moment now and then, and blinks in its own rhythm.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import assert_never

from popout.board.frame import DARK, Colour, Frame
from popout.play.palette import (
    BLINK_MS,
    BREATH,
    BREATH_STEP_MS,
    COLOURS,
    COMMITTED_MS,
    DIM,
    FAINT,
    FULL,
    LAST,
    MENU_COLOURS,
    OUT,
    POWER_MS,
    PULSE,
    PULSE_STEP_MS,
    REFUSED_MS,
    VIOLET,
    WHITE,
    Light,
    blink,
    scaled,
    step_at,
    wave,
    yellow_moment,
)
from popout.play.scene import (
    Announced,
    Cell,
    Correcting,
    CountingDown,
    Drawn,
    Flash,
    KeptShown,
    LampTest,
    MenuShown,
    Pressing,
    Scene,
    ShowingLast,
    TellingShown,
    Waiting,
    Won,
)
from popout.play.settings import Palette, Settings
from popout.rules.side import RED, YELLOW, Side

_TEST_COLOURS = (0xFF0000, 0x00FF00, 0x0000FF, WHITE)
_TEST_COLOUR_MS = 1_000
_TEST_WALK_MS = 240
_FADE_STEPS = 15


def frame(scene: Scene, now: float, settings: Settings) -> Frame:
    """What every lamp shows at `now`, in milliseconds."""
    picture = _Picture(scene, now, settings.palette)
    return Frame(
        tuple([tuple([light[0] for light in column]) for column in picture.cells]),
        tuple([light[0] for light in picture.columns]),
        (picture.turns[0][0], picture.turns[1][0]),
    )


def next_change(scene: Scene, now: float, settings: Settings) -> float | None:
    """The time after `now` at which `frame` will be another one; None if it stays as it is.

    These times are multiples of `popout.play.palette.STEP_MS`, so never more than 25 in a second.
    """
    picture = _Picture(scene, now, settings.palette)
    until = min(light[1] for column in (*picture.cells, picture.columns, picture.turns) for light in column)
    return None if until == inf else until


def cropped(whole: Frame, outer: int, columns: int) -> Frame:
    """The part of a frame that a board has lamps for: its `columns`, after `outer` filled ones."""
    if len(whole.columns) == columns:
        return whole
    end = outer + columns
    return Frame(whole.cells[outer:end], whole.columns[outer:end], whole.turns)


def lamp_test_ms(columns: int, rows: int) -> int:
    """How long a `LampTest` lasts: each colour on all lamps, then each column, each row and each turn lamp."""
    return _TEST_COLOUR_MS * len(_TEST_COLOURS) + _TEST_WALK_MS * (columns + rows + 2)


def menu_sign(column: int, rows: int, palette: Palette) -> tuple[Colour, tuple[int, ...]]:
    """The sign of the menu's entry in `column`: its colour, and the rows of the cells that are lit.

    Column 1 has one cell, column 2 has two; where the grid is not high enough, counting goes on from the top.
    """
    colour = WHITE if palette == "mono" else MENU_COLOURS[(column - 1) % len(MENU_COLOURS)]
    count = (column - 1) % (2 * rows - 1) + 1
    lit = range(1, count + 1) if count <= rows else range(2 * rows - count + 1, rows + 1)
    return colour, tuple(lit)


class _Picture:
    """The light of every lamp and until when each stays: the whole scene, painted once."""

    def __init__(self, scene: Scene, now: float, palette: Palette) -> None:
        self._scene = scene
        self._palette = palette
        self._colours = COLOURS[palette]
        self._yellow_dark, self._yellow_until = yellow_moment(step_at(now))
        trouble = scene.trouble_since
        # In trouble the time of the picture stands still; only yellow's dark moments go on, to tell it from red.
        self._now = step_at(now if trouble is None else trouble)
        self._frozen = trouble is not None
        width, rows = len(scene.grid), scene.rows
        self.cells: list[list[Light]] = [[OUT] * rows for _ in range(width)]
        self.columns: list[Light] = [OUT] * width
        self.turns: list[Light] = [OUT, OUT]
        self._paint_mode()
        if scene.flash is not None and not isinstance(scene.mode, LampTest):
            self._paint_flash(scene.flash)
        if trouble is not None:
            violet = WHITE if palette == "mono" else VIOLET
            light = blink(violet, BLINK_MS[None], step_at(trouble), step_at(now))
            self.cells[0][rows - 1] = self.columns[0] = light

    def _paint_mode(self) -> None:
        mode = self._scene.mode
        match mode:
            case Waiting():
                self._paint_waiting()
            case Pressing():
                self._paint_waiting()
                self._paint_pressing(mode)
            case Announced():
                self._paint_announced(mode)
            case CountingDown():
                self._paint_counting_down(mode)
            case Won():
                self._paint_won(mode)
            case Drawn(since):
                level, until = self._wave(BREATH, BREATH_STEP_MS, since)
                self._paint_discs(level, until)
                self.turns = [self._of(RED, level, until), self._of(YELLOW, level, until)]
            case MenuShown(columns, outer):
                self._paint_menu(columns, outer)
            case KeptShown():
                self._paint_kept(mode)
            case LampTest(since):
                self._paint_lamp_test(max(0, self._now - step_at(since)))
            case ShowingLast(cells, since):
                self._paint_discs(FAINT)
                self._paint_turn()
                for column, row in cells:
                    self.cells[column - 1][row - 1] = self._blink(self._disc(column, row), since)
                    self.columns[column - 1] = self._blink(None, since)
            case Correcting((column, row), should_be, since):
                self._paint_discs(DIM)
                self._paint_turn()
                light = self._blink(should_be, since)
                self.cells[column - 1][row - 1] = self.columns[column - 1] = light
            case TellingShown():
                self._paint_telling(mode)
            case _:
                assert_never(mode)

    # What the modes share

    def _of(self, side: Side, level: float, until: float = inf) -> Light:
        """The light of `side` at `level`, which lasts until `until` at most: yellow has its dark moments."""
        if side is RED:
            return scaled(self._colours[RED], level), until
        if self._yellow_dark:
            return DARK, self._yellow_until
        return scaled(self._colours[YELLOW], level), min(until, self._yellow_until)

    def _blink(self, side: Side | None, since: float) -> Light:
        """A light that blinks in the colour and rhythm of `side`; in white for nobody's."""
        colour = WHITE if side is None else self._colours[side]
        light, until = blink(colour, BLINK_MS[side], step_at(since), self._now)
        return light, self._unless_frozen(until)

    def _wave(self, levels: tuple[float, ...], step_ms: int, since: float) -> tuple[float, float]:
        level, until = wave(levels, step_ms, step_at(since), self._now)
        return level, self._unless_frozen(until)

    def _unless_frozen(self, until: float) -> float:
        return inf if self._frozen else until

    def _disc(self, column: int, row: int) -> Side | None:
        discs = self._scene.grid[column - 1]
        return Side.of_letter(discs[row - 1]) if row <= len(discs) else None

    def _paint_discs(self, level: float, until: float = inf) -> None:
        light = {side.letter: self._of(side, level, until) for side in (RED, YELLOW)}
        for lamps, discs in zip(self.cells, self._scene.grid, strict=True):
            lamps[: len(discs)] = [light[disc] for disc in discs]

    def _paint_cells(self, cells: Iterable[Cell], light: Light) -> None:
        for column, row in cells:
            self.cells[column - 1][row - 1] = light

    def _paint_turn(self) -> None:
        turn = self._scene.turn
        if turn is not None:
            power = self._scene.power
            if power is None:
                self.turns[turn is YELLOW] = self._of(turn, FULL)
            else:
                light, until = blink(self._colours[turn], POWER_MS[power], 0, self._now)
                self.turns[turn is YELLOW] = light, self._unless_frozen(until)

    # The modes

    def _paint_waiting(self) -> None:
        scene = self._scene
        self._paint_discs(DIM)
        for column, row in scene.last:
            side = self._disc(column, row)
            if side is not None:
                self.cells[column - 1][row - 1] = self._of(side, LAST)
        self._paint_turn()
        if scene.turn is not None:
            light = self._of(scene.turn, DIM)
            # Where only pops are left, their columns say so, though the bar must still be opened.
            pops = scene.bar_open or not scene.legal_drops
            for column in scene.legal_pops if pops else scene.legal_drops:
                self.columns[column - 1] = light

    def _paint_pressing(self, mode: Pressing) -> None:
        # The press is answered at once, also in yellow's dark moment.
        self.columns[mode.column - 1] = self._colours[mode.side], inf
        if mode.pop:
            lamps = self.cells[mode.column - 1]
            discs = self._scene.grid[mode.column - 1][1:]
            lamps[:] = [self._of(Side.of_letter(disc), LAST) for disc in discs] + [OUT] * (len(lamps) - len(discs))
        elif mode.landing_row is not None:
            light = self._blink(mode.side, mode.since)
            self.cells[mode.column - 1][mode.landing_row - 1] = light

    def _paint_announced(self, mode: Announced) -> None:
        """The column blinks. For a pop all that is next to the bar is lit besides: the bottom row, and the columns."""
        self._paint_discs(DIM)
        self._paint_turn()
        light = self._blink(mode.side, mode.since)
        if mode.pop:
            for column, lamps in enumerate(self.cells, 1):
                side = self._disc(column, 1)
                lamps[0] = (scaled(WHITE, FAINT), inf) if side is None else self._of(side, LAST)
            self.columns = [(scaled(WHITE, FAINT), inf)] * len(self.columns)
        self.columns[mode.column - 1] = light
        self.cells[mode.column - 1][(mode.landing_row or 1) - 1] = light

    def _paint_counting_down(self, mode: CountingDown) -> None:
        """The held columns are filled with white that runs out from the top; their lamps fade."""
        self._paint_discs(DIM)
        self._paint_turn()
        rows = self._scene.rows
        full, cells_until = self._left(mode, rows)
        fade, fade_until = self._left(mode, _FADE_STEPS)
        lit: Light = (scaled(WHITE, LAST), cells_until)
        lamp: Light = (scaled(WHITE, (fade / _FADE_STEPS) ** 2), fade_until)
        for column in mode.columns:
            self.cells[column - 1][:] = [lit] * full + [OUT] * (rows - full)
            self.columns[column - 1] = lamp

    def _left(self, mode: CountingDown, steps: int) -> tuple[int, float]:
        """How many of `steps` are left of the countdown, and until when."""
        end = step_at(mode.until)
        total = max(1, end - step_at(mode.since))
        left = min(total, end - self._now)
        if left <= 0:
            return 0, inf
        count = -(-left * steps // total)
        return count, self._unless_frozen(end - step_at((count - 1) * total / steps))

    def _paint_won(self, mode: Won) -> None:
        self._paint_discs(FAINT)
        for line in mode.other_lines:
            self._paint_cells(line, self._of(mode.winner.other, DIM))
        light = self._of(mode.winner, *self._wave(PULSE, PULSE_STEP_MS, mode.since))
        for line in mode.lines:
            self._paint_cells(line, light)
        self.turns[mode.winner is YELLOW] = light

    def _paint_kept(self, mode: KeptShown) -> None:
        """Cells are counted like letters on a page; the columns' lamps count too, for a board without cell lamps."""
        width, rows = len(self.cells), self._scene.rows
        for side, kept in ((RED, mode.red), (YELLOW, mode.yellow)):
            for place in range(min(kept, width * rows)):
                row = rows - 1 - place // width if side is RED else place // width
                self.cells[place % width][row] = self._of(side, FULL)
        turn = self._scene.turn
        if turn is not None:
            for column in range(min(mode.red if turn is RED else mode.yellow, width)):
                self.columns[column] = self._of(turn, FULL)
        self._paint_turn()

    def _paint_telling(self, mode: TellingShown) -> None:
        """What was said stands still, where it differs it blinks, in white where there is said to be nothing.

        A column's lamp is lit where its column differs; the turn lamp of the next disc's colour blinks.
        """
        self._paint_discs(DIM)
        for column, row in mode.cells:
            self.cells[column - 1][row - 1] = self._blink(self._disc(column, row), mode.since)
            self.columns[column - 1] = scaled(WHITE, DIM), inf
        self.turns[mode.disc is YELLOW] = self._blink(mode.disc, mode.since)

    def _paint_menu(self, columns: tuple[int, ...], outer: int) -> None:
        for column in columns:
            colour, rows = menu_sign(column - outer, self._scene.rows, self._palette)
            self._paint_cells(((column, row) for row in rows), (scaled(colour, LAST), inf))
            self.columns[column - 1] = colour, inf
        # Both turn lamps in white say that this is no game, also where they are the only lamps.
        self.turns = [(scaled(WHITE, DIM), inf)] * 2

    def _paint_lamp_test(self, time: int) -> None:
        """Each colour finds dead lamps and exchanged colours, the walk finds lamps in the wrong place."""
        width, rows = len(self.cells), self._scene.rows
        start = self._now - time
        phase = time // _TEST_COLOUR_MS
        if phase < len(_TEST_COLOURS):
            light: Light = (_TEST_COLOURS[phase], self._unless_frozen(start + (phase + 1) * _TEST_COLOUR_MS))
            self.cells = [[light] * rows for _ in range(width)]
            self.columns = [light] * width
            self.turns = [light, light]
            return
        walk_start = _TEST_COLOUR_MS * len(_TEST_COLOURS)
        walked = (time - walk_start) // _TEST_WALK_MS
        light = (WHITE, self._unless_frozen(start + walk_start + (walked + 1) * _TEST_WALK_MS))
        if walked < width:
            self.cells[walked] = [light] * rows
            self.columns[walked] = light
        elif walked < width + rows:
            for lamps in self.cells:
                lamps[walked - width] = light
        elif walked < width + rows + 2:
            self.turns[walked - width - rows] = light
        else:
            self._paint_waiting()

    # Over the picture

    def _paint_flash(self, flash: Flash) -> None:
        start = step_at(flash.since)
        time = max(0, self._now - start)
        match flash.kind:
            case "refused" if time < sum(REFUSED_MS):
                colour, until = blink(WHITE, REFUSED_MS, start, start + time)
                light = colour, self._unless_frozen(until)
                self._paint_cells(flash.cells, light)
            case "committed" if time < COMMITTED_MS:
                until = self._unless_frozen(start + COMMITTED_MS)
                light = WHITE, until
                for column, row in flash.cells:
                    side = self._disc(column, row)
                    if side is not None:
                        self.cells[column - 1][row - 1] = self._colours[side], until
            case _:
                return
        for column in flash.columns:
            self.columns[column - 1] = light
