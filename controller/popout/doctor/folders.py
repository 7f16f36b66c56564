"""Where popout writes, and the service as it is installed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from popout.doctor.facts import Device, Facts
from popout.doctor.finding import Finding, advice, as_root, fine, named, popout, problem
from popout.rules import Message

_FULL: Final = 10 * 1024 * 1024
_NEARLY_FULL: Final = 200 * 1024 * 1024
_MEGABYTE: Final = 1024 * 1024


def of_the_folders(facts: Facts, *, pins: bool) -> Iterator[Finding]:
    """Whether popout can write where it must.

    :param pins: the board is on the header, and lgpio needs a folder for its pipe.
    """
    if pins and (facts.run_folder is None or not facts.run_folder.writable):
        yield problem(
            "run-folder",
            Message(
                "lgpio needs a folder to make a pipe in, and {folder} cannot be written. Name one that can be in the "
                "environment variable TMPDIR, or free it.",
                folder="/tmp" if facts.run_folder is None else facts.run_folder.path,
            ),
            "df -h /tmp",
        )
    record = facts.record_folder
    if not record.writable:
        yield problem(
            "record-folder",
            Message(
                "The games cannot be recorded: {folder} cannot be written. Let it belong to you, or name another "
                "place with --record.",
                folder=record.path,
            ),
            f"ls -ld {shlex.quote(record.path)}",
        )
    elif record.free is not None and record.free < _NEARLY_FULL:
        level = problem if record.free < _FULL else advice
        yield level(
            "disk-full",
            Message(
                "On the disk of {folder}, where the games are recorded, {free} MB are left. Make room.",
                folder=record.path,
                free=record.free // _MEGABYTE,
            ),
            "df -h",
        )
    else:
        yield fine("record-folder", Message("The games are recorded in {folder}.", folder=record.path))


def of_the_service(facts: Facts, devices: tuple[Device, ...]) -> Iterator[Finding]:
    """Whether the board starts with the machine, and may then use what it needs."""
    found = facts.service
    if found is None:
        yield fine(
            "no-service",
            Message("The board does not start with the machine. If it is to, type this."),
            as_root(facts, "service", "install", *_for_play(named(facts, anywhere=True))),
        )
        return
    groups = sorted({device.group for device in devices if device.group_may} - found.groups - {"root"})
    if groups:
        if found.options is None:
            yield advice(
                "service-changed",
                Message(
                    "The service was changed by hand. Installing it anew forgets that, so look first at what it says."
                ),
                popout(facts, "service", "show"),
            )
        yield problem(
            "service-groups",
            Message(
                "The service of user “{user}” may not use the group {groups}, to which devices of the board belong. "
                "Install it anew.",
                plural="The service of user “{user}” may not use the groups {groups}, to which devices of the board "
                "belong. Install it anew.",
                count=len(groups),
                user=found.user,
                groups=", ".join(groups),
            ),
            as_root(facts, "service", "install", "--user", found.user, *_for_play(found.options or ())),
        )
        return
    yield fine(
        "service",
        Message("The board starts with the machine, as a service of user “{user}”.", user=found.user),
        popout(facts, "status"),
    )


def _for_play(options: tuple[str, ...]) -> tuple[str, ...]:
    return ("--", *options) if options else ()
