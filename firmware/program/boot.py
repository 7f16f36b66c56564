"""What runs before the program: files that a former program has left on the Pico stay where they are, and out of it.

MicroPython runs this one instead of a file of that name, and would take modules from files before its own.
"""

import sys

import micropython

micropython.kbd_intr(-1)  # what a host says before the program listens must not stop it
sys.path[:] = [".frozen"]
