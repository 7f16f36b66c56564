"""What a position has beside its discs, as text: phases, kept discs, power discs, and what is impossible in them."""

from __future__ import annotations

import pytest

from popout.rules import RED, YELLOW, Phase, Position, PowerDisc, RuleSet, SetupError, parse_position, position_text
from popout.rules.beside import Beside, read_beside
from stories import played

POP10 = "pop10 4x2 connect=3 target=2"
POWER = "power 3x3 connect=3"


def read(rules: str, text: str) -> Position:
    return parse_position(text, RuleSet.parse(rules))


@pytest.mark.parametrize(
    ("rules", "moves", "text"),
    [
        ("standard 3x3 connect=3", "d1", "X// O"),
        ("popout 3x3 connect=3 supply=4", "d1 d2 p1", "/O/ O hands=3,3"),
        (POP10, "", "/// X phase=fill kept=0,0"),
        (POP10, "d1 d2 d3", "X/O/X/ O phase=fill kept=0,0"),
        (POP10, "d1 d2 d3 d4 d1 d2 d3 d4", "XX/OO/XX/OO X phase=pop kept=0,0"),
        (POP10, "d1 d2 d3 d4 d1 d2 d3 d4 p3", "XX/OO/X/OO X phase=put kept=0,0 from=3"),
        ("five 2x2 connect=4", "d2", "XO/X//XO O"),
        ("five+pop 2x2 connect=4 flanks=RY", "d2 d3 p2", "XO//O/OX O"),
        (POWER, "", "// X powers=abwx,abwx"),
        (POWER, "d1 a2", "X/O/ X powers=abwx,bwx"),
        (POWER, "d1 b2", "X/O/ O phase=bomb powers=abwx,awx"),
        (POWER, "w1", "X// X phase=wall powers=abx,abwx"),
        (POWER, "d1 x2", "X/O/ O phase=x2 powers=abwx,abw"),
        ("power 3x3 connect=3 powers=a", "a1 a2", "X/O/ X powers=,"),
        ("power+pop 3x3 connect=3 supply=3", "a1 d2 p1", "/O/ O hands=3,2 powers=bwx,abwx"),
        ("five+power+pop 2x2 connect=4", "d2 b3", "XO/X/O/XO O phase=bomb powers=abwx,awx"),
        ("pop10+five 2x1 connect=2 target=5 allow-unwinnable=yes", "d2 d3", "X/X/O/X X phase=pop kept=0,0"),
    ],
)
def test_a_position_of_every_game_in_every_phase_is_written_and_read_back(rules: str, moves: str, text: str) -> None:
    position = played(rules, moves)
    assert position_text(position) == text
    assert read(rules, text) == position


def test_a_kept_disc_is_written_for_red_first_whoever_is_to_move() -> None:
    rules = "pop10 5x1 connect=3 target=3 allow-unwinnable=yes"
    position = read(rules, "X/X/O/O/ O kept=1,0")
    assert (position.kept(RED), position.kept(YELLOW)) == (1, 0)
    assert position_text(position) == "X/X/O/O/ O phase=pop kept=1,0"


def test_power_discs_are_written_for_red_first_whoever_is_to_move() -> None:
    position = read(POWER, "X/O/ O powers=ab,x")
    assert position.powers_left(RED) == {PowerDisc.ANVIL, PowerDisc.BOMB}
    assert position.powers_left(YELLOW) == {PowerDisc.DOUBLE}


def test_words_may_come_in_any_order_and_in_capitals() -> None:
    assert read(POP10, "XX/OO/X/OO X FROM=3 Kept=0,0 phase=PUT").phase is Phase.PUT
    assert read("power 3x3 connect=3 supply=4", "X// O to move powers=AB,x hands=3,4").in_hand(RED) == 3


def test_what_is_not_said_is_as_at_the_beginning() -> None:
    assert read(POWER, "X// O") == played(POWER, "d1")
    assert read(POP10, "X/// O") == played(POP10, "d1")
    assert read(POP10, "XX/OO/XX/OO X").phase is Phase.POP
    assert read(POWER, "X/O/ O phase=bomb") == played(POWER, "d1 b2")
    assert read(POWER, "X// X phase=wall") == played(POWER, "w1")


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("hands=3,4", Beside(hands=(3, 4))),
        ("phase=bomb", Beside(phase=Phase.BOMB)),
        ("kept=10,0", Beside(kept=(10, 0))),
        ("from=7", Beside(source=7)),
        ("powers=,wx", Beside(powers=(frozenset(), frozenset({PowerDisc.WALL, PowerDisc.DOUBLE})))),
    ],
)
def test_a_word_is_read(word: str, value: Beside) -> None:
    assert read_beside([word]) == value


@pytest.mark.parametrize(
    "word",
    ["", "hands", "hands=", "hands=3", "hands=3,4,5", "hands=-1,2", "hands=1234567890,1", "kept=a,b", "phase=dream",
     "from=", "from=x", "from=100", "from=٣", "powers=abc,", "powers=ab", "colour=red", "kept=1,2kept=1,2"],
)  # fmt: skip
def test_a_word_that_says_nothing_is_returned(word: str) -> None:
    assert read_beside(["hands=1,1", word]) == word


def test_a_word_that_comes_twice_is_returned() -> None:
    assert read_beside(["kept=1,1", "kept=1,1"]) == "kept=1,1"


def refusal(rules: str, text: str) -> tuple[str, str]:
    with pytest.raises(SetupError) as caught:
        read(rules, text)
    return caught.value.code, str(caught.value)


NOT_HERE = "not-in-this-game"


@pytest.mark.parametrize(
    ("rules", "text", "code", "sentence"),
    [
        ("popout 3x3 connect=3", "// X phase=pop", NOT_HERE,
         'By these rules a game never waits for "phase=pop". Leave it out.'),
        (POP10, "/// X phase=play", NOT_HERE, 'By these rules a game never waits for "phase=play". Leave it out.'),
        (POWER, "// X phase=fill", NOT_HERE, 'By these rules a game never waits for "phase=fill". Leave it out.'),
        ("power 3x3 connect=3 powers=aw", "// X phase=bomb", NOT_HERE,
         'By these rules a game never waits for "phase=bomb". Leave it out.'),
        ("popout 3x3 connect=3", "// X kept=0,0", NOT_HERE,
         'The game "popout" has nothing called "kept". Leave it out.'),
        (POWER, "// X from=1", NOT_HERE, 'The game "power" has nothing called "from". Leave it out.'),
        ("five 3x3", "XOX////XOX X powers=a,a", NOT_HERE,
         'The game "five" has nothing called "powers". Leave it out.'),
        (POP10, "/// X hands=4,4", NOT_HERE, 'The game "pop10" has nothing called "hands". Leave it out.'),
        (POP10, "XX/OO/X/OO X phase=put", NOT_HERE,
         '"phase=put" and the column "from=4" that the disc came out of belong together. Write both.'),
        (POP10, "XX/OO/XX/OO X from=3", NOT_HERE,
         '"phase=put" and the column "from=4" that the disc came out of belong together. Write both.'),
        (POP10, "XX/OO/X/OO X phase=put from=9", NOT_HERE, "No disc can come out of column 9."),
        ("pop10+five 2x2 connect=3 allow-unwinnable=yes", "XO/XO/X/XO X phase=put from=1", NOT_HERE,
         "No disc can come out of column 1."),
        ("power 3x3 connect=3 powers=aw", "// X powers=ab,w", NOT_HERE,
         "A side has a power disc that is not in this game. There are: aw."),
        (POWER, "X/O/ O phase=bomb powers=a,ab", "power-disc-at-work",
         'With "phase=bomb" the side to move has just played a power disc. '
         'Leave "b" out of the power discs that it has left.'),
    ],
)  # fmt: skip
def test_what_a_game_does_not_have_is_refused(rules: str, text: str, code: str, sentence: str) -> None:
    assert refusal(rules, text) == (code, sentence)


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("XX/O// O", "set-up", "There are discs above row 1, which is not full: Pop 10 fills row by row."),
        ("XX/O/X/O X", "wrong-side-to-move",
         "Discs on the grid: red 3, yellow 2. So it is yellow's turn, not red's. "
         "Let yellow move, or correct the discs."),
        ("X/X// O", "too-many-discs",
         "Discs on the grid: red 2, yellow 0. Red began and they fill the grid in turn, "
         "so red must have as many as yellow, or one more."),
        ("X/// X", "wrong-side-to-move",
         "Discs on the grid: red 1, yellow 0. So it is yellow's turn, not red's. "
         "Let yellow move, or correct the discs."),
        ("X/O// O", "wrong-side-to-move",
         "Discs on the grid: red 1, yellow 1. So it is red's turn, not yellow's. Let red move, or correct the discs."),
        ("XX/OO/XX/OO X phase=fill", "set-up", "The grid is full, so a disc is popped now: write phase=pop."),
        ("X/O// X phase=fill kept=1,0", "discs-missing",
         "No disc is kept while the grid is filled. Leave kept out, or write phase=pop."),
        ("XX/OO/XX/OO X kept=1,0", "discs-missing",
         "Cells that are free: 0. Discs that are out of the grid, kept or to be put back: 1. "
         "The two numbers must be the same."),
        ("XX/OO/X/O X kept=0,1", "discs-missing",
         "Cells that are free: 2. Discs that are out of the grid, kept or to be put back: 1. "
         "The two numbers must be the same."),
        ("XX/OO/XX/O X phase=put from=1", "discs-missing",
         "Column 1 is full, so the disc to be put back cannot have come from it."),
        ("XX/OO/X/O X kept=2,0", "already-decided", "Red has kept 2 discs already, so this game is over."),
        ("XX/OO/X/O X kept=0,2", "already-decided", "Yellow has kept 2 discs already, so this game is over."),
        ("XX/XO/XO/XO O", "cannot-move", "Yellow cannot move in this position. Give the turn to red."),
    ],
)  # fmt: skip
def test_what_cannot_arise_in_pop_10_is_refused(text: str, code: str, sentence: str) -> None:
    assert refusal(POP10, text) == (code, sentence)


def test_discs_high_above_the_row_being_filled_are_noticed_also_if_their_number_would_do() -> None:
    rules = "pop10 3x3 connect=3 target=2"
    assert refusal(rules, "XXO/O/X O")[0] == "set-up"
    assert read(rules, "XX/O/O X").phase is Phase.FILL


def test_with_yellow_first_the_sentences_say_so() -> None:
    assert refusal(f"{POP10} first=yellow", "X/// O")[1] == (
        "Discs on the grid: red 1, yellow 0. Yellow began and they fill the grid in turn, "
        "so yellow must have as many as red, or one more."
    )


def test_one_disc_that_is_enough_is_called_one_disc() -> None:
    rules = "pop10 4x2 connect=3 target=1"
    assert refusal(rules, "XX/OO/XX/O X kept=1,0")[1] == "Red has kept one disc already, so this game is over."
    assert refusal(rules, "XX/OO/XX/O X kept=0,1")[1] == "Yellow has kept one disc already, so this game is over."


@pytest.mark.parametrize(
    ("rules", "text", "code", "sentence"),
    [
        (POWER, "X/X/X O", "already-decided",
         "Red has 3 in a row already, from column 1, row 1 to column 3, row 1, so this game is over. "
         "Take one of these discs out of the position."),
        ("power 3x2 connect=3", "XO/OX/XO X", "already-decided",
         "The grid is full, so this game is over. Take a disc out of the position, or begin a new game."),
        (POWER, "X// X phase=bomb", "cannot-move",
         'Nothing can follow the power disc in this position, so the turn is over. Leave "phase" out.'),
        ("power 3x3 connect=3 supply=2", "XX/X/ O", "too-many-discs",
         "Red has 3 discs on the grid, more than the power discs that it has played and 2 others (rule supply=2). "
         "Take some out."),
        ("power 3x3 connect=3 supply=2", "OO/O/ X", "too-many-discs",
         "Yellow has 3 discs on the grid, more than the power discs that it has played and 2 others (rule supply=2). "
         "Take some out."),
        ("power 3x3 connect=3 supply=2", "X// O hands=2,2", "discs-in-hand",
         "Red cannot have 2 in hand and 1 on the grid: there are 2 in all beside the power discs (rule supply=2)."),
        ("power 3x3 connect=3 supply=2", "X// O hands=1,9", "discs-in-hand",
         "Yellow cannot have 9 in hand and 0 on the grid: there are 2 in all beside the power discs (rule supply=2)."),
        ("power 3x3 connect=3 supply=2", "X// O hands=1,1", "discs-in-hand",
         "Yellow cannot have 1 in hand and 0 on the grid: there are 2 in all beside the power discs (rule supply=2)."),
    ],
)  # fmt: skip
def test_what_cannot_arise_in_power_up_is_refused(rules: str, text: str, code: str, sentence: str) -> None:
    assert refusal(rules, text) == (code, sentence)


def test_discs_in_hand_may_be_fewer_where_power_discs_took_some_out() -> None:
    rules = "power 3x3 connect=3 supply=2"
    assert read(rules, "X// O hands=1,1 powers=bwx,abwx").in_hand(YELLOW) == 1
    assert read(rules, "X// O powers=bwx,abwx").in_hand(RED) == 2


def test_a_bomb_that_has_landed_may_have_made_a_line_that_is_not_judged_yet() -> None:
    assert read(POWER, "OX/OX/XX X phase=bomb").lines(RED)
    assert refusal(f"{POWER} judge=also-landing", "OX/OX/XX X phase=bomb")[0] == "already-decided"
    assert refusal(POWER, "OX/OX/XX O phase=bomb")[0] == "already-decided"


def test_a_bomb_may_have_landed_in_the_last_free_cell() -> None:
    assert read("power 3x2 connect=3", "XO/OX/OX X phase=bomb").is_full
