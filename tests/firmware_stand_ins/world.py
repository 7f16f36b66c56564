"""What is around the chip, for a firmware that runs on MicroPython's unix port: pins, lamps, flash memory, time.

A test stands outside and talks over a socket, whose number is in the environment, in lines. It says::

    pin 4 0        the level of a pin
    pass 20        let so many milliseconds pass, one in each turn of the program that has nothing to do
    fail           let the next look at the pins go wrong
    memory         tidy up and say what is free

and hears ``passed``, ``memory 1234``, ``lamps 00ff00...`` (the bytes on their wire), ``led 3 1`` (the level of a pin),
and where a program goes that ends: ``prompt, no watchdog``, ``boot loader``, ``watchdog``.

Time stands still, unless it is let pass: nothing depends on how fast this computer is.
"""

import gc
import os
import select
import sys

_WAIT_MS = 20


class World:
    def __init__(self):
        number = int(os.getenv("POPOUT_WORLD"))
        self._in = open(number, "rb")
        self._out = open(number, "wb")
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        self._either = select.poll()
        self._either.register(self._in, select.POLLIN)
        self._either.register(sys.stdin, select.POLLIN)
        self._left_ms = 0
        self._passed = False
        self.now_ms = int(os.getenv("POPOUT_CLOCK") or "0")
        self.levels = int(os.getenv("POPOUT_LEVELS") or "0", 16)
        self.reset_cause = int(os.getenv("POPOUT_RESET_CAUSE") or "1")
        self.ran_out = bool(os.getenv("POPOUT_RAN_OUT"))
        with open(os.getenv("POPOUT_FLASH"), "rb") as file:
            self.flash = file.read()
        self._fails = False
        self.bites_at = None

    def say(self, line):
        self._out.write(line + "\n")

    def look(self):
        """The levels of the pins."""
        while self._poll.poll(0):
            self._obey()
        if self._fails:
            self._fails = False
            raise RuntimeError("the pins have gone")
        return self.levels

    def idle(self):
        """The program has nothing to do in this turn."""
        if self._left_ms:
            self._left_ms -= 1
            self.wait(1)
            if not self._left_ms:
                self._passed = True
        elif self._passed:
            self._passed = False
            self.say("passed")
        else:
            self._either.poll(_WAIT_MS)

    def wait(self, ms):
        self.now_ms += ms
        if self.bites_at is not None and self.now_ms >= self.bites_at:
            self.say("watchdog")
            sys.exit(0)

    def feed(self, timeout_ms):
        self.bites_at = None if timeout_ms is None else self.now_ms + timeout_ms

    def _obey(self):
        words = self._in.readline().decode().split()
        if not words:
            sys.exit(0)  # the test has gone
        if words[0] == "pin":
            bit = 1 << int(words[1])
            self.levels = self.levels | bit if words[2] == "1" else self.levels & ~bit
        elif words[0] == "pass":
            self._left_ms = int(words[1])
        elif words[0] == "fail":
            self._fails = True
        elif words[0] == "memory":
            gc.collect()
            self.say("memory " + str(gc.mem_free()))


world = World()
