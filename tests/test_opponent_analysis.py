"""What the moves of a position are worth: true where it is said to be proved, and marked as a guess where it is not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from time import monotonic

import pytest

from popout.opponent.analysis import MEMORY, Analyst, analyse, analyse_game, best_of
from popout.opponent.errors import NotEnoughMemory
from popout.opponent.general.exact import Graph
from popout.opponent.verdicts import DRAWN, Analysis, Verdict, Worth, before, lost_in, unknown, won_in
from popout.rules import Drop, Game, Move, Pop, Position, RuleSet, parse_move, parse_position


def never() -> bool:
    return False


def on(rules: str, text: str) -> Position:
    return parse_position(text, RuleSet.parse(rules))


def last_of(position: Position, seconds: float | None = None) -> Analysis:
    *_, last = analyse(position, seconds=seconds, stop=never)
    return last


def after_so_many(count: int, position: Position) -> list[Analysis]:
    """The first answers of an analysis that is stopped then."""
    return list(itertools.islice(analyse(position, seconds=None, stop=never), count))


@pytest.mark.parametrize(
    "rules",
    ["popout 3x3 connect=3", "standard 4x3 connect=3", "pop10 4x2 connect=3 target=2", "power 3x2 connect=3 powers=ab"],
)
def test_small_games_are_proved_to_the_end(rules: str):
    chance = random.Random(rules)
    start = Position.start(RuleSet.parse(rules))
    graph = Graph(start, 200_000)
    position = start
    while position.ended is None:
        last = last_of(position)
        assert last.final
        truth = graph.verdict(position)
        assert truth is not None
        assert (last.best.worth, last.best.plies) == (truth.worth, truth.plies)
        for move, verdict in last.moves.items():
            after = position.play(move)
            after_it = graph.verdict(after)
            assert after_it is not None
            mid_turn = after.ended is None and after.phase.follows and after.phase is not position.phase
            same_turn = mid_turn and not rules.startswith("pop10")
            value = before(after_it, same_side=after.turn is position.turn, same_turn=same_turn)
            assert (verdict.worth, verdict.plies) == (value.worth, value.plies)
        position = position.play(chance.choice(position.legal_moves))


@pytest.mark.parametrize("rules", ["popout 7x6", "pop10 7x6", "power+pop 7x6", "popout 32x32", "five 9x9 supply=5"])
def test_the_first_answer_is_a_guess_about_every_move_and_does_not_pretend_to_be_more(rules: str):
    position = Position.start(RuleSet.parse(rules))
    (first,) = after_so_many(1, position)

    assert first.moves.keys() == set(position.legal_moves)
    assert not first.final
    assert all(verdict == unknown()._replace(estimate=verdict.estimate) for verdict in first.moves.values())
    assert first.best.worth is Worth.UNKNOWN


def test_answers_get_better_and_never_worse():
    position = on("popout 7x6", "OX/X/OX/XOXO/O/X/ O")
    answers = after_so_many(7, position)

    for one, next_one in itertools.pairwise(answers):
        assert one.positions <= next_one.positions
        assert one.moves != next_one.moves
        for move, verdict in one.moves.items():
            if verdict.worth is Worth.UNKNOWN:
                assert (
                    next_one.moves[move].searched >= verdict.searched or next_one.moves[move].worth is not verdict.worth
                )
            else:
                assert next_one.moves[move] == verdict


def test_a_win_that_is_near_is_proved():
    position = on(
        "popout 7x6",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O O . . .
        . . X X . . .
        X to move
        """,
    )
    # Three in a row that is open at both ends cannot be blocked.
    answer = next(each for each in analyse(position, seconds=60, stop=never) if each.best.worth is Worth.WIN)

    assert answer.best == won_in(3)
    assert {move for move, verdict in answer.moves.items() if verdict == won_in(3)} == {Drop(2), Drop(5)}


def test_only_what_blocks_is_no_loss():
    position = on("popout 7x6", "OOO/X//X//X/ X")
    answer = next(each for each in analyse(position, seconds=60, stop=never) if each.best.searched > 2)

    assert answer.best.worth is Worth.UNKNOWN
    assert {move for move, verdict in answer.moves.items() if verdict != lost_in(2)} == {Drop(1)}


def test_it_ends_when_the_time_is_over():
    began = monotonic()
    answer = last_of(Position.start(RuleSet.parse("popout 9x9")), seconds=0.2)

    assert not answer.final
    assert monotonic() - began < 30  # that it ends at all; how soon depends on the machine


def test_it_ends_when_it_is_told_to_stop():
    answers = []
    for answer in analyse(Position.start(RuleSet.parse("popout 7x6")), seconds=None, stop=lambda: len(answers) >= 4):
        answers.append(answer)

    assert len(answers) == 4


def test_a_game_that_is_over_has_no_moves_to_analyse():
    position = Position.start(RuleSet.parse("popout 7x6"))
    for move in "d1 d2 d1 d2 d1 d2 d1".split():
        position = position.play(parse_move(move))

    assert list(analyse(position, seconds=None, stop=never)) == [
        Analysis({}, Verdict(Worth.LOSS, 0, -1.0), 0, final=True)
    ]


def test_too_little_memory_is_one_sentence():
    with pytest.raises(NotEnoughMemory) as raised:
        Analyst(RuleSet.parse("popout 7x6"), memory=1000)
    assert "MiB of memory are too little" in str(raised.value)


class OnePosition:
    """A book that knows one position."""

    def __init__(self, position: Position, verdicts: Mapping[Move, Verdict]) -> None:
        self._known = {position: verdicts}

    def verdicts(self, position: Position) -> Mapping[Move, Verdict] | None:
        return self._known.get(position)


def test_what_the_book_knows_is_not_searched():
    start = Position.start(RuleSet.parse("standard 7x6"))
    known = {move: won_in(41) if move == Drop(4) else DRAWN for move in start.legal_moves}
    answers = list(analyse(start, seconds=None, stop=never, book=OnePosition(start, known)))

    assert answers == [Analysis(known, won_in(41), 0, final=True)]


def test_the_book_may_know_only_some_moves():
    start = Position.start(RuleSet.parse("standard 7x6"))
    book = OnePosition(start, {Drop(4): won_in(41)})
    first = next(analyse(start, seconds=None, stop=never, book=book))

    assert first.moves[Drop(4)] == won_in(41)
    assert first.moves[Drop(1)].worth is Worth.UNKNOWN
    assert not first.final


# What a position is worth by its moves


def test_an_open_move_may_be_better_than_a_draw():
    guess = unknown(8)._replace(estimate=-0.3)

    assert best_of({Drop(1): DRAWN, Drop(2): guess, Drop(3): lost_in(4)}) == unknown(8)._replace(estimate=0.0)
    assert best_of({Drop(1): DRAWN, Drop(3): lost_in(4)}) == DRAWN
    assert best_of({Drop(1): lost_in(2), Drop(3): lost_in(4)}) == lost_in(4)
    assert best_of({Drop(1): won_in(7), Drop(2): guess, Drop(3): won_in(5)}) == won_in(5)


# Games


def test_a_game_says_where_it_went_wrong():
    game, problem = Game.start(RuleSet.parse("popout 3x3 connect=3")).play_all(
        map(parse_move, "d2 d2 d1 d3 d1 d3 d1".split())
    )
    assert problem is None
    truth = Graph(game.positions[0], 10_000).verdict(game.positions[0])
    judged = {each.ply: each for each in analyse_game(game, seconds=None, stop=never)}

    assert list(judged) == [7, 6, 5, 4, 3, 2, 1]
    assert truth is not None
    assert judged[1].best == truth
    assert judged[7].made == won_in(1)
    assert not judged[7].is_mistake
    assert judged[7].better == ()
    for each in judged.values():
        assert each.is_mistake == (each.made.worth is not each.best.worth)
        assert (each.better == ()) == (each.made == each.best)


def test_what_is_known_of_the_end_helps_with_what_led_there():
    """With no time at all for the moves before, a move that leads to what is known is known itself."""
    game = Game.from_position(on("popout 7x6", "X/X/O/O/// X"))
    game, problem = game.play_all([Drop(7), Drop(3), Drop(7), Drop(5), Drop(7), Drop(6)])
    assert problem is None
    judged = {each.ply: each for each in analyse_game(game, seconds=0, stop=never)}

    assert judged[6].made.worth is Worth.WIN
    assert judged[6].made.plies == 1
    assert judged[5].made == lost_in(2)
    assert judged[5].best.worth is Worth.UNKNOWN


def test_what_seems_a_mistake_is_told_apart_from_what_is_one():
    game = Game.from_position(on("popout 7x6", "//XX/OO/// X"))
    game, problem = game.play_all([Pop(3)])
    assert problem is None
    (judged,) = analyse_game(game, seconds=0, stop=never)

    assert judged.made.worth is Worth.UNKNOWN
    assert not judged.is_mistake
    assert judged.seems_a_mistake == (judged.best.estimate - judged.made.estimate >= 0.35)


def test_the_usual_memory_is_enough_for_the_largest_tables():
    assert Analyst(RuleSet.parse("popout 4x4")).positions == 0
    assert MEMORY <= 64 << 20
