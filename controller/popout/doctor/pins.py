"""The pins of the layout: where they are on the header, and who else has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from popout.board.contacts import I2C_PINS, SPI_PINS, pin_number
from popout.board.layout import Layout
from popout.board.processes import Process
from popout.doctor.config import Line as ConfigLine
from popout.doctor.facts import Facts
from popout.doctor.finding import Finding, advice, as_root, edit, fine, named, popout, problem, switch_on
from popout.doctor.overlays import claims
from popout.rules import Message
from popout.wiring.connections import Connection, connections

_MANY_COLUMNS: Final = 9
"""A board of so many columns is wide, and its wires are long."""

_NUMBERS_SO_FAR: Final = (0, 4)
"""Under which a Pi 5 has had its header: 4 before kernel 6.6.45, then 0; other programs rely on them."""


def of_the_chip(facts: Facts) -> Iterator[Finding]:
    """Whether the header is found, and under which number."""
    chip = facts.header.chip
    if chip is None:
        if not facts.header.refused:  # otherwise it is a matter of rights
            yield problem(
                "no-header",
                Message(
                    "The GPIO chip of the header is not there, though this is a {model}. Look at what is; in a "
                    "container or on another kernel there may be none.",
                    model=facts.machine.model,
                ),
                "ls -l /dev/gpiochip*",
            )
        return
    kernel, name = facts.system.kernel or "?", f"gpiochip{chip.number}"
    if facts.machine.generation == 5 and chip.number not in _NUMBERS_SO_FAR:
        yield advice(
            "header-renumbered",
            Message(
                "Kernel {kernel} calls the header {chip} ({label}). popout finds it by its label; other programs may "
                "look for gpiochip4 or gpiochip0, and fail.",
                kernel=kernel,
                chip=name,
                label=chip.label,
            ),
        )
    else:
        yield fine(
            "header",
            Message("Kernel {kernel} calls the header {chip} ({label}).", kernel=kernel, chip=name, label=chip.label),
        )


def of_the_layout(facts: Facts, layout: Layout) -> Iterator[Finding]:
    """Where the pins of the layout are, and whether they are free."""
    wires = {pin_number(wire.pin): wire for wire in connections(layout) if wire.place is not None and not wire.chip}
    if not wires:
        return
    yield fine(
        "pins",
        Message(
            "The layout “{layout}” uses these pins of the header: {pins}.",
            layout=layout.name,
            pins=", ".join(f"{wire.place.number} ({wire.pin}, {wire.name})" for wire in wires.values() if wire.place),
        ),
    )
    yield from _claimed(facts, layout, wires)
    yield from _held(facts, layout, wires)
    yield from _expanders(facts, layout)
    yield from _wires(layout)


def _claimed(facts: Facts, layout: Layout, wires: dict[int, Connection]) -> Iterator[Finding]:
    """Pins that the firmware's settings give to the kernel."""
    wanted = set(I2C_PINS if layout.expanders else ()) | set(SPI_PINS if _on_spi(layout) else ())
    by_line: dict[ConfigLine, list[Connection]] = {}
    for claim in claims(facts.config, facts.machine):
        wire = wires.get(claim.pin)
        if wire is None or (_is_bus(claim.line.text) and wire.pin in wanted):
            continue
        found = by_line.setdefault(claim.line, [])
        if wire not in found:
            found.append(wire)
    for line, taken in by_line.items():
        yield problem(
            "pin-claimed",
            Message(
                "{pins} is taken by “{line}” ({file}, line {number}). Give it another pin in the layout “{layout}”, or "
                "remove that line and restart the Pi.",
                plural="{pins} are taken by “{line}” ({file}, line {number}). Give them other pins in the layout "
                "“{layout}”, or remove that line and restart the Pi.",
                count=len(taken),
                pins=_listed(taken),
                line=line.text,
                file=line.file,
                number=line.number,
                layout=layout.name,
            ),
            *edit(facts),
        )


def _held(facts: Facts, layout: Layout, wires: dict[int, Connection]) -> Iterator[Finding]:
    """Pins that a program or a driver of the kernel has open now."""
    by_consumer: dict[str, list[Connection]] = {}
    for number, line in facts.header.lines.items():
        if line.used and number in wires:
            by_consumer.setdefault(line.consumer or "?", []).append(wires[number])
    own = [each for each in facts.header.holders if each.pid in facts.running or each.pid in facts.header.own]
    others = [process for process in facts.header.holders if process not in own]
    if by_consumer and own:
        yield _own(facts, own)
        if not others:
            return
    for consumer, taken in by_consumer.items():
        if others and _is_program(facts, taken):
            yield problem(
                "pin-held",
                Message(
                    "{pins} is held by another program, “{consumer}”: {programs}. Stop that program, or give it "
                    "another pin in the layout “{layout}”.",
                    plural="{pins} are held by another program, “{consumer}”: {programs}. Stop that program, or give "
                    "them other pins in the layout “{layout}”.",
                    count=len(taken),
                    pins=_listed(taken),
                    consumer=consumer,
                    programs=_programs(others),
                    layout=layout.name,
                ),
                f"ps -o pid,user,args -p {','.join(str(process.pid) for process in others)}",
            )
        else:
            yield problem(
                "pin-held",
                Message(
                    "{pins} is held by “{consumer}”, a driver of the kernel or a program of another user. Stop that, "
                    "or give it another pin in the layout “{layout}”. Root sees which program it is.",
                    plural="{pins} are held by “{consumer}”, a driver of the kernel or a program of another user. Stop "
                    "that, or give them other pins in the layout “{layout}”. Root sees which program it is.",
                    count=len(taken),
                    pins=_listed(taken),
                    consumer=consumer,
                    layout=layout.name,
                ),
                as_root(facts, "doctor", *named(facts, anywhere=True)),
            )


def _own(facts: Facts, processes: list[Process]) -> Finding:
    """That popout itself has pins, and how to stop it."""
    if any(facts.header.own.get(process.pid) == "service" for process in processes):
        return fine(
            "pins-of-popout",
            Message(
                "popout has the pins right now, as the service of the system. Before it is started by hand, stop the "
                "service: type this."
            ),
            "sudo systemctl stop popout",
        )
    return fine(
        "pins-of-popout",
        Message(
            "popout has the pins right now (process {process}). Before it is started once more, end it with Ctrl+C "
            "where it runs.",
            process=processes[0].pid,
        ),
        popout(facts, "status"),
    )


def _is_program(facts: Facts, taken: list[Connection]) -> bool:
    """Whether a program holds them and no driver of the kernel, as far as that can be told."""
    numbers = {pin_number(wire.pin) for wire in taken}
    return not any(claim.pin in numbers for claim in claims(facts.config, facts.machine))


def _expanders(facts: Facts, layout: Layout) -> Iterator[Finding]:
    if not layout.expanders or "/dev/i2c-1" in facts.devices:
        return
    if facts.config.is_on("i2c_arm", "i2c", "i2c1"):
        yield problem(
            "i2c-not-there",
            Message(
                "The layout “{layout}” has expanders on I2C. It is switched on in {file}, but /dev/i2c-1 is not there: "
                "its module is not loaded, or the Pi was not restarted.",
                layout=layout.name,
                file=facts.config.file,
            ),
            "sudo modprobe i2c-dev",
            "sudo reboot",
        )
        return
    yield problem(
        "i2c-off",
        Message("The layout “{layout}” has expanders on I2C, which is switched off.", layout=layout.name),
        *switch_on(facts, "i2c"),
    )


def _wires(layout: Layout) -> Iterator[Finding]:
    """What a wire may catch, before it does."""
    if layout.pull == "none":
        yield advice(
            "no-pull",
            Message(
                'With pull = "none" each switch of the layout “{layout}” needs a resistor of its own, such as 10 kΩ. '
                "Without one its pin floats, and presses by itself.",
                layout=layout.name,
            ),
        )
    elif layout.columns >= _MANY_COLUMNS:
        yield advice(
            "long-wires",
            Message(
                "Wires to {count} columns are long, and may press when lamps change. Give each switch 10 kΩ to "
                "{level} and 100 nF to ground at the Pi, and lead its wire away from those of the lamps.",
                count=layout.columns,
                level="3.3 V" if layout.closed == "low" else "GND",
            ),
        )


def _on_spi(layout: Layout) -> bool:
    return layout.chain is not None and layout.chain.pin == "GPIO10" and layout.chain.route in ("auto", "spi")


def _is_bus(line: str) -> bool:
    """Whether a line only switches a bus of the Pi on, or says which pins of it select a chip."""
    return line.startswith(("dtparam=", "device_tree_param=", "dtoverlay=spi0-"))


def _listed(wires: list[Connection]) -> str:
    return ", ".join(f"{wire.pin} ({wire.name})" for wire in wires)


def _programs(processes: list[Process]) -> str:
    return ", ".join(f"{process.pid} “{process.name}”" for process in processes)
