"""What the referee says besides its judgements: what is played, what may be written, what can be done."""

from __future__ import annotations

from popout.rules import GAMES, RED, YELLOW, Claim, Drop, Game, Message, Phase, Pop, Power, PowerDisc, RuleSet
from popout.rules.messages import N_
from popout.rules.options import OPTIONS
from popout.views import words

MOVES_ON_A_LINE = 10


def greeting(game: Game) -> Message:
    """What is played, and what is so now."""
    rules = game.rules
    return Message(
        "{title} on {columns} columns by {rows} rows, {connect} in a row. {now}",
        title=rules.title,
        columns=rules.columns,
        rows=rules.rows,
        connect=rules.connect,
        now=words.status(game),
    )


def how_to_write(rules: RuleSet) -> Message:
    """How moves are written in this game."""
    if rules.power_discs:
        return Message(
            "Write d4 to drop in column 4, a4, b4, w4 or x4 for the anvil, bomb, wall or x2, p4 to pop; "
            '"help" shows the commands.'
        )
    if rules.kind.pops:
        return Message('Write d4 to drop in column 4, p4 to pop it, "help" for the commands.')
    return Message('Write d4, or only 4, to drop in column 4; "help" shows the commands.')


def rules_line(rules: RuleSet) -> Message:
    """The rule set as a record writes it."""
    return Message("Rules: {rules}", rules=rules.text)


def possible(game: Game) -> tuple[Message, ...]:
    """What the side to move can do."""
    legal, side = game.legal_moves, game.position.turn
    said = []
    if drops := [str(move.column) for move in legal if isinstance(move, Drop)]:
        said.append(Message(_MAY_DROP[side], columns=", ".join(drops)))
    for disc, texts in _MAY_PLAY.items():
        if powers := [str(move.column) for move in legal if isinstance(move, Power) and move.disc is disc]:
            said.append(Message(texts[side], columns=", ".join(powers)))
    if pops := [str(move.column) for move in legal if isinstance(move, Pop)]:
        texts = _MAY_BOMB if game.position.phase is Phase.BOMB else _MAY_POP
        said.append(Message(texts[side], columns=", ".join(pops)))
    if Claim() in legal:
        said.append(_MAY_CLAIM[side])
    return tuple(said)


def moves(game: Game) -> tuple[Message, ...]:
    """The moves with their numbers, as they can be typed again, and what is so now."""
    if not game.moves:
        return (Message("No move has been made. {now}", now=words.status(game)),)
    numbered = [f"{ply}. {move}" for ply, move in enumerate(game.moves, 1)]
    return (
        *(
            Message("{moves}", moves="  ".join(numbered[at : at + MOVES_ON_A_LINE]))
            for at in range(0, len(numbered), MOVES_ON_A_LINE)
        ),
        words.status(game),
    )


def rules(rule_set: RuleSet) -> tuple[Message, ...]:
    """What is played, and how each option is set."""
    options = [option for option in OPTIONS if option.means_something(rule_set.kind.parts)]
    return (
        Message(
            "{title} on {columns} columns by {rows} rows, {connect} in a row.",
            title=rule_set.title,
            columns=rule_set.columns,
            rows=rule_set.rows,
            connect=rule_set.connect,
        ),
        GAMES[rule_set.game].text,
        *(
            Message(
                "{question} {name}={value}",
                question=option.question,
                name=option.name,
                value=option.write(getattr(rule_set, option.attribute)),
            )
            for option in options
        ),
    )


def commands(rules: RuleSet) -> tuple[Message, ...]:
    """What may be written."""
    if rules.full_grid == "claim":
        return (how_to_write(rules), Message('On a full grid, "claim" claims the draw.'), *_HELP)
    return (how_to_write(rules), *_HELP)


A_RECORD = Message(
    "This looks like a line of a record. To judge a record, run popout check FILE; "
    "to go on from one, popout referee --from FILE."
)
_HELP = (
    Message("Several moves may stand on a line. Other words:"),
    Message("  undo [n]         take back the last move, or the last n"),
    Message("  board            draw the board"),
    Message("  moves            list the moves"),
    Message("  why              explain the last refusal, or how the game ended"),
    Message("  rules            say what is played, with every option"),
    Message("  draw             the players agree a draw"),
    Message("  resign [side]    the side to move gives up, or the side named (red, yellow)"),
    Message("  save FILE        write the record to a file; save! FILE replaces a file"),
    Message("  new [rules]      begin a new game, for example: new popout 9x7 connect=5"),
    Message("  quit             leave"),
)
_MAY_DROP = N_({RED: "Red may drop in: {columns}.", YELLOW: "Yellow may drop in: {columns}."})
_MAY_PLAY = N_(
    {
        PowerDisc.ANVIL: {
            RED: "Red may drop the anvil in: {columns}.",
            YELLOW: "Yellow may drop the anvil in: {columns}.",
        },
        PowerDisc.BOMB: {
            RED: "Red may drop the bomb in: {columns}.",
            YELLOW: "Yellow may drop the bomb in: {columns}.",
        },
        PowerDisc.WALL: {
            RED: "Red may drop the wall in: {columns}.",
            YELLOW: "Yellow may drop the wall in: {columns}.",
        },
        PowerDisc.DOUBLE: {RED: "Red may drop the x2 in: {columns}.", YELLOW: "Yellow may drop the x2 in: {columns}."},
    }
)
_MAY_BOMB = N_({RED: "Red's bomb may take: {columns}.", YELLOW: "Yellow's bomb may take: {columns}."})
_MAY_POP = N_({RED: "Red may pop: {columns}.", YELLOW: "Yellow may pop: {columns}."})
_MAY_CLAIM = {RED: Message("Red may claim the draw."), YELLOW: Message("Yellow may claim the draw.")}
