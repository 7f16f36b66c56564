"""`popout rules`: how a game is played, by the rules that are chosen."""

from __future__ import annotations

from collections.abc import Iterator

import click

from popout.commands.console import Console, language_option
from popout.rules import GAMES, Message, RuleSet
from popout.views.drawing import wrap
from popout.views.option_words import in_force, value_words
from popout.views.rulecards import NOTES_TITLE, POWERS_TITLE, STEPS_TITLE, RuleCard, rule_card


@click.command(short_help="Tell the rules of a game.")
@click.argument("rules", metavar="[GAME [SIZE] [OPTION]...]", nargs=-1)
@language_option
def rules(rules: tuple[str, ...]) -> None:
    """Tell the rules of a game, and the options in force.

    GAME is a game or a combination, with a size and options if they are not the usual ones:

    \b
        popout rules pop10
        popout rules five+pop 9x7 connect=5 both-lines=draw

    Without a GAME the games are listed.
    """
    console = Console()
    if not rules:
        _list_games(console)
        return
    chosen = RuleSet.parse(" ".join(rules))
    _print_card(console, rule_card(chosen))
    _heading(console, Message("Options in force"))
    console.write(f"  {chosen.text}")
    for option, value in in_force(chosen):
        _item(console, Message("{question} {answer}.", question=option.question, answer=value_words(option, value)))


def _list_games(console: Console) -> None:
    width = max(map(len, GAMES)) + 2
    for name, kind in GAMES.items():
        line = Message("{title}: {text}", title=kind.title, text=kind.text)
        console.write(f"{name:<{width}}{console.catalogue.text(line)}")
    console.say(Message('For the rules of one of them write for example "{command}".', command="popout rules pop10"))


def _print_card(console: Console, card: RuleCard) -> None:
    console.write(console.catalogue.text(card.title))
    console.say(card.aim)
    if card.steps:
        _heading(console, STEPS_TITLE)
        _print_steps(console, card)
    for part in card.parts:
        _heading(console, part.title)
        _item(console, part.aim)
        _print_steps(console, part)
    _heading(console, NOTES_TITLE)
    for note in card.notes:
        _item(console, note)


def _print_steps(console: Console, card: RuleCard) -> None:
    for step in card.steps:
        _item(console, step)
    if card.powers:
        _heading(console, POWERS_TITLE)
    for _, text in card.powers:
        _item(console, text)


def _heading(console: Console, title: Message) -> None:
    console.write("", console.catalogue.text(title))


def _item(console: Console, text: Message) -> None:
    for line in _indented(console, text):
        console.write(line)


def _indented(console: Console, text: Message) -> Iterator[str]:
    first, *others = wrap(console.catalogue.text(text), console.style) or [""]
    yield f"- {first}"
    for line in others:
        yield f"  {line}"
