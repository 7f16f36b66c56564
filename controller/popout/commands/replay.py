"""`popout replay`: what a board would have made of a recording of its switches."""

from __future__ import annotations

import click

from popout.commands.console import STANDARD_INPUT, Console, FileUnreadable, language_option, read_text
from popout.play.recording import RecordingError, parse_recording, replay
from popout.rules import Message, write_record


class RecordingFileError(RecordingError):
    """A recording that cannot be read, with the name of its file."""

    def __init__(self, file: str, error: RecordingError) -> None:
        super().__init__(
            Message("{file}, line {line}: {problem}", file=file, line=error.line, problem=error.message), error.line
        )


@click.command(name="replay", short_help="Play a recording of raw switch events.")
@click.argument("file", metavar="FILE")
@click.option("--quiet", is_flag=True, help="Print only the game, not what was said at the board.")
@language_option
def replay_command(file: str, quiet: bool) -> None:
    """Play a recording of raw switch events through the board's own debouncer, gestures and controller.

    Prints what the board said, with the seconds since the recording's beginning, and then the game as a record that
    "popout check" reads. A FILE of "-" is standard input.
    """
    console = Console()
    name = "stdin" if file == STANDARD_INPUT else file
    try:
        recording = parse_recording(read_text(file))
    except FileUnreadable as error:
        raise FileUnreadable(Message("{file}: {problem}", file=name, problem=error.message)) from None
    except RecordingError as error:
        raise RecordingFileError(name, error) from None
    controller = replay(recording)
    start = recording.edges[0].time if recording.edges else 0.0
    if not quiet:
        # As comments, so that the whole is still a record.
        for notice in controller.notices.since(0):
            seconds = f"{(notice.time - start) / 1000:8.2f}"
            console.write(f"# {seconds}  {console.catalogue.text(notice.message)}")
    console.write(write_record(controller.game).rstrip("\n"))
