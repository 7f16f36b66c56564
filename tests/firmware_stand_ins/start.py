"""Start the firmware on MicroPython's unix port: its own sources, with stand-ins for what only a Pico has.

usage: start.py STAND_INS PROGRAM PACKAGES, the folders of these.
"""

import sys

# Theirs are found before MicroPython's own of these names.
sys.path[:] = sys.argv[1:4]

import uctypes_of_flash  # noqa: E402
from world import world  # noqa: E402

# Built in without a way to put another before it.
sys.modules["uctypes"] = uctypes_of_flash

import main  # noqa: E402, F401

# Now MicroPython's prompt would begin.
world.say("prompt, no watchdog" if world.bites_at is None else "prompt, watchdog")
