"""Which entry each column of the board offers."""

from __future__ import annotations

import pytest

from popout.play.menu import Menu, rules_of, shown
from popout.rules import GAMES, Game, RuleSet
from stories import game_of


def game(rules: str = "popout 7x6", moves: str = "") -> Game:
    return game_of(rules, moves)


def codes(columns: int, played: Game, page: int = 0, level: str = "main") -> dict[int, str]:
    return {column: entry.code for column, entry in shown(Menu(level, page, 0), played, columns).items()}


def test_a_wide_board_shows_everything_at_once():
    assert codes(12, game(moves="d4")) == {
        1: "continue",
        2: "new",
        3: "games",
        4: "take-back",
        5: "show-last",
        6: "swap",
        7: "lamps",
        8: "draw",
        10: "tell",
        11: "hint",
        12: "opponent",
    }


def test_a_full_grid_that_may_be_claimed_offers_the_claim():
    full = game("popout 2x1 connect=2 full-grid=claim", "d1 d2")
    assert codes(12, full)[9] == "claim"


def test_what_would_do_nothing_leaves_its_column_dark_and_the_others_where_they_are():
    assert codes(12, game()) == {
        **{1: "continue", 2: "new", 3: "games", 6: "swap", 7: "lamps", 10: "tell"},
        **{11: "hint", 12: "opponent"},
    }


def test_a_finished_game_offers_no_draw():
    won = game("popout 7x6 connect=2", "d1 d2 d1")
    assert "draw" not in codes(9, won).values()
    assert codes(9, won)[4] == "take-back"


def test_an_agreed_end_can_be_taken_back_even_before_the_first_move():
    assert codes(9, game().agree_draw())[4] == "take-back"


@pytest.mark.parametrize(("columns", "pages"), [(2, 12), (5, 3), (7, 2)])
def test_a_small_board_turns_pages_and_comes_round(columns: int, pages: int):
    full = game("popout 2x1 connect=2 full-grid=claim", "d1 d2")
    found = [codes(columns, full, page) for page in range(pages)]
    assert all(page.pop(columns) == "more" for page in found)
    assert [code for page in found for code in page.values()] == [
        *(
            "continue",
            "new",
            "games",
            "take-back",
            "show-last",
            "swap",
            "lamps",
            "draw",
            "claim",
            "tell",
            "hint",
            "opponent",
        ),
    ]
    assert codes(columns, full, pages) == codes(columns, full, 0)


def test_a_board_of_one_column_offers_a_new_game():
    assert codes(1, game("popout 1x4 connect=2")) == {1: "new"}


def test_the_games_have_pages_too_and_all_of_them_are_there():
    assert codes(2, game(), level="games") == {1: "game standard", 2: "more"}
    assert codes(12, game(), level="games") == {column: f"game {name}" for column, name in enumerate(GAMES, 1)}


@pytest.mark.parametrize("columns", range(2, 12))
@pytest.mark.parametrize("page", [0, 1, 7, 1000])
def test_no_entry_is_beyond_the_board(columns: int, page: int):
    assert set(codes(columns, game(moves="d4"), page)) <= set(range(1, columns + 1))


def test_every_entry_says_what_it_does():
    full = game("popout 2x1 connect=2 full-grid=claim", "d1 d2")
    assert [str(entry.text) for entry in shown(Menu("main", 0, 0), full, 12).values()] == [
        "Continue",
        "New game",
        "Other rules",
        "Take back",
        "Show the last move",
        "New game, the other side starts",
        "Test the lamps",
        "Agree on a draw",
        "Claim the draw",
        "Something is wrong on the board",
        "Show a good move",
        "The opponent",
    ]


@pytest.mark.parametrize("columns", [2, 7])
def test_after_a_start_it_is_asked_whether_to_go_on(columns: int):
    assert codes(columns, game(moves="d4"), level="resume") == {1: "continue", 2: "new"}


def test_what_was_told_can_be_repaired_taken_as_it_is_or_forgotten():
    assert codes(7, game(), level="telling") == {1: "guide", 2: "set red", 3: "set yellow", 4: "believe"}


def test_a_new_game_has_the_same_rules():
    rules = RuleSet.parse("popout 9x7 connect=5 both-lines=other first=yellow")
    assert rules_of("new", rules) == rules


def test_the_other_side_starts_after_a_swap_and_the_first_one_after_another():
    rules = RuleSet.parse("popout 7x6 repetition=3")
    swapped = rules_of("swap", rules)
    assert swapped == RuleSet.parse("popout 7x6 repetition=3 first=yellow")
    assert rules_of("swap", swapped) == rules


def test_another_game_keeps_size_line_and_what_both_games_know():
    rules = RuleSet.parse("popout 9x7 connect=5 both-lines=other supply=21 move-cap=50 first=yellow")
    assert rules_of("game standard", rules) == RuleSet.parse(
        "standard 9x7 connect=5 supply=21 move-cap=50 first=yellow"
    )
    assert rules_of("game popout", rules) == rules


@pytest.mark.parametrize("code", ["continue", "games", "take-back", "more"])
def test_other_entries_begin_no_game(code: str):
    assert rules_of(code, RuleSet.parse("popout 7x6")) is None
