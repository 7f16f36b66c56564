"""Who on the network may play: codes that the board shows, devices that typed one, how often one may be wrong. Pure.

What protects is the code's own limit: after `TRIES` wrong ones in all, from wherever they come, it is void, so that a
change of address (of which an IPv6 network has any number) gains nothing. The waits of each address only keep one
device from using those tries up. Nobody at the board can be locked out: an invitation there begins afresh.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from popout.rules import Message, PopoutError, Side

VALID_S = 300.0
"""How long a code can be used, in seconds."""
TRIES = 10
"""Wrong codes after which one is void, from all addresses together."""
LONGEST_WAIT_S = 60.0
"""How long an address has to wait at most after a wrong code; the first wait is one second, each next twice as long."""
ADDRESSES_KEPT = 256
"""Of how many addresses the waits are remembered; the oldest are forgotten first."""
MOST_PLAYERS = 16
"""Devices that can be admitted at once; with another one the oldest is put out."""
TOKEN_BYTES = 24

_RUN_OUT = Message("This code has run out. Ask at the board for a new one.")


class AdmissionError(PopoutError):
    """A device on the network may not do that."""

    code = "not-admitted"


class WrongCode(AdmissionError, ValueError):
    """No side was invited by that code."""

    code = "wrong-code"


class CodeRunOut(AdmissionError, TimeoutError):
    """The code was right once, or there is none at all now."""

    code = "code-run-out"


class TooManyTries(AdmissionError, PermissionError):
    """This address was wrong too often, and has to wait."""

    code = "too-many-tries"


class NotAdmitted(AdmissionError, PermissionError):
    """The token is unknown: the device was put out, or the program was started again."""


@dataclass(frozen=True)
class Invitation:
    """A code with which one device may take a side until a time, in seconds.

    :ivar wrong: how many wrong codes have been tried since it was made.
    """

    side: Side
    code: str
    until: float
    wrong: int = 0


@dataclass(frozen=True)
class Player:
    """A device that may play a side: its number in the list, since when (in seconds) and from which address.

    :ivar token: by which it is known again. Nobody else may see it.
    """

    number: int
    side: Side
    since: float
    address: str
    token: str


@dataclass(frozen=True)
class _Wrong:
    times: int
    until: float


class Admission:
    """Everybody who is invited or admitted, in memory only: a new start of the program puts all out.

    Times are seconds on any clock that only goes forward.
    """

    def __init__(
        self,
        choose_code: Callable[[], str] = lambda: f"{secrets.randbelow(1_000_000):06}",
        choose_token: Callable[[], str] = lambda: secrets.token_urlsafe(TOKEN_BYTES),
    ) -> None:
        self._choose_code = choose_code
        self._choose_token = choose_token
        self._invited: dict[Side, Invitation] = {}
        self._run_out: dict[Side, str] = {}
        self._players: dict[int, Player] = {}
        self._waits: OrderedDict[str, _Wrong] = OrderedDict()
        self._last_number = 0

    @property
    def players(self) -> tuple[Player, ...]:
        """The admitted devices, the first one first."""
        return tuple(self._players.values())

    def invited(self, now: float) -> tuple[Invitation, ...]:
        """The codes that can be used now."""
        self._forget_what_ran_out(now)
        return tuple(self._invited.values())

    def invite(self, side: Side, now: float) -> Invitation:
        """A new code for a side, which makes an older one for it void and ends every wait."""
        self._forget_what_ran_out(now)
        others = {each.code for each in self._invited.values()}
        while (code := self._choose_code()) in others:
            pass
        self._waits.clear()
        self._run_out.pop(side, None)
        self._invited[side] = Invitation(side, code, now + VALID_S)
        return self._invited[side]

    def enter(self, address: str, code: str, now: float) -> Player:
        """Admit the device at `address` for the side whose code it typed.

        :raises WrongCode: it is nobody's. :raises CodeRunOut: it came too late, or no code can be used now.
        :raises TooManyTries: the address has to wait first; the code was not looked at.
        """
        self._forget_what_ran_out(now)
        if not self._invited:
            raise self._nothing_to_guess(code)
        self._wait_is_over(address, now)
        # Each is compared in the same time, whatever the others were.
        right = [each for each in self._invited.values() if _same(each.code, code)]
        if right:
            self._waits.pop(address, None)
            del self._invited[right[0].side]
            return self._admit(right[0].side, address, now)
        late = self._is_late(code)
        self._count_wrong(address, now)
        if late:
            raise CodeRunOut(_RUN_OUT)
        raise WrongCode(Message("This is not the code. Look at the board's page or terminal, and type its six digits."))

    def again(self, token: str) -> Player:
        """The device that comes back with the token that `enter` gave it.

        :raises NotAdmitted: there is none.
        """
        found = [each for each in self._players.values() if _same(each.token, token)]
        if not found:
            raise NotAdmitted(
                Message("This device may not play any more. To play again, type the code that the board shows.")
            )
        return found[0]

    def put_out(self, number: int) -> None:
        """Put a device out; its token is worth nothing any more.

        :raises NotAdmitted: there is no device of that number.
        """
        if self._players.pop(number, None) is None:
            raise NotAdmitted(Message("There is no device {number} any more.", number=number))

    def side_of(self, number: int | None) -> Side | None:
        """The side that the device of that number plays; None if it was put out or never admitted."""
        player = None if number is None else self._players.get(number)
        return player.side if player else None

    def _nothing_to_guess(self, code: str) -> CodeRunOut:
        if self._is_late(code):
            return CodeRunOut(_RUN_OUT)
        return CodeRunOut(Message("No code can be used now. Ask at the board for one."))

    def _is_late(self, code: str) -> bool:
        return True in [_same(each, code) for each in self._run_out.values()]

    def _wait_is_over(self, address: str, now: float) -> None:
        wait = self._waits.get(address)
        if wait is None or now >= wait.until:
            return
        raise TooManyTries(
            Message(
                "That was wrong too often. Wait for {count} second, then type the code that the board shows.",
                plural="That was wrong too often. Wait for {count} seconds, then type the code that the board shows.",
                count=ceil(wait.until - now),
            )
        )

    def _admit(self, side: Side, address: str, now: float) -> Player:
        if len(self._players) >= MOST_PLAYERS:
            del self._players[next(iter(self._players))]
        self._last_number += 1
        player = Player(self._last_number, side, now, address, self._choose_token())
        self._players[player.number] = player
        return player

    def _count_wrong(self, address: str, now: float) -> None:
        before = self._waits.pop(address, _Wrong(0, now))
        times = before.times + 1
        self._waits[address] = _Wrong(times, now + min(2.0 ** min(times - 1, 30), LONGEST_WAIT_S))
        if len(self._waits) > ADDRESSES_KEPT:
            self._waits.popitem(last=False)
        for side, each in list(self._invited.items()):
            self._invited[side] = replace(each, wrong=each.wrong + 1)
            if each.wrong + 1 >= TRIES:
                self._end(side)

    def _forget_what_ran_out(self, now: float) -> None:
        for side, each in list(self._invited.items()):
            if now >= each.until:
                self._end(side)

    def _end(self, side: Side) -> None:
        self._run_out[side] = self._invited.pop(side).code


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
