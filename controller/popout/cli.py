"""The `popout` command. It knows every subcommand by name and imports one only when it is called."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from popout import __version__

if TYPE_CHECKING:
    from popout.rules.messages import Message

COMMANDS = {
    "play": ("popout.commands.play:play", "Play at the board, or on the simulator if there is none."),
    "sim": ("popout.commands.play:sim", "Play on the simulator."),
    "terminal": ("popout.commands.terminal:terminal", "Play in this terminal at a board that runs already."),
    "check": ("popout.commands.check:check", "Judge recorded games."),
    "referee": ("popout.commands.referee:referee", "Follow a game on a plain set."),
    "rules": ("popout.commands.rules:rules", "Tell the rules of a game."),
    "solve": ("popout.commands.solve:solve", "Find out what a position is worth."),
    "replay": ("popout.commands.replay:replay_command", "Play a recording of raw switch events."),
    "games": ("popout.commands.games:games", "List, show, export and import the games played here."),
    "stats": ("popout.commands.stats:stats", "Tell who won how often, and how long games took."),
    "status": ("popout.commands.status:status", "Say how the running board is."),
    "service": ("popout.commands.service:service", "Run the board as a service of the system."),
    "layout": ("popout.commands.layout:layout", "Make, show and check the layout file of a board."),
    "firmware": ("popout.commands.firmware:firmware", "Make and install the firmware of a board on a Pico."),
    "dark": ("popout.commands.dark:dark", "Darken the lamps of a board."),
    "doctor": ("popout.commands.doctor:doctor", "Find out what is wrong, and what to type."),
}
"""Each subcommand: where it is, and what it does (as its own short help says)."""

USAGE, INTERNAL, INTERRUPTED, BROKEN_PIPE = 2, 70, 130, 141
"""Exit codes: wrong use or a refusal; a fault of this program; the two that shells give for these signals."""

TRACEBACK_VARIABLE = "POPOUT_TRACEBACK"


class LazyGroup(click.Group):
    """A group of commands that are imported when they are called, and not for the list of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a pipe that nobody reads any more is told apart from a verdict by its exit code."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _drop_output()
            raise click.exceptions.Exit(BROKEN_PIPE) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names; an unknown one is refused with the closest that there is."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands for the help, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="popout", message="%(prog)s %(version)s")
def popout() -> None:
    """Play four in a row and Pop Out on a slotted board, and judge games."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code. Whatever happens, a person reads a sentence and no traceback.

    With the environment variable ``POPOUT_TRACEBACK`` set, a fault of the program itself shows where it arose.
    """
    _survive_any_screen()
    spoken: dict[str, str] = {}  # the language, as soon as the command knows it
    try:
        code = popout.main(arguments, prog_name="popout", standalone_mode=False, obj=spoken)
        _flush()
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        _explain_usage(error)
        return USAGE
    except Exception as error:
        return _failed(error, spoken)
    return code if isinstance(code, int) else 0


def _failed(error: Exception, spoken: Mapping[str, str]) -> int:
    """Say what went wrong, and give the exit code for it."""
    from popout.rules.messages import Message, PopoutError

    if isinstance(error, BrokenPipeError):
        _drop_output()  # whoever read it has seen enough
        return BROKEN_PIPE
    if isinstance(error, PopoutError):
        _complain(error.message, spoken)
        return USAGE
    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    if isinstance(error, OSError) and error.filename is None:
        _drop_output()
        _complain(Message("The output cannot be written: {reason}.", reason=error.strerror or str(error)), spoken)
        return USAGE
    _complain(
        Message(
            "This is a fault of the program, not yours ({kind}: {details}). "
            "Please report it, with what {variable}=1 shows before the same command.",
            kind=type(error).__name__,
            details=str(error),
            variable=TRACEBACK_VARIABLE,
        ),
        spoken,
    )
    return INTERNAL


def _complain(message: Message, spoken: Mapping[str, str]) -> None:
    from popout.commands.console import LANGUAGE, Console
    from popout.locale import Catalogue

    Console(Catalogue(spoken[LANGUAGE]) if LANGUAGE in spoken else None).complain(message)


def _explain_usage(error: click.ClickException) -> None:
    """Say what is wrong with the options. Like the help this stays English: both are made of click's own words."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), file=sys.stderr)
        return
    click.echo(f"popout: {error.format_message()}", file=sys.stderr)
    if context:
        click.echo(f'Try "{context.command_path} --help".', file=sys.stderr)


def _survive_any_screen() -> None:
    """Let a letter that the screen cannot show be replaced by another, instead of ending the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    """Write now what is still to be written, so that a failure is noticed here and not after the end."""
    if sys.stdout:
        sys.stdout.flush()


def _drop_output() -> None:
    """Send what is still to be written nowhere: it has no reader."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
