"""What a page offers before a game: every game, every option, and the card."""

from __future__ import annotations

from popout.rules import GAMES, RuleSet
from popout.rules.options import OPTIONS
from popout.views.web.offers import offers


def test_every_game_is_offered_with_its_parts_and_its_usual_line():
    games = {game["game"]: game for game in offers(RuleSet.parse("popout"), str)["games"]}

    assert list(games) == list(GAMES)
    assert games["standard"]["parts"] == []
    assert (games["five+pop"]["parts"], games["five+pop"]["connect"]) == (["five", "pop"], 5)
    assert games["pop10"]["text"] == str(GAMES["pop10"].text)


def test_every_option_is_offered_with_its_question_and_its_answers():
    options = {option["name"]: option for option in offers(RuleSet.parse("popout full-grid=claim"), str)["options"]}

    assert list(options) == [option.name for option in OPTIONS]
    assert options["full-grid"] == {
        "name": "full-grid",
        "question": "The grid is full without a line, but a pop is possible: what then?",
        "default": "draw",
        "value": "claim",
        "parts": ["pop"],
        "notWith": None,
        "kind": "choice",
        "choices": [
            {"value": "draw", "text": "It is a draw at once"},
            {"value": "claim", "text": "The side to move may claim a draw"},
            {"value": "continue", "text": "The game goes on with pops"},
        ],
    }
    assert (options["target"]["kind"], options["target"]["least"], options["target"]["value"]) == ("number", 1, "10")
    assert (options["wall-first-may-win"]["kind"], options["wall-first-may-win"]["default"]) == ("flag", "yes")
    assert options["powers"]["kind"] == "set"
    assert [choice["text"] for choice in options["powers"]["choices"]] == ["Anvil", "Bomb", "Wall", "x2"]
    assert options["supply"]["notWith"] == "pop10"


def test_the_answers_that_are_sent_make_the_rules_that_were_chosen():
    rules = RuleSet.parse("five+power 9x7 connect=4 flanks=RY powers=bx first=yellow")
    words = [
        f"{option['name']}={option['value']}"
        for option in offers(rules, str)["options"]
        if option["value"] != option["default"]
    ]

    assert RuleSet.parse(f"five+power 9x7 connect=4 {' '.join(words)}") == rules


def test_the_card_is_that_of_the_rules_with_the_cards_of_its_parts():
    card = offers(RuleSet.parse("power+pop powers=ab"), str)["card"]

    assert card["title"] == "Power Up with Pop Out"
    assert [part["title"] for part in card["parts"]] == ["Power Up", "Pop Out"]
    assert [each["disc"] for each in card["parts"][0]["powers"]] == ["a", "b"]
    assert "Red starts." in card["notes"]
