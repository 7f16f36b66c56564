"""The board: the turns of the program, in which the switches are read, the host is talked to and the lamps are lit."""

import gc
from time import sleep_ms, ticks_diff, ticks_us

import machine
from micropython import const

import chip
import description
import failure
from lamps import Lamps
from popout import __version__
from popout.link.board_end import BoardEnd
from popout.link.pictures import REPAINT_MS
from popout.link.self_test import SelfTest
from popout.link.words import LAST_WORDS_MS, SELF_TEST, TO_BOOT_LOADER, TO_PROMPT
from port import Port
from switches import Switches, mask

_READ_BYTES = const(64)
"""So many are understood in a turn, so that none takes long."""
_TIDY_MS = const(10_000)
"""So often memory is tidied up, which takes a few milliseconds, at a moment when nothing is going on."""


class Board:
    """The whole board. Its lamps are dark from the first moment on."""

    def __init__(self) -> None:
        told = description.read()
        try:
            self._lamps = Lamps(told)
            self._switches = Switches(told)
        except (KeyError, TypeError, ValueError) as error:
            # Made for another firmware. Then it is a board of nothing, whose firmware can be put right.
            trouble = "the description of the board is not understood: " + repr(error)
            told = description.nothing()
            self._lamps = Lamps(told)
            self._switches = Switches(told)
        else:
            trouble = "" if told["switches"] else "no board is described in the firmware"
        self._clock = chip.Clock()
        now = self._clock.now()
        levers, resting = mask(told, "disc"), mask(told, "rests")
        reset = chip.reset_reason()
        self._end = BoardEnd(
            (__version__, chip.unique_id(), told["digest"], reset, chip.model()),
            told["picture"],
            self._switches.closed,
            now,
            resting,
            levers,
        )
        self._end.note("started: " + reset)
        if trouble:
            self._end.note(trouble)
        for line in failure.found(reset):
            self._end.note("the program failed: " + line)
        self._port = Port()
        self._buffer = bytearray(_READ_BYTES)
        self._due = self._end.due()
        self._shown_at = now
        self._unseen = False
        # Whoever holds a button while the board gets its current wants to see its lamps.
        self._buttons = ~(levers | resting)
        self._test = SelfTest(told["picture"], now, True) if self._held() else None
        self._watchdog = chip.start_watchdog()
        self._tidied_at = now
        self._tidy(now)

    def run(self) -> None:
        """Be a board until the host sends the program to the prompt."""
        while self._end.wish != TO_PROMPT or not self._port.free():
            began = ticks_us()
            idle = self._turn()
            took = ticks_diff(ticks_us(), began)
            if took > self._end.loop_us:
                self._end.loop_us = took
            if idle:
                machine.idle()  # for a millisecond at most
        self.darken()
        chip.stop_watchdog()
        self._port.leave()

    def darken(self) -> None:
        """Be dark."""
        self._lamps.darken()

    def _turn(self) -> bool:
        """One turn: whether there was nothing to do in it."""
        now = self._clock.now()
        self._watchdog.feed()
        idle = not self._hear(now)
        end = self._end
        length = self._port.read(self._buffer)
        if length:
            idle = False
            end.receive(self._buffer, length, now)
            self._due = end.due()
        end.tick(now)
        while self._port.free():
            line = end.outgoing(now)
            if line is None:
                break
            idle = False
            self._port.write(line)
        if end.wish and self._port.free():  # what was to be said to it is said
            self._fulfil(now)
        self._show(now)
        if idle and self._due is None and now - self._tidied_at >= _TIDY_MS:
            self._tidy(now)
        return idle

    def _hear(self, now: int) -> bool:
        """Take in the switches: whether anything is going on with them."""
        end = self._end
        closed = self._switches.closed
        due = self._due is not None and self._due <= now
        if due:
            # What was certain before comes before what changes now.
            end.poll(now, closed)
        changed = self._switches.look()
        if not changed and not due:
            return False
        for switch in range(len(closed)):
            if changed >> switch & 1:
                end.edge(switch, closed[switch], now)
        self._due = end.due()
        return True

    def _fulfil(self, now: int) -> None:
        """Do what the host wants of the program itself."""
        end = self._end
        if end.wish == SELF_TEST:
            end.wish = ""
            self._test = SelfTest(len(end.colours), now)
        elif end.wish == TO_BOOT_LOADER:
            self.darken()
            sleep_ms(LAST_WORDS_MS)
            chip.to_boot_loader()

    def _show(self, now: int) -> None:
        end = self._end
        if end.picture_is_new():
            self._unseen = True
        colours = end.colours
        test = self._test
        if test is not None:
            if test.is_over(end.greeted, test.by_hand and self._held()):
                self._test = None
                self._unseen = True
            else:
                colours = test.colours
                if test.step(now):
                    self._unseen = True
        if (self._unseen or now - self._shown_at >= REPAINT_MS) and self._lamps.ready():
            self._lamps.show(colours)
            self._unseen = False
            self._shown_at = now

    def _held(self) -> bool:
        """Whether a button is closed."""
        closed = self._switches.closed
        return any(closed[switch] and self._buttons >> switch & 1 for switch in range(len(closed)))

    def _tidy(self, now: int) -> None:
        """Collect what is no longer used, so that the collector need not do it while somebody plays."""
        gc.collect()
        self._end.free_bytes = gc.mem_free()
        self._tidied_at = now
