"""In which order lamps take their colours: what each order would let be seen, and which question tells them apart.

A lamp takes the first three or four bytes of the stream and passes the rest on. A chain of lamps with three colours
that is sent four bytes a lamp, or the other way round, therefore shows shifted colours, further along the wire too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import Final, NamedTuple

ORDERS: Final = tuple("".join(letters) + white for white in ("", "w") for letters in permutations("rgb"))
"""All orders that a lamp could have. A layout can name only some of them."""

NONE: Final = "n"
MIXED: Final = "m"


class Probe(NamedTuple):
    """One lamp is lit in one pure colour: the one at `lamp` on the wire, from 0, in ``r``, ``g`` or ``b``."""

    lamp: int
    colour: str


def stream(order: str, colours: Iterable[str]) -> list[bool]:
    """The bytes that are sent, on or off: for each lamp a text of the colours that are on, such as ``r`` or ``rgb``."""
    return [letter in colour for colour in colours for letter in order]


def shown(order: str, sent: list[bool], lamps: int) -> list[str]:
    """What a chain of so many lamps shows when it is sent these bytes: for each lamp the colours that are on."""
    size = len(order)
    pieces = [sent[size * lamp : size * (lamp + 1)] for lamp in range(lamps)]
    # A lamp that does not get all of its bytes does not light.
    return [
        "".join(letter for letter, on in zip(order, piece, strict=True) if on) if len(piece) == size else ""
        for piece in pieces
    ]


def answer(declared: str, real: str, lamps: int, probe: Probe) -> str:
    """What a person would say to a probe: the letter of the colour, ``n`` for no light, ``m`` for anything else."""
    sent = stream(declared, [probe.colour if lamp == probe.lamp else "" for lamp in range(lamps)])
    lit = [colours for colours in shown(real, sent, lamps) if colours]
    return NONE if not lit else lit[0] if len(lit) == 1 and len(lit[0]) == 1 else MIXED


def best_probe(declared: str, orders: Iterable[str], lamps: int, asked: Iterable[int]) -> Probe | None:
    """The probe whose answer tells most of the orders apart; None if none tells any.

    :param orders: those that are still possible; there may be none. :param asked: indices of lamps that are of no use.
    """
    orders, useless = list(orders), set(asked)
    if not orders:
        return None
    best: tuple[int, Probe] | None = None
    for index in range(min(lamps, 2 + len(useless))):
        for colour in "rgb":
            probe = Probe(index, colour)
            worst = max(Counter(answer(declared, order, lamps, probe) for order in orders).values())
            if index not in useless and worst < len(orders) and (best is None or worst < best[0]):
                best = worst, probe
    return best[1] if best else None
