"""The board as a service of systemd: the unit file, made from the template in ``hardware/service``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from popout.rules import Message, PopoutError
from popout.rules.messages import excerpt

NAME = "popout.service"
UNITS = Path("/etc/systemd/system")
GROUPS = ("gpio", "spi", "i2c", "dialout")
"""To whom the systems give the pins, the lamps and the cable; each has some of these."""

_PLACE = re.compile(r"@([A-Z]+)@")
_PLAIN = re.compile(r"[A-Za-z0-9_@+=:,./-]+")


class ServiceError(PopoutError, OSError):
    """The service cannot be installed, removed or looked at; the message says why and the way out."""

    code = "service"


class UnknownUser(ServiceError, LookupError):
    """There is no such user on this system, or none is named."""

    code = "unknown-user"


class RootRefused(ServiceError):
    """A game needs no such power, and a fault in it would have it too."""

    code = "root-refused"


@dataclass(frozen=True, kw_only=True)
class Unit:
    """What a unit file is to say.

    :ivar popout: the words that run popout, each whole, the first an absolute path.
    :ivar user: who plays. :ivar groups: the groups besides the user's own.
    :ivar arguments: for ``popout play``. :ivar board: those of them that say which board, for ``popout dark``.
    :ivar writable: folders besides its own in which the service must write.
    """

    popout: Sequence[str]
    user: str
    groups: Sequence[str] = ()
    arguments: Sequence[str] = ()
    board: Sequence[str] = ()
    writable: Sequence[Path] = ()

    def text(self) -> str:
        """The unit file."""
        filled = {
            "POPOUT": _words(self.popout),
            "ARGUMENTS": _words(self.arguments),
            "BOARD": _words(self.board),
            "USER": self.user,
            "GROUPS": " ".join(self.groups),
            "WRITABLE": _words(str(folder) for folder in self.writable),
        }
        _, _, template = (_folder() / NAME).read_text("utf-8").partition("\n\n")  # it begins with what a template is
        lines = [_HEAD, ""]
        for line in template.splitlines():
            written = _PLACE.sub(lambda place: filled[place[1]], line).rstrip()
            if written == line or not written.endswith("="):
                lines.append(written)
        return "\n".join(lines) + "\n"


_HEAD = '# Made by "popout service install", which makes it anew; "popout service uninstall" removes it.'


def this_popout() -> tuple[str, ...]:
    """The words that run the popout that is running now."""
    script = Path(sys.executable).with_name("popout")
    return (str(script),) if script.is_file() else (sys.executable, "-m", "popout")


def groups_here() -> tuple[str, ...]:
    """Those of `GROUPS` that this system has."""
    import grp  # not on every system

    known = {group.gr_name for group in grp.getgrall()}
    return tuple(name for name in GROUPS if name in known)


def checked_user(name: str | None) -> str:
    """The user who is to play.

    :raises UnknownUser: none is named, or there is none of that name.
    :raises RootRefused: it is root.
    """
    import pwd  # not on every system

    if not name:
        raise UnknownUser(Message("Say with --user who is to play, such as: --user pi"))
    try:
        user = pwd.getpwnam(name)
    except (KeyError, ValueError):
        raise UnknownUser(
            Message("There is no user “{user}” on this system. Name one that there is with --user.", user=excerpt(name))
        ) from None
    if user.pw_uid == 0:
        raise RootRefused(
            Message("The game is not played as root, which it does not need. Name another user with --user.")
        )
    return user.pw_name


def _words(words: Iterable[str]) -> str:
    """Words as systemd reads them, each whole."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$"), ("\n", "\\n")):
        word = word.replace(sign, written)
    return f'"{word}"'


def _folder() -> Path:
    """Beside this module once installed; in the source tree, the folder that the build takes it from."""
    here = Path(__file__).parent
    installed = here / "units"
    return installed if installed.is_dir() else here.parents[2] / "hardware" / "service"
