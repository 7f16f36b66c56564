"""`popout service`: the board as a service of systemd, which starts with the machine and is kept running."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
from click.core import ParameterSource

from popout.commands.console import Console, language_option
from popout.rules import Message
from popout.service import unit
from popout.service.unit import NAME, UNITS, ServiceError, Unit

_RUNNING_SYSTEMD = Path("/run/systemd/system")
_OF_THE_BOARD = ("board", "device", "layout", "settings")


class NotRoot(ServiceError, PermissionError):
    """Only root may change what the system runs."""

    code = "not-root"


class NoSystemd(ServiceError):
    """This system has no systemd."""

    code = "no-systemd"


class SystemctlFailed(ServiceError):
    """systemd did not do what it was asked."""

    code = "systemctl-failed"


@click.group(short_help="Run the board as a service of the system.")
def service() -> None:
    """Run the board as a service of systemd: started with the machine, and started again whatever happens."""


@service.command(short_help="Install the service and start it.")
@click.option("--user", metavar="NAME", help="Who is to play; not root. [default: the one who called sudo]")
@click.option("--to", "folder", metavar="FOLDER", type=Path, help="Only write the unit file, into this folder.")
@click.option("--print", "only_print", is_flag=True, help="Only print the unit file.")
@click.argument("options", nargs=-1, metavar="[-- PLAY-OPTION...]")
@language_option
def install(user: str | None, folder: Path | None, only_print: bool, options: tuple[str, ...]) -> None:
    """Install the service and start it.

    What follows "--" are options for "popout play", such as the board:

    \b
        sudo popout service install --user pi -- --board gpio

    The page is offered to this machine only, unless an option says otherwise. The games are kept in /var/lib/popout,
    and the settings are looked for in /etc/popout/settings.toml.
    """
    console = Console()
    described = _unit(user, options)
    if only_print:
        console.write(described.text().rstrip("\n"))
        return
    if folder is None:
        _check_root(("install", *_as_typed(user, options)))
        _check_can_run(described)
    file = _write((folder or UNITS) / NAME, described.text())
    console.say(Message("The service is described in {file}.", file=str(file)))
    if folder is not None:
        return
    if not _RUNNING_SYSTEMD.is_dir():
        console.say(
            Message(
                "systemd does not run here now. Where it does, type: {command}",
                command=f"systemctl daemon-reload && systemctl enable --now {NAME}",
            )
        )
        return
    _systemctl("daemon-reload")
    _systemctl("enable", NAME)
    _systemctl("restart", NAME)
    console.say(
        Message("It runs now, and whenever the machine is started. How it is says: {command}", command="popout status")
    )


@service.command(short_help="Stop the service and remove it.")
@language_option
def uninstall() -> None:
    """Stop the service and remove it. The games stay where they are."""
    console = Console()
    file = UNITS / NAME
    if not file.exists():
        console.say(Message("The service is not installed."))
        return
    _check_root(("uninstall",))
    if _RUNNING_SYSTEMD.is_dir():
        _systemctl("disable", "--now", NAME)
    try:
        file.unlink()
    except OSError as error:
        raise ServiceError(
            Message("{file} cannot be removed: {reason}.", file=str(file), reason=error.strerror or str(error))
        ) from None
    if _RUNNING_SYSTEMD.is_dir():
        _systemctl("daemon-reload")
    console.say(Message("The service is removed. Its games are still in {folder}.", folder="/var/lib/popout"))


@service.command(short_help="Show the service as it is installed.")
@language_option
def show() -> None:
    """Show the service as it is installed: its unit file, and what systemd says of it."""
    console = Console()
    file = UNITS / NAME
    try:
        text = file.read_text("utf-8", "replace")
    except FileNotFoundError:
        console.say(Message("The service is not installed. To install it type: {command}", command=_sudo(("install",))))
        raise click.exceptions.Exit(1) from None
    except OSError as error:
        raise ServiceError(
            Message("{file} cannot be read: {reason}.", file=str(file), reason=error.strerror or str(error))
        ) from None
    console.write(f"# {file}", text.rstrip("\n"))
    if _RUNNING_SYSTEMD.is_dir():
        state = subprocess.run(["systemctl", "is-active", NAME], capture_output=True, text=True, check=False)
        console.say(Message("systemd calls it “{state}”.", state=state.stdout.strip()))


def _unit(user: str | None, options: tuple[str, ...]) -> Unit:
    if sys.platform == "win32" or sys.platform == "darwin":
        raise NoSystemd(Message("A service of systemd needs Linux. Here, start the board with: popout play"))
    given = _given(options)
    arguments = [word for words in given.values() for word in words]
    board = [word for name in _OF_THE_BOARD for word in given.get(name, ())]
    writable = [Path(given["record"][1]).parent] if "record" in given else []
    return Unit(
        popout=unit.this_popout(),
        user=unit.checked_user(user or os.environ.get("SUDO_USER")),
        groups=unit.groups_here(),
        arguments=arguments,
        board=board,
        writable=writable,
    )


def _given(options: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The options of `popout play` that are given, each checked, by their names and as they are to be typed.

    A file is named as it is found from anywhere.
    """
    from popout.commands.play import play

    context = play.make_context("popout play", list(options))
    given: dict[str, tuple[str, ...]] = {}
    for parameter in play.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params.get(name)
        if isinstance(parameter, click.Option) and parameter.is_flag:
            given[name] = (parameter.opts[0],)
            continue
        if name in ("record", "settings") or (name == "layout" and Path(str(value)).exists()):
            value = Path(str(value)).expanduser().absolute()
        given[name] = (parameter.opts[0], str(value))
    return given


def _check_root(arguments: tuple[str, ...]) -> None:
    if os.geteuid() != 0:
        raise NotRoot(Message("Only root may change what the system runs. Type: {command}", command=_sudo(arguments)))


def _sudo(arguments: tuple[str, ...]) -> str:
    """With the whole path, since root looks for programs elsewhere."""
    return shlex.join(("sudo", *unit.this_popout(), "service", *arguments))


def _as_typed(user: str | None, options: tuple[str, ...]) -> tuple[str, ...]:
    return (*(("--user", user) if user else ()), *(("--", *options) if options else ()))


def _check_can_run(described: Unit) -> None:
    """Whether the user can run this popout at all; one that root installed for itself cannot be reached by others."""
    import pwd  # not on every system

    user = pwd.getpwnam(described.user)
    asked = [*described.popout, "--version"]
    try:
        subprocess.run(
            asked, user=user.pw_uid, group=user.pw_gid, extra_groups=[], cwd="/", capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise ServiceError(
            Message(
                "The user “{user}” cannot run {popout}. Install popout where that user may read it, or name another "
                "user with --user.",
                user=described.user,
                popout=shlex.join(described.popout),
            )
        ) from None


def _write(file: Path, text: str) -> Path:
    beside = file.with_name(f".{file.name}.new")
    try:
        beside.write_text(text, "utf-8")
        beside.chmod(0o644)  # it holds no secret, and "popout service show" is for everybody
        beside.replace(file)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise ServiceError(
            Message(
                "The service cannot be written to {file}: {reason}.",
                file=str(file),
                reason=error.strerror or str(error),
            )
        ) from None
    return file


def _systemctl(*arguments: str) -> None:
    try:
        done = subprocess.run(["systemctl", *arguments], capture_output=True, text=True, check=False)
        reason = " ".join(done.stderr.split()) if done.returncode else None
    except OSError as error:
        reason = error.strerror or str(error)
    if reason is not None:
        raise SystemctlFailed(
            Message(
                "systemd refused “{command}”: {reason}", command=shlex.join(("systemctl", *arguments)), reason=reason
            )
        )
