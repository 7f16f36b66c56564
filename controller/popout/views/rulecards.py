"""The rule card of a game: what somebody who has never seen it needs to know, true to the options in force.

Source: the rule text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from popout.rules import RED, Message, PowerDisc, RuleSet
from popout.rules.games import FLANKS, GAMES, KEEPS, POPS, POWERS
from popout.rules.messages import N_

STEPS_TITLE = Message("How to play")
POWERS_TITLE = Message("Power discs")
NOTES_TITLE = Message("Good to know")


@dataclass(frozen=True, slots=True)
class RuleCard:
    """A rule card, every sentence with its numbers filled in.

    :ivar title: the game's name. :ivar aim: how it is won; on the card of a part, what that part adds.
    :ivar steps: what is done in a turn, in the order of playing.
    :ivar powers: what each power disc of the game does.
    :ivar notes: how else it ends, and what the options decide.
    :ivar parts: the cards of the games that a combination is made of; no notes are on them.
    """

    title: Message
    aim: Message
    steps: tuple[Message, ...]
    powers: tuple[tuple[PowerDisc, Message], ...] = ()
    notes: tuple[Message, ...] = ()
    parts: tuple[RuleCard, ...] = ()


def rule_card(rules: RuleSet) -> RuleCard:
    """The card of a game, or of a combination with the cards of its parts."""
    parts = tuple(_part(part, rules) for part in (KEEPS, FLANKS, POWERS, POPS) if part in rules.kind.parts)
    first, notes = () if rules.keeps else (_DROP,), tuple(_notes(rules))
    aim = _pop10_aim(rules) if rules.keeps else Message(_AIM, connect=rules.connect)
    if len(parts) != 1:
        return RuleCard(rules.title, aim, first, notes=notes, parts=parts)
    (part,) = parts
    return RuleCard(rules.title, aim, (*first, part.aim, *part.steps), part.powers, notes)


def power_text(disc: PowerDisc, rules: RuleSet) -> Message:
    """What a power disc does."""
    if disc is PowerDisc.WALL and not rules.wall_first_may_win:
        return _WALL_MAY_NOT_WIN
    return _POWERS[disc]


def _part(part: str, rules: RuleSet) -> RuleCard:
    match part:
        case "pop":
            return RuleCard(GAMES["popout"].title, _POP_AIM, _POP_STEPS)
        case "five":
            return RuleCard(GAMES["five"].title, _FIVE_AIM, (_FLANKS[rules.flanks], _FLANKS_STAY, _columns(rules)))
        case "power":
            powers = tuple((disc, power_text(disc, rules)) for disc in PowerDisc if disc in rules.power_discs)
            return RuleCard(GAMES["power"].title, _POWER_AIM, _POWER_STEPS, powers)
        case _:
            fill, *steps = _pop10_steps(rules)
            return RuleCard(GAMES["pop10"].title, fill, tuple(steps))


def _columns(rules: RuleSet) -> Message:
    return Message(
        "You play in column {first}.",
        plural="You play in columns {first} to {last}.",
        count=rules.columns,
        first=rules.first_column,
        last=rules.first_column + rules.columns - 1,
    )


def _pop10_aim(rules: RuleSet) -> Message:
    return Message(
        "Be the first to keep {count} disc, popped out of a line of {connect} discs of your own.",
        plural="Be the first to keep {count} discs, each popped out of a line of {connect} discs of your own.",
        count=rules.target,
        connect=rules.connect,
    )


def _pop10_steps(rules: RuleSet) -> Iterator[Message]:
    yield Message("First the grid is filled, row by row from the bottom: in turn, drop a disc into the row at hand.")
    yield Message("Lines made while filling count for nothing.")
    yield _FIRST_POPPER[rules.first_popper]
    yield Message("Now pop in turn: let one of your own discs out of the bottom row. All above it comes down one row.")
    yield Message(
        "If the disc was part of a line of {connect} when you popped it, keep it and pop again.", connect=rules.connect
    )
    yield Message(
        "If not, put it back into the top of any column but the one that it came from. Then the other side pops."
    )


def _notes(rules: RuleSet) -> Iterator[Message]:
    yield Message("Red starts.") if rules.starter is RED else Message("Yellow starts.")
    if rules.keeps:
        yield from _pop10_notes(rules)
    else:
        yield from _drop_notes(rules)
    if rules.supply:
        one, many = _SUPPLY_POPPED if rules.pops else _SUPPLY
        yield Message(one, plural=many, count=rules.supply)
    if rules.turn_may_pass:
        yield Message("A side that cannot move is passed over. If neither side can move, it is a draw.")
    if rules.repetition:
        yield Message("If the same position stands {count} times, it is a draw.", count=rules.repetition)
    if rules.move_cap:
        yield Message(
            "After {count} move it is a draw.", plural="After {count} moves it is a draw.", count=rules.move_cap
        )
    yield Message("Both sides may agree a draw at any time.")


def _drop_notes(rules: RuleSet) -> Iterator[Message]:
    powers = rules.power_discs
    if rules.pops or powers & {PowerDisc.ANVIL, PowerDisc.BOMB}:
        yield _BOTH_LINES[rules.both_lines]
    yield _FULL_GRID[rules.full_grid]
    if rules.pops:
        yield _EMPTY_GRID[rules.empty_grid]
    if powers & {PowerDisc.ANVIL, PowerDisc.BOMB}:
        yield _JUDGE[rules.judge]
    if PowerDisc.BOMB in powers:
        yield Message("A bomb can be played only if the other side has a disc in the bottom row.")
    if powers & {PowerDisc.WALL, PowerDisc.DOUBLE}:
        yield Message("A second disc is an ordinary disc that is dropped.")
        yield Message("If a wall or an x2 itself makes a line or fills the grid, there is no second disc.")
    if powers and rules.pops:
        yield Message("A power disc that is popped does nothing any more.")


def _pop10_notes(rules: RuleSet) -> Iterator[Message]:
    yield Message("You choose which of your discs to pop; you need not take a line.")
    yield Message("A disc that was part of several lines is still one disc.")
    yield _STUCK[rules.pop10_stuck]
    yield Message("If no other column has room, a disc may go back into the column that it came from.")


_AIM = N_("Be the first to get {connect} of your own discs in a straight line: across, upright or diagonal.")
_DROP = Message("In your turn, drop one of your discs into a column. It falls to the lowest free place.")

_POP_AIM = Message("Instead of dropping a disc, you may pop one.")
_POP_STEPS = (
    Message("To pop, let one of your own discs out at the bottom of a column. It leaves the game."),
    Message("Everything above it comes down one row. That can make or break lines, yours and theirs."),
)

_FIVE_AIM = Message("The two outer columns are full of discs before the game begins.")
_FLANKS = {
    "RR": Message("Their discs are red and yellow in turn, with red at the bottom of both columns."),
    "YY": Message("Their discs are red and yellow in turn, with yellow at the bottom of both columns."),
    "RY": Message(
        "Their discs are red and yellow in turn, with red at the bottom left and yellow at the bottom right."
    ),
    "YR": Message(
        "Their discs are red and yellow in turn, with yellow at the bottom left and red at the bottom right."
    ),
}
_FLANKS_STAY = Message("They count in lines like all other discs, but they stay where they are.")

_POWER_AIM = Message("Each side has power discs. Each of them is played once, in place of an ordinary disc.")
_POWER_STEPS = (
    Message("To play one, choose it and drop it into a column. Its power works at once and must be used."),
    Message("A power disc counts in your lines like any other disc of yours."),
)
_POWERS = {
    PowerDisc.ANVIL: Message("Anvil: all discs under it leave the game, and it falls to the bottom of its column."),
    PowerDisc.BOMB: Message("Bomb: in the same turn, pop one of the other side's discs out of the bottom row."),
    PowerDisc.WALL: Message("Wall: drop a second disc in the same turn. The second disc may not make a line."),
    PowerDisc.DOUBLE: Message("x2: drop a second disc in the same turn."),
}
_WALL_MAY_NOT_WIN = Message(
    "Wall: drop a second disc in the same turn. Neither the wall nor the second disc may make a line."
)

_FIRST_POPPER = {
    "next": Message("When the grid is full, the turns go on as before, and discs are popped."),
    "red": Message("When the grid is full, red pops first."),
    "yellow": Message("When the grid is full, yellow pops first."),
}
_STUCK = {
    "end": Message("If you kept a disc and have none left in the bottom row, your turn ends."),
    "put-back": Message("If you would keep a disc but have none left in the bottom row, put it back instead."),
}
_BOTH_LINES = {
    "mover": Message(
        "If your move makes lines for both sides at once, you win. If it makes one only for the other side, they win."
    ),
    "draw": Message(
        "If a move makes lines for both sides at once, it is a draw. If it makes one only for the other side, they win."
    ),
    "other": Message("If your move makes a line for the other side, they win, even if it makes one for you as well."),
}
_FULL_GRID = {
    "draw": Message("If the grid is full and nobody has a line, it is a draw."),
    "claim": Message("If the grid is full and nobody has a line, the side to move may claim a draw, or pop."),
    "continue": Message("If the grid is full and nobody has a line, the game goes on with pops."),
}
_EMPTY_GRID = {
    "draw": Message("If pops empty the grid, it is a draw."),
    "continue": Message("If pops empty the grid, the game goes on."),
}
_JUDGE = {
    "after": Message("A line of an anvil or a bomb counts only after its power has worked."),
    "also-landing": Message("A line of an anvil or a bomb also counts where it lands, before its power works."),
}
_SUPPLY = N_(("Each side has {count} disc.", "Each side has {count} discs."))
_SUPPLY_POPPED = N_(
    (
        "Each side has {count} disc. A popped disc does not come back.",
        "Each side has {count} discs. A popped disc does not come back.",
    )
)
