"""What is frozen into the firmware, for MicroPython's build: its port's own modules, our program, and the link."""

import os

# The build has put together in one folder what is ours: the program, and of the package popout what it uses.
freeze("$(PORT_DIR)/modules")  # noqa: F821
freeze(os.environ["POPOUT_FROZEN"])  # noqa: F821
