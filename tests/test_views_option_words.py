"""The values of options in words."""

from __future__ import annotations

import pytest

from popout.rules import RuleSet
from popout.rules.options import OPTIONS, Option
from popout.views.option_words import in_force, value_words


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_of_every_option_has_words(option: Option):
    words = [str(value_words(option, value)) for value in (option.default, *option.choices)]

    assert all(words)
    if option.choices:
        assert len(set(words)) == len(option.choices), "two values do not read the same"


def test_power_discs_are_called_by_their_names():
    (powers,) = (option for option in OPTIONS if option.name == "powers")

    assert str(value_words(powers, "abx")) == "Anvil, Bomb, x2"


def test_options_in_force_are_those_that_mean_something():
    rules = RuleSet.parse("pop10 target=5")
    found = {option.name: value for option, value in in_force(rules)}

    assert found["target"] == 5
    assert "full-grid" not in found
    assert "supply" not in found
    assert set(found) == {word.partition("=")[0] for word in rules.text.split()[3:]}
