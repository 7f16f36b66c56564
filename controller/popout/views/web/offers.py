"""What a page offers before a game: the games, their options, and the rule card of the game at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from popout.play.menu import POWER_TITLES
from popout.rules import GAMES, Message, PowerDisc, RuleSet
from popout.rules.options import OPTIONS, Option
from popout.rules.ruleset import LARGEST, SHORTEST_LINE, SMALLEST
from popout.views.option_words import value_words
from popout.views.rulecards import RuleCard, rule_card

Say = Callable[[Message], str]


@lru_cache(16)
def offers(rules: RuleSet, say: Say) -> Mapping[str, Any]:
    """The part of the state message that depends on the rules at hand only, so that it is not said anew each time."""
    return {
        "games": _games(say),
        "options": _options(rules, say),
        "limits": {
            "columns": [SMALLEST, LARGEST],
            "rows": [SMALLEST, LARGEST],
            "connect": [SHORTEST_LINE, LARGEST],
        },
        "card": _card(rule_card(rules), say),
    }


def _games(say: Say) -> list[dict[str, Any]]:
    """Every game: what it is made of and its usual line."""
    return [
        {
            "game": name,
            "title": say(kind.title),
            "text": say(kind.text),
            "parts": sorted(kind.parts),
            "connect": kind.usual_connect,
        }
        for name, kind in GAMES.items()
    ]


def _options(rules: RuleSet, say: Say) -> list[dict[str, Any]]:
    """Every option: the question, the answers, and the one in force; what is not in force in this game has its default.

    ``kind`` is ``choice`` with ``choices``, ``set`` with ``choices`` of which any may be chosen together, ``number``
    with its ``least``, or ``flag``. ``parts`` and ``notWith`` say in which games it means something.
    """
    return [
        {
            "name": option.name,
            "question": say(option.question),
            "default": option.write(option.default),
            "value": option.write(getattr(rules, option.attribute)),
            "parts": sorted(option.parts),
            "notWith": option.not_with or None,
            **_answers(option, say),
        }
        for option in OPTIONS
    ]


def _answers(option: Option, say: Say) -> dict[str, Any]:
    if option.name == "powers":
        return {
            "kind": "set",
            "choices": [{"value": disc.value, "text": say(POWER_TITLES[disc])} for disc in PowerDisc],
        }
    if option.choices:
        return {
            "kind": "choice",
            "choices": [{"value": value, "text": say(value_words(option, value))} for value in option.choices],
        }
    return {"kind": "flag"} if isinstance(option.default, bool) else {"kind": "number", "least": option.least}


def _card(rules: RuleCard, say: Say) -> dict[str, Any]:
    return {
        "title": say(rules.title),
        "aim": say(rules.aim),
        "steps": [say(step) for step in rules.steps],
        "powers": [{"disc": disc.value, "text": say(text)} for disc, text in rules.powers],
        "notes": [say(note) for note in rules.notes],
        "parts": [_card(part, say) for part in rules.parts],
    }
