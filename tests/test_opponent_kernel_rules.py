"""The kernel's lines, drops and pops are those of the rules core, position by position of random games."""

from __future__ import annotations

import pytest

from kernel_positions import FULL_GOES_ON, KNOWN, game_positions, kernel_move
from popout.opponent.kernel.bits import count, has_line, line_cells, mirrored, popped
from popout.opponent.kernel.compiling import words
from popout.opponent.kernel.moves import (
    DRAWN,
    LOST,
    MOVES,
    OPEN,
    WON,
    fallen,
    landing,
    of_pop_at,
    ordered,
    wins_at_once,
)
from popout.opponent.kernel.shape import MOST_BITS, Shape, shape_of
from popout.opponent.kernel.table import key, mixed
from popout.rules import Drop, Move, Pop, Position, RuleSet

ALL = (*KNOWN, *FULL_GOES_ON)


def shape(rules: str) -> Shape:
    found = shape_of(RuleSet.parse(rules), full_may_go_on=True)
    assert found is not None
    return found


def worth(position: Position, move: Move) -> int:
    """What a move has led to, for the one who made it."""
    after = position.play(move)
    if after.ended is None:
        return OPEN
    if after.ended.winner is None:
        return DRAWN
    return WON if after.ended.winner is position.turn else LOST


@pytest.mark.parametrize("rules", ALL)
def test_a_line_is_a_line(rules: str):
    known = shape(rules)
    grid = RuleSet.parse(rules).grid
    for position in game_positions(rules):
        for discs in (position.own, position.other):
            assert has_line(known, discs) == bool(grid.has_line(discs))


@pytest.mark.parametrize("rules", ALL)
def test_a_cell_that_completes_a_line_is_found(rules: str):
    known = shape(rules)
    grid = RuleSet.parse(rules).grid
    cells = [1 << bit for bit in range(MOST_BITS) if grid.full >> bit & 1]
    for position in game_positions(rules, games=4):
        discs = position.own
        completing = line_cells(known, discs)
        for cell in cells:
            if not (discs | position.other) & cell and not grid.has_line(discs):
                assert bool(completing & cell) == bool(grid.has_line(discs | cell))


@pytest.mark.parametrize("rules", ALL)
def test_drops_land_where_they_do(rules: str):
    known = shape(rules)
    for position in game_positions(rules):
        if position.ended is None:
            drops = [move for move in position.legal_moves if isinstance(move, Drop)]
            cells = sum(position.landing(move.column) for move in drops)
            assert landing(known, position.own | position.other) == cells


@pytest.mark.parametrize("rules", [each for each in ALL if "pop" in each])
def test_pops_do_and_end_what_they_do(rules: str):
    known = shape(rules)
    for position in game_positions(rules):
        for move in position.legal_moves:
            if not isinstance(move, Pop):
                continue
            after = position.play(move)
            own, other = (after.own, after.other) if after.turn is position.turn else (after.other, after.own)
            bottom, _ = position.rules.grid.slots[move.column]
            assert fallen(known, position.own, bottom) == popped(known, position.own, move.column - 1) == own
            assert fallen(known, position.other, bottom) == popped(known, position.other, move.column - 1) == other
            assert of_pop_at(known, position.own, position.other, bottom) == worth(position, move)


@pytest.mark.parametrize("rules", KNOWN)
def test_a_win_at_once_is_seen(rules: str):
    known = shape(rules)
    for position in game_positions(rules):
        if position.ended is None:
            wins = any(worth(position, move) == WON for move in position.legal_moves)
            assert wins_at_once(known, position.own, position.other) == wins


@pytest.mark.parametrize("rules", KNOWN)
def test_no_move_is_forgotten_but_drops_that_lose_at_once(rules: str):
    known = shape(rules)
    for position in game_positions(rules):
        if position.ended is not None or any(worth(position, move) == WON for move in position.legal_moves):
            continue
        moves, scores = words(2 * MOVES), words(2 * MOVES)
        first = kernel_move(position.legal_moves[-1])
        found = ordered(known, position.own, position.other, first, words(2 * MOVES), 1, moves, scores, 5)
        listed = [int(move) for move in moves[5 : 5 + found]]
        missing = {kernel_move(move) for move in position.legal_moves}.difference(listed)
        assert len(set(listed)) == len(listed)
        assert listed[:1] == [first] or first in missing
        for move in position.legal_moves:
            if kernel_move(move) in missing:
                after = position.play(move)
                assert isinstance(move, Drop)
                assert any(worth(after, reply) == WON for reply in after.legal_moves)
        assert {kernel_move(move) for move in position.legal_moves}.issuperset(listed)


def test_every_position_has_a_number_of_its_own_but_its_mirror_image_has_the_same():
    known = shape("popout 7x6")
    numbers: dict[int, tuple[int, int]] = {}
    for position in game_positions("popout 7x6", games=60):
        own, other = position.own, position.other
        image = mirrored(known, own), mirrored(known, other)
        assert (mirrored(known, image[0]), mirrored(known, image[1])) == (own, other)
        assert key(known, own, other) == key(known, *image)
        assert numbers.setdefault(mixed(key(known, own, other)), min((own, other), image)) == min((own, other), image)


def test_a_board_that_is_not_the_same_from_both_sides_has_no_mirror_images():
    known = shape("five+pop 7x6 flanks=RY")
    left = Position.start(RuleSet.parse("five+pop 7x6 flanks=RY")).play(Drop(2))
    right = Position.start(RuleSet.parse("five+pop 7x6 flanks=RY")).play(Drop(8))

    assert key(known, left.own, left.other) != key(known, right.own, right.other)


def test_numbers_are_mixed_without_loss():
    numbers = [*range(5000), *(1 << bit for bit in range(MOST_BITS)), (1 << MOST_BITS) - 1]

    assert len({mixed(number) for number in numbers}) == len(set(numbers))
    assert all(0 <= mixed(number) < 1 << MOST_BITS for number in numbers)


def test_discs_are_counted():
    for discs in (0, 1, 1 << 62, (1 << 63) - 1, 0x5A5A_F00D_1234_5678):
        assert count(discs) == discs.bit_count()


@pytest.mark.parametrize(
    "rules",
    [
        "popout 8x7",  # a bit too many
        "popout 32x32",
        "popout 2x30",  # its diagonals would be shifted further than a number is long
        "popout 7x6 supply=21",
        "popout 7x6 full-grid=claim",
        "popout 7x6 full-grid=continue",
        "pop10 7x6",
        "power 7x6",
        "popout 5x9 connect=9",
        "popout 7x6 connect=1 allow-unwinnable=yes",
    ],
)
def test_what_the_kernel_cannot_do_it_does_not_begin(rules: str):
    assert shape_of(RuleSet.parse(rules)) is None
