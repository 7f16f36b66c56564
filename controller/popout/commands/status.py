"""`popout status`: which boards run on this machine, and how they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import click
import msgspec

from popout.commands.console import Console, language_option
from popout.rules import Message
from popout.rules.messages import N_
from popout.service.status import PartStatus, Status, running

WELL, IN_TROUBLE, NONE_RUNS = 0, 1, 3


@click.command(short_help="Say how the running board is.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@language_option
def status(as_json: bool) -> None:
    """Say which boards run on this machine, and how they are.

    Exit code: 0 if all that run are well, 1 if one is in trouble, 3 if none runs.

    With --json the object has "ok" (whether the exit code is 0), "exit" and "boards", a list of objects. Each has
    "ok", "pid", "version", "since", "ready" (the board has answered), "board", "remarks" (sentences about the board,
    such as why its lamps stay dark), "game" (the rules), "moves", "turn",
    "now" (whose turn it is, or how the game ended), "notice" and "trouble" ("code", "text" and "at"), "record",
    "pages" (addresses) and "parts" ("name", "state": running, waiting for its next start, or ended; "restarts",
    "error" and "failedAt"). Times are seconds since 1970; what does not apply is null.
    """
    console = Console()
    found = running()
    code = NONE_RUNS if not found else WELL if all(each.well for each in found) else IN_TROUBLE
    if as_json:
        boards = [{"ok": each.well, **msgspec.to_builtins(each)} for each in found]
        console.write(msgspec.json.encode({"ok": code == WELL, "exit": code, "boards": boards}).decode())
    elif not found:
        console.say(Message("No board runs on this machine. To play, type: {command}", command="popout play"))
    for each in () if as_json else found:
        console.say(*_sentences(each))
    raise click.exceptions.Exit(code)


def _sentences(board: Status) -> Iterator[Message]:
    yield Message(
        "Played since {when} on {board} (process {pid}).", when=_when(board.since), board=board.board, pid=board.pid
    )
    yield Message(
        "The game is “{rules}”, with {count} move. {now}",
        plural="The game is “{rules}”, with {count} moves. {now}",
        count=board.moves,
        rules=board.game,
        now=board.now,
    )
    for remark in board.remarks:
        yield Message("About the board: {what}", what=remark)
    if not board.ready:
        yield Message("The board has not answered yet.")
    if board.trouble:
        yield Message("Trouble since {when}: {what}", when=_when(board.trouble.at), what=board.trouble.text)
    if board.notice and (board.trouble is None or board.notice.text != board.trouble.text):
        yield Message("Said last, at {when}: {what}", when=_when(board.notice.at), what=board.notice.text)
    for page in board.pages:
        yield Message("The page is at {address}", address=page)
    if board.record is not None:
        yield Message("The games are recorded in {file}", file=board.record)
    for part in board.parts:
        yield _part(part)


def _part(part: PartStatus) -> Message:
    state = Message(_STATES[part.state], name=part.name)
    if part.error is None or part.failed_at is None:
        return state
    return Message(
        "{state} It was started again {count} time; it failed last at {when} ({error}).",
        plural="{state} It was started again {count} times; it failed last at {when} ({error}).",
        count=part.restarts,
        state=state,
        when=_when(part.failed_at),
        error=part.error,
    )


_STATES = N_(
    {
        "running": "The part “{name}” runs.",
        "waiting": "The part “{name}” failed and waits for its next start.",
        "ended": "The part “{name}” has ended.",
    }
)


def _when(seconds: float) -> str:
    """In local time, to the second; of today without the day."""
    try:
        then = datetime.fromtimestamp(seconds)
    except (OverflowError, OSError, ValueError):  # whatever the file says
        return "?"
    return f"{then:%H:%M:%S}" if then.date() == datetime.now().date() else f"{then:%Y-%m-%d %H:%M:%S}"
