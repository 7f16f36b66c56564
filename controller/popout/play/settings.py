"""The settings of play: the times of gestures and debouncing, the palette, and which board and page to use.

They are read from a TOML file, one ``name = value`` a line. Every setting has a default, so that an empty file, or
none, is a good one::

    palette = "colour-blind"
    take_back_hold_ms = 2500
"""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import msgspec
import platformdirs

from popout.board.layout import shipped
from popout.opponent.errors import OpponentError
from popout.play.seats import OFF, read_levels
from popout.rules.messages import Message, PopoutError

Palette = Literal["classic", "colour-blind", "mono"]
"""Red and yellow; blue and orange; white alone. In each of them a pattern tells the sides apart as well."""
Hands = Literal["board", "person"]
"""Whose hand makes the opponent's moves: on a simulated board the disc may fall by itself."""

_LARGEST_BYTES = 64 * 1024
_TIMES = {
    "glitch_ms": (0, 100),
    "lockout_ms": (1, 2_000),
    "disc_lockout_ms": (1, 2_000),
    "count_down_after_ms": (100, 10_000),
    "take_back_hold_ms": (200, 30_000),
    "menu_hold_ms": (200, 30_000),
    "menu_leave_ms": (1_000, 3_600_000),
    "stuck_after_ms": (2_000, 3_600_000),
    "disc_wait_ms": (500, 60_000),
    "opponent_pause_ms": (0, 60_000),
}
"""The least and the most milliseconds that make sense."""

_CHOICES = {"palette": get_args(Palette), "opponent_hands": get_args(Hands)}

_IN_ORDER = (
    ("glitch_ms", "lockout_ms"),
    ("glitch_ms", "disc_lockout_ms"),
    ("count_down_after_ms", "take_back_hold_ms"),
    ("take_back_hold_ms", "stuck_after_ms"),
    ("menu_hold_ms", "stuck_after_ms"),
)
"""Pairs of times of which the first must be the shorter one."""

_LAST_PORT = 65_535


class SettingsError(PopoutError, ValueError):
    """A setting makes no sense, or the file of settings cannot be read."""

    code = "settings"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How this board is to be played. Names that end in ``_ms`` are times in milliseconds.

    :ivar glitch_ms: a shorter pulse of a switch is no press; 0 turns this off.
    :ivar lockout_ms: for how long a button is not listened to after it changed.
    :ivar disc_lockout_ms: the same for levers and beams that a disc moves.
    :ivar count_down_after_ms: from here on the light of a held column counts down to the take-back.
    :ivar take_back_hold_ms: a column held for so long takes back the last move.
    :ivar menu_hold_ms: both outermost columns held for so long open the menu.
    :ivar menu_leave_ms: a menu that nobody touches for so long is left.
    :ivar stuck_after_ms: a button that is down for so long is stuck, and is ignored until it comes up.
    :ivar disc_wait_ms: where beams see the discs, a press whose disc is not seen for so long is asked about.
    :ivar opponent: the sides that an opponent plays and how well, such as ``yellow=5`` or ``red=3,yellow=7``, in a
        game of which nobody has said it yet; None, as ``off``, lets people play both.
    :ivar opponent_hands: who makes its moves on a simulated board; on a real one a person does.
    :ivar opponent_pause_ms: how long such a move is shown before the disc falls by itself.
    :ivar palette: the colours of the lamps.
    :ivar dark_on_exit: whether the lamps go dark when the program ends; if not, the last picture stays.
    :ivar board: the driver's name, such as ``gpio``; None takes the board that is found.
    :ivar device: which board of several: its port or its serial number, such as ``/dev/ttyACM0``; None takes the one
        that there is.
    :ivar layout: the name of a layout that comes with the program, or the path of a layout file, which is looked for
        beside the settings file; None takes the board's usual one.
    :ivar language: the language to speak, such as ``nl``; None takes the computer's.
    :ivar port: the port of the page; 0 takes any that is free.
    :raises SettingsError: a value is out of range, or two times contradict each other; the message names the
        setting and its unit.
    """

    glitch_ms: float = 2
    lockout_ms: float = 30
    disc_lockout_ms: float = 200
    count_down_after_ms: float = 600
    take_back_hold_ms: float = 1_500
    menu_hold_ms: float = 1_500
    menu_leave_ms: float = 20_000
    stuck_after_ms: float = 10_000
    disc_wait_ms: float = 3_000
    opponent: str | None = None
    opponent_hands: Hands = "board"
    opponent_pause_ms: float = 1_000
    palette: Palette = "classic"
    dark_on_exit: bool = True
    board: str | None = None
    device: str | None = None
    layout: str | None = None
    language: str | None = None
    port: int = 8407

    def __post_init__(self) -> None:
        for name, (low, high) in _TIMES.items():
            if not low <= getattr(self, name) <= high:
                raise _refusal(name, getattr(self, name))
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise _refusal(name, getattr(self, name))
        try:
            read_levels(self.opponent or OFF)
        except OpponentError as error:
            raise SettingsError(error.message) from None
        if not 0 <= self.port <= _LAST_PORT:
            raise _refusal("port", self.port)
        for shorter, longer in _IN_ORDER:
            if getattr(self, shorter) >= getattr(self, longer):
                raise SettingsError(
                    Message(
                        "The setting {shorter} is {value} ms; it must be shorter than {longer}, which is {limit} ms.",
                        shorter=shorter,
                        value=f"{getattr(self, shorter):g}",
                        longer=longer,
                        limit=f"{getattr(self, longer):g}",
                    )
                )


def without_debouncing(settings: Settings) -> Settings:
    """The settings for edges that were debounced already: a second filter would only delay them."""
    return msgspec.structs.replace(settings, glitch_ms=0, lockout_ms=1, disc_lockout_ms=1)


def default_settings_path() -> Path:
    """Where the settings are looked for when no file is named."""
    return platformdirs.user_config_path("popout") / "settings.toml"


def load_settings(path: Path | None = None) -> Settings:
    """The settings in the file `path`; None reads the user's own file, which need not be there.

    :raises SettingsError: the file is missing or cannot be read, is not TOML, has an unknown setting, or a setting
        makes no sense; the message names the file, the setting and its unit.
    """
    file = default_settings_path() if path is None else path
    try:
        content = _read(file)
    except FileNotFoundError:
        if path is None:
            return Settings()
        raise SettingsError(
            Message(
                "There is no settings file {file}. Name one that exists, or none to play with the usual settings.",
                file=str(file),
            )
        ) from None
    except OSError as error:
        raise SettingsError(
            Message(
                "The settings file {file} cannot be read: {reason}.",
                file=str(file),
                reason=error.strerror or str(error),
            )
        ) from error
    data = _parse(content, file)
    for key in data:
        if key not in Settings.__struct_fields__:
            raise SettingsError(
                Message(
                    "The settings file {file} has an unknown setting {setting}. The settings are: {known}.",
                    file=str(file),
                    setting=key,
                    known=", ".join(Settings.__struct_fields__),
                )
            )
    try:
        settings = Settings(**{name: _convert(name, value) for name, value in data.items()})
    except SettingsError as error:
        raise SettingsError(Message("{problem} Change it in {file}.", problem=error.message, file=str(file))) from None
    if settings.layout is None or settings.layout in shipped():
        return settings
    # A service is started elsewhere than a person starts it.
    return msgspec.structs.replace(settings, layout=str(file.parent.absolute() / Path(settings.layout).expanduser()))


def _read(file: Path) -> bytes:
    with file.open("rb") as opened:
        content = opened.read(_LARGEST_BYTES + 1)
    if len(content) > _LARGEST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return content


def _parse(content: bytes, file: Path) -> dict[str, Any]:
    try:
        text = content.decode("utf-8-sig")  # some editors put a byte order mark first
    except UnicodeDecodeError:
        raise SettingsError(
            Message("The settings file {file} is not a text. Save it as UTF-8.", file=str(file))
        ) from None
    try:
        return msgspec.toml.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        # An error without a place is at the end of the text.
        lines = text.split("\n")
        line, column = map(int, place.groups()) if place else (len(lines), len(lines[-1]) + 1)
        raise SettingsError(
            Message(
                "Line {line}, column {column} of the settings file {file} is not TOML. "
                "Write each setting once, as a line such as: port = 8407",
                line=line,
                column=column,
                file=str(file),
            )
        ) from error


def _convert(name: str, value: object) -> Any:
    try:
        return msgspec.convert(value, get_type_hints(Settings)[name])
    except msgspec.ValidationError:
        raise _refusal(name, value) from None


def _refusal(name: str, value: object) -> SettingsError:
    """The error for a value that the setting `name` cannot have."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    written = json.dumps(value, default=str)
    if name in _TIMES:
        low, high = _TIMES[name]
        return SettingsError(
            Message(
                "The setting {setting} is {value}; it must be a time from {low} to {high} ms.",
                setting=name,
                value=written,
                low=low,
                high=high,
            )
        )
    if name in _CHOICES:
        return SettingsError(
            Message(
                "The setting {setting} is {value}; it must be one of {choices}.",
                setting=name,
                value=written,
                choices=", ".join(f'"{choice}"' for choice in _CHOICES[name]),
            )
        )
    if name == "port":
        return SettingsError(
            Message(
                "The setting {setting} is {value}; it must be a port number from 0 to {last}.",
                setting=name,
                value=written,
                last=_LAST_PORT,
            )
        )
    if name == "dark_on_exit":
        return SettingsError(
            Message("The setting {setting} is {value}; it must be true or false.", setting=name, value=written)
        )
    return SettingsError(
        Message("The setting {setting} is {value}; it must be a text in quotation marks.", setting=name, value=written)
    )
