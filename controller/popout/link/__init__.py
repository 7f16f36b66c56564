"""What the host and the microcontroller must agree on. Every file here runs unchanged on CPython and MicroPython."""
