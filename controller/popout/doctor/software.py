"""The computer, its system, and the Python packages that drive pins and lamps: which of them do not go together."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from popout.board.layout import Layout
from popout.doctor.facts import Facts
from popout.doctor.finding import Finding, advice, fine, install, popout, problem, remove, version
from popout.doctor.system import Package
from popout.rules.messages import N_, Message

_TESTED: Final = ("bookworm", "trixie")
_GPIOZERO: Final = "2.0.1.post3"
_LGPIO: Final = "0.2.2.0"
_BLINKA: Final = "9.2.0"
_EXPANDERS: Final = "adafruit-circuitpython-mcp230xx"
_APT: Final = "sudo apt install python3-gpiozero python3-lgpio"


def of_the_computer(facts: Facts) -> Iterator[Finding]:
    """Which computer and system this is."""
    system, bits, kernel = facts.system.name or "?", facts.python.bits, facts.system.kernel or "?"
    python = ".".join(map(str, facts.python.version))
    if not facts.machine.is_pi:
        yield fine(
            "no-pi",
            Message(
                "This is no Raspberry Pi ({system}, {bits} bit, kernel {kernel}, Python {python}), so it has no pins "
                "for a board. What can be played here is the simulator, or a board with a Pico on a USB cable.",
                system=system,
                bits=bits,
                kernel=kernel,
                python=python,
            ),
            popout(facts, "sim"),
        )
        if facts.system.in_container:
            yield advice(
                "container",
                Message(
                    "This runs in a container, which sees of its computer only what it is shown. If that is a "
                    "Raspberry Pi, run popout outside of the container."
                ),
            )
        return
    yield fine(
        "pi",
        Message(
            "{model}, {system}, {bits} bit, kernel {kernel}, Python {python}.",
            model=facts.machine.model,
            system=system,
            bits=bits,
            kernel=kernel,
            python=python,
        ),
    )
    if not facts.system.is_raspberry_pi_os or facts.system.codename not in _TESTED:
        yield advice(
            "system-untested",
            Message(
                "popout is made for Raspberry Pi OS of Debian 12 (bookworm) and 13 (trixie). On another system the "
                "names of groups, files and packages may differ from what is said here."
            ),
        )
    if facts.python.bits == 32:
        yield advice(
            "32-bit",
            Message(
                "This system is of 32 bit, for which some packages of the pins are not ready to install. If one is "
                "missing, the 64-bit Raspberry Pi OS is the way out; it runs on a Zero 2 and from the Pi 3 on."
            ),
        )


@dataclass(frozen=True, slots=True)
class Bad:
    """A package that does not go together with the machine.

    :ivar applies: whether it is this version, on this machine. :ivar text: with places for package, version, model,
        kernel and chip. :ivar cure: what to type. :ivar of_lamps: whether only lamps on PWM or PIO need it.
    """

    package: str
    code: str
    applies: Callable[[Facts, Package], bool]
    text: str
    cure: Callable[[Facts], tuple[str, ...]]
    of_lamps: bool = False


def of_the_packages(facts: Facts, layout: Layout | None) -> Iterator[Finding]:
    """The packages that are installed, missing ones, and those that are known to fail here."""
    present = [f"{package.name} {package.version}" for package in facts.packages.values()]
    if present:
        yield fine("packages", Message("Installed are {packages}.", packages=", ".join(sorted(present, key=str.lower))))
    missing = list(_missing(facts, layout))
    if missing:
        yield problem(
            "packages-missing",
            Message(
                "The pins need the Python package {packages}, which is missing.",
                plural="The pins need the Python packages {packages}, which are missing.",
                count=len(missing),
                packages=", ".join(missing),
            ),
            *_install_missing(facts, missing),
        )
    for bad in _BAD:
        package = facts.packages.get(bad.package)
        if bad.of_lamps and not _lit_by_blinka(layout):
            continue
        if package is not None and bad.applies(facts, package):
            chip = facts.header.chip
            yield problem(
                bad.code,
                Message(
                    bad.text,
                    package=package.name,
                    version=package.version,
                    model=facts.machine.model,
                    kernel=facts.system.kernel or "?",
                    chip="gpiochip?" if chip is None else f"gpiochip{chip.number}",
                ),
                *bad.cure(facts),
            )


def _missing(facts: Facts, layout: Layout | None) -> Iterator[str]:
    if "gpiozero" not in facts.packages:
        yield "gpiozero"
    if not facts.packages.keys() & {"lgpio", "adafruit-lgpio"}:
        yield "lgpio"
    if layout is not None and layout.expanders and _EXPANDERS not in facts.packages:
        yield _EXPANDERS


def _install_missing(facts: Facts, missing: list[str]) -> tuple[str, ...]:
    if not facts.python.venv and _EXPANDERS not in missing:
        return (_APT,)
    # The extra of the package leaves lgpio out where pip would find an empty one.
    alone = "lgpio" in missing and facts.python.version >= (3, 13)
    return (install(facts, "popout-board[pi]"), *(_install_lgpio(facts) if alone else ()))


def _lit_by_blinka(layout: Layout | None) -> bool:
    """Whether the lamps are lit by PWM or PIO, for which Blinka is needed."""
    chain = None if layout is None else layout.chain
    return chain is not None and (chain.pin != "GPIO10" or chain.route in ("pwm", "pio"))


def _see_the_systems(facts: Facts) -> tuple[str, ...]:
    """Let a virtual environment that is there use the packages of the system."""
    folder = facts.python.venv
    return (shlex.join(("python3", "-m", "venv", "--system-site-packages", folder)),) if folder else ()


def _install_lgpio(facts: Facts) -> tuple[str, ...]:
    """lgpio has wheels up to Python 3.12, Adafruit has one for 3.13 on a 64-bit Pi, and the system has its own."""
    if _from_adafruit(facts):
        return (install(facts, "adafruit-lgpio"),)
    if facts.python.version >= (3, 13):
        return (_APT, *_see_the_systems(facts))
    return (install(facts, f"lgpio>={_LGPIO}"),)


def _from_adafruit(facts: Facts) -> bool:
    return facts.python.version >= (3, 13) and facts.python.processor == "aarch64"


def _is_below(limit: str, *, with_the_system: bool = False) -> Callable[[Facts, Package], bool]:
    """Whether a package is older. Those of the system keep their number when Raspberry Pi's makers put them right."""
    return lambda _, package: (
        (with_the_system or not package.of_the_system) and version(package.version) < version(limit)
    )


def _knows_not(models: str, limit: str) -> Callable[[Facts, Package], bool]:
    older = _is_below(limit, with_the_system=True)
    return lambda facts, package: re.search(models, facts.machine.model) is not None and older(facts, package)


_SENTENCES = N_(
    {
        "gpiozero": "{package} {version} looks for the pins of a Raspberry Pi 5 in gpiochip4, whatever it is told. "
        "Since 6.6.45 the kernel calls that otherwise: {kernel} calls it {chip}.",
        "regression": "{package} {version} fails on a Raspberry Pi 5 where it is to find the pins by itself.",
        "stub": "{package} {version} is an empty package: nothing in it drives pins. pip takes it where it finds no "
        "other that suits this Python.",
        "twice": "{package} {version} and rpi-lgpio are both installed, and are the same module RPi.GPIO: what one of "
        "them wrote the other has written over. popout needs neither; other programs need one of them.",
        "board": "{package} {version} does not know this {model}: PWM lamps fail with “Hardware revision is not "
        "supported”.",
        "digit": "{package} {version} reads only the last digit of {chip}, and would light lamps through another chip.",
    }
)

_BAD: Final = (
    # gpiozero issues 1166 and 1162; the kernel's change is pull request 6144 of raspberrypi/linux.
    Bad(
        "gpiozero",
        "gpiozero-chip",
        lambda facts, package: (
            facts.machine.generation == 5
            and _is_below("2.0.1.post1")(facts, package)
            and (facts.header.chip is None or facts.header.chip.number != 4)
        ),
        _SENTENCES["gpiozero"],
        lambda facts: (install(facts, f"gpiozero>={_GPIOZERO}"),),
    ),
    # gpiozero issue 1229, put right by pull request 1230.
    Bad(
        "gpiozero",
        "gpiozero-regression",
        lambda facts, package: facts.machine.generation == 5 and package.version in ("2.0.1.post1", "2.0.1.post2"),
        _SENTENCES["regression"],
        lambda facts: (install(facts, f"gpiozero>={_GPIOZERO}"),),
    ),
    # lg issue 43, Blinka issue 974, gpiozero issue 1115: 0.0.0.2 is what pip finds for Python 3.13.
    Bad(
        "lgpio",
        "lgpio-stub",
        _is_below("0.1", with_the_system=True),
        _SENTENCES["stub"],
        lambda facts: (remove(facts, "lgpio"), *_install_lgpio(facts)),
    ),
    # The installation notes of rpi-lgpio.
    Bad(
        "RPi.GPIO",
        "rpi-gpio-twice",
        lambda facts, _: "rpi-lgpio" in facts.packages,
        _SENTENCES["twice"],
        lambda facts: (remove(facts, "RPi.GPIO", "rpi-lgpio"), install(facts, "rpi-lgpio")),
    ),
    # Blinka issue 1119, put right by 9.2.0: since kernel 6.12.96 the header of a Pi 5 has a number of two digits.
    Bad(
        "Adafruit-Blinka",
        "blinka-chip",
        lambda facts, package: (
            facts.header.chip is not None and facts.header.chip.number > 9 and _is_below(_BLINKA)(facts, package)
        ),
        _SENTENCES["digit"],
        lambda facts: (install(facts, f"Adafruit-Blinka>={_BLINKA}"),),
        of_lamps=True,
    ),
    # rpi_ws281x issues 475, 520; rpi-ws281x-python issues 80, 84: the releases that know these boards.
    *(
        Bad(
            "rpi-ws281x",
            "rpi-ws281x-old",
            _knows_not(models, known_since),
            _SENTENCES["board"],
            lambda facts: (install(facts, "rpi-ws281x>=5.0.0"),),
            of_lamps=True,
        )
        for models, known_since in (
            (r"Zero 2", "4.3.1"),
            (r"4 Model B Rev 1\.5", "4.3.4"),
            (r"3 Model B Plus Rev 1\.4", "5.0.0"),
        )
    ),
)
"""Each with its source."""
