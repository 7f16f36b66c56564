"""What the rigs make before they begin, made ahead of them: the kernel, the firmware's images, the emulator's library.

PYTHONPATH=tests python -m rig.ahead      makes what there is not yet, which takes minutes, one after the other
"""

from __future__ import annotations

import signal
import sys

from popout.firmware.build import base_image
from popout.firmware.errors import FirmwareError
from popout.firmware.uf2 import FAMILIES
from rig.gpio.kernel import RigError, kernel, leave
from rig.pico.library import library


def main() -> int:
    """Make it all; what cannot be made is said, and does not keep the rest from being made."""
    signal.signal(signal.SIGTERM, leave)
    wrong = 0
    for make in (kernel, library, *(lambda model=model: base_image(model, print) for model in FAMILIES)):
        try:
            print(make())
        except (RigError, FirmwareError) as error:
            print(error, file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
