"""What every command shares: the reader's language, what the screen can show, and files as text."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, TextIO

import click

from popout.locale import Catalogue, choose_language, find_language, languages
from popout.rules import Message, PopoutError
from popout.rules.messages import excerpt
from popout.views.drawing import Style, wrap

STANDARD_INPUT = "-"
LARGEST_BYTES = 64 * 1024 * 1024
"""Of a file that is read whole: hundreds of thousands of games, and far less than the memory."""
LANGUAGE = "language"
"""Under this name a command keeps the language that it speaks, in click's context object, a dictionary."""


if TYPE_CHECKING:
    from popout.play.settings import Settings

_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[\d*m)")
"""What a terminal would obey, colours left aside."""


class UnknownLanguage(PopoutError, ValueError):
    """A language that is not there."""

    code = "unknown-language"


class FileUnreadable(PopoutError, OSError):
    """A file that cannot be read, or that is no text."""

    code = "unreadable"


class FileNotWritten(PopoutError, OSError):
    """A file that cannot be written, or must not be."""

    code = "not-written"


class FileThere(FileNotWritten):
    """A file of that name exists."""

    code = "file-exists"


class Console:
    """Where a command speaks to a person: sentences to standard output, complaints to standard error.

    :ivar catalogue: the language. :ivar style: what the screen can show.
    :ivar interactive: a person types at a terminal and reads the answers there; otherwise a pipe or a file is involved.
    """

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue or speak(wanted_language())
        self.interactive = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
        screen = _is_terminal(sys.stdout)
        self.style = Style(
            symbols=can_show(Style().characters(), sys.stdout),
            colour=screen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            width=shutil.get_terminal_size().columns if screen else None,
        )

    def say(self, *messages: Message) -> None:
        """Print sentences, each on lines of its own."""
        for message in messages:
            self.write(*wrap(self.catalogue.text(message), self.style))

    def write(self, *lines: str) -> None:
        """Print finished text, a text a line."""
        for line in lines:
            # Named, since click would write UTF-8 to a console that has said that it cannot show it.
            click.echo(_harmless(line), file=sys.stdout, color=self.style.colour or None)

    def complain(self, message: Message) -> None:
        """Print to standard error what is wrong."""
        if sys.stdout:
            sys.stdout.flush()  # so that both come in the order in which they were said
        click.echo(_harmless(f"popout: {self.catalogue.text(message)}"), file=sys.stderr)


def language_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that talks to people the option ``--lang``, which `wanted_language` heeds."""
    return click.option(
        "--lang",
        metavar="LANGUAGE",
        expose_value=False,
        callback=_choose,
        help="Speak this language, such as nl. [default: that of the settings, or the computer's]",
    )(command)


def settings_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option ``--settings``: the path of a file, or None for the usual one."""
    return click.option(
        "--settings", metavar="FILE", type=Path, help="Read the settings from this file instead of the usual one."
    )(command)


def wanted_language(settings: Settings | None = None) -> str | None:
    """The language of ``--lang``, else of the settings (without any the user's own); None if neither names one."""
    setting = settings.language if settings else _own_setting()
    return _spoken().get(LANGUAGE) or find_language(setting or "")


def speak(language: str | None) -> Catalogue:
    """The wanted language, or that of the environment. What goes wrong with the command from now on is told in it."""
    catalogue = Catalogue(language or choose_language())
    _spoken()[LANGUAGE] = catalogue.language
    return catalogue


def can_show(letters: str, stream: TextIO | None) -> bool:
    """Whether a stream can print all of these letters."""
    try:
        letters.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def read_text(path: str) -> str:
    """The text of a file, or with ``-`` of standard input.

    :raises FileUnreadable: it is not there, is no file, may not be read, is no text in UTF-8 or far too large for one.
    """
    data = read_bytes(path)
    if b"\0" in data:
        raise FileUnreadable(Message("This is no text in UTF-8. Save it as plain text in UTF-8."))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileUnreadable(
            Message("Line {line} is no text in UTF-8. Save the file as plain text in UTF-8.", line=line)
        ) from None


def read_bytes(path: str) -> bytes:
    """What is in a file, or with ``-`` comes from standard input.

    :raises FileUnreadable: it is not there, is no file, may not be read or is far too large.
    """
    try:
        return _standard_input() if path == STANDARD_INPUT else _whole(path)
    except FileNotFoundError:
        raise FileUnreadable(Message("There is no such file. Look at its name and folder.")) from None
    except IsADirectoryError:
        raise FileUnreadable(Message("This is a folder. Name the files in it.")) from None
    except PermissionError:
        raise FileUnreadable(Message("You may not read this file. Its owner can allow it.")) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileUnreadable(Message("This file cannot be read: {reason}.", reason=reason)) from None


def write_text(path: str, text: str, *, replace: bool) -> None:
    """Write a text file in UTF-8. A file that is replaced is replaced whole or not at all.

    :raises FileThere: it is there already and `replace` is not set.
    :raises FileNotWritten: it cannot be written.
    """
    _write(path, text, replace)


def write_bytes(path: str, data: bytes, *, replace: bool) -> None:
    """Write a file, as `write_text` does."""
    _write(path, data, replace)


def _choose(context: click.Context, _: click.Parameter, wanted: str | None) -> None:
    if wanted is None:
        return
    language = find_language(wanted)
    if language is None:
        raise UnknownLanguage(
            Message(
                'There is no language "{language}". Choose one of: {known}.',
                language=excerpt(wanted),
                known=", ".join(languages()),
            )
        )
    context.ensure_object(dict)[LANGUAGE] = language


def _spoken() -> dict[str, str]:
    """Where the command that is being run keeps its language, also for `popout.cli` after its end."""
    context = click.get_current_context(silent=True)
    return context.ensure_object(dict) if context else {}


def _own_setting() -> str | None:
    """The language in the user's own settings. They are read by few commands, and are no reason for one to fail."""
    from platformdirs import user_config_path

    try:
        if not user_config_path("popout").exists():
            return None
    except OSError:  # it lies in a folder that this user may not look into
        return None
    from popout.play.settings import load_settings

    try:
        return load_settings().language
    except PopoutError:
        return None


def _write(path: str, content: str | bytes, replace: bool) -> None:
    try:
        file = Path(path).expanduser()
        if file.is_dir():
            raise IsADirectoryError
        if replace and file.is_file():
            _replace(file.resolve(), content)
            return
        _put(file, content, "w" if replace else "x")
    except FileExistsError:
        raise FileThere(Message("{path} is there already, and was left as it is.", path=path)) from None
    except FileNotFoundError:
        raise FileNotWritten(Message("{path} cannot be written: there is no such folder.", path=path)) from None
    except IsADirectoryError:
        raise FileNotWritten(Message("{path} is a folder. Name a file in it.", path=path)) from None
    except PermissionError:
        raise FileNotWritten(Message("You may not write {path}. Choose another folder.", path=path)) from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileNotWritten(Message("{path} cannot be written: {reason}.", path=path, reason=reason)) from None


def _put(file: Path, content: str | bytes, mode: Literal["w", "x"]) -> None:
    if isinstance(content, str):
        with file.open(mode, encoding="utf-8") as text:
            text.write(content)
    else:
        with file.open("wb" if mode == "w" else "xb") as opened:
            opened.write(content)


def _replace(file: Path, content: str | bytes) -> None:
    beside = file.with_name(f".{file.name}.new")
    try:
        _put(beside, content, "w")
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _harmless(text: str) -> str:
    """`text` without what would move the cursor or worse: names of files and players come from anywhere."""
    return _OBEYED.sub("?", text)


def _whole(path: str) -> bytes:
    if not path:
        raise FileNotFoundError  # to `Path` it would be the folder at hand
    with Path(path).open("rb") as file:
        return _up_to_the_limit(file)


def _standard_input() -> bytes:
    return _up_to_the_limit(sys.stdin.buffer) if sys.stdin else b""


def _up_to_the_limit(file: BinaryIO) -> bytes:
    data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
