"""Whether the user may open the devices that the board needs, and what to do if not."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from popout.board.layout import Layout
from popout.doctor.facts import Device, Facts
from popout.doctor.finding import Finding, advice, fine, problem
from popout.rules import Message

_USUAL_GROUPS: Final = {"gpiochip": "gpio", "pio": "gpio", "spidev": "spi", "i2c-": "i2c"}
_RULES: Final = {
    "gpiochip": 'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"',
    "pio": 'SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660"',
    "spidev": 'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"',
    "i2c-": 'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"',
}
"""What gives a device to its group, for udev; Raspberry Pi OS has these in ``/etc/udev/rules.d/99-com.rules``."""
_RULES_FILE: Final = "/etc/udev/rules.d/99-popout.rules"


def of_the_header(facts: Facts, layout: Layout | None) -> Iterator[Finding]:
    """The devices of a board on the header."""
    yield from of_devices(facts, needed(facts, layout))
    if facts.user.is_root:
        yield advice(
            "root",
            Message(
                "This runs as root. The game needs no such power, and what goes wrong has it too: play as yourself."
            ),
        )


def needed(facts: Facts, layout: Layout | None) -> tuple[Device, ...]:
    """The devices that are there and that a board on the header uses."""
    return tuple(_needed(facts, layout))


def of_devices(facts: Facts, devices: tuple[Device, ...]) -> Iterator[Finding]:
    """Whether all of these may be opened; else what is in the way of each."""
    if devices and all(device.may for device in devices):
        yield fine("devices", Message("You may use {devices}.", devices=_listed(devices)))
        return
    refused = [device for device in devices if not device.may]
    closed = [device for device in refused if not device.group_may or device.group == "root"]
    for device in closed:
        yield _closed(device, facts)
    there = {device.group for device in refused if device not in closed}
    waiting = there & facts.user.enrolled - facts.user.groups
    missing = there - facts.user.enrolled - facts.user.groups
    if missing:
        groups = sorted(missing)
        yield problem(
            "group-missing",
            Message(
                "You may not use {devices}, since you are not in the group {groups}. Type this, then log out and in "
                "again.",
                plural="You may not use {devices}, since you are not in the groups {groups}. Type this, then log out "
                "and in again.",
                count=len(groups),
                devices=_listed(device for device in refused if device.group in missing),
                groups=", ".join(groups),
            ),
            f"sudo usermod -aG {','.join(groups)} {shlex.quote(facts.user.name) if facts.user.name else '$USER'}",
        )
    if waiting:
        groups = sorted(waiting)
        yield problem(
            "group-not-yet",
            Message(
                "You are in the group {groups}, but not since you logged in. Log out and in again, or restart the Pi.",
                plural="You are in the groups {groups}, but not since you logged in. Log out and in again, or restart "
                "the Pi.",
                count=len(groups),
                groups=", ".join(groups),
            ),
        )
    for device in refused:
        if device not in closed and device.group in facts.user.groups:
            yield problem(
                "device-refused",
                Message(
                    "{device} cannot be opened, although you are in its group {group}. Something else forbids it, such "
                    "as a container or the settings of a service.",
                    device=device.path,
                    group=device.group,
                ),
            )


def _closed(device: Device, facts: Facts) -> Finding:
    """A device that no group has: the system lacks the rule that gives it to one."""
    kind = next((kind for kind in _RULES if device.path.startswith(f"/dev/{kind}")), None)
    if kind is None:
        return problem(
            "device-of-root",
            Message("{device} may be opened by root only. Its owner can allow it.", device=device.path),
        )
    group = _USUAL_GROUPS[kind]
    new = () if group in facts.known_groups else (f"sudo groupadd --system {group}",)
    member = () if group in facts.user.enrolled else (f"sudo usermod -aG {group} {facts.user.name or '$USER'}",)
    return problem(
        "device-of-root",
        Message(
            "{device} may be opened by root only. This gives it to the group {group}; log out and in again after it.",
            device=device.path,
            group=group,
        ),
        *new,
        f"echo {shlex.quote(_RULES[kind])} | sudo tee -a {_RULES_FILE}",
        "sudo udevadm control --reload-rules && sudo udevadm trigger",
        *member,
    )


def _needed(facts: Facts, layout: Layout | None) -> Iterator[Device]:
    chip = facts.header.chip
    for path, device in facts.devices.items():
        is_header = chip is not None and path == chip.path.as_posix()
        if path.startswith("/dev/gpiochip") and (is_header or (chip is None and facts.header.refused)):
            yield device
    if layout is None:
        return
    lamps = layout.chain
    if lamps is not None:
        by_spi = lamps.pin == "GPIO10" and lamps.route in ("auto", "spi")
        by_pio = lamps.route == "pio" or (lamps.route == "auto" and not by_spi and facts.machine.generation == 5)
        if by_spi and "/dev/spidev0.0" in facts.devices:
            yield facts.devices["/dev/spidev0.0"]
        if by_pio and "/dev/pio0" in facts.devices:
            yield facts.devices["/dev/pio0"]
    if layout.expanders and "/dev/i2c-1" in facts.devices:
        yield facts.devices["/dev/i2c-1"]


def _listed(devices: Iterator[Device] | tuple[Device, ...]) -> str:
    return ", ".join(device.path for device in devices)
