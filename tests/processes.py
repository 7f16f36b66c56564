"""Looking at processes of the system."""

from __future__ import annotations

import time
from pathlib import Path

PATIENCE_S = 10.0


def ended(process: int) -> bool:
    """Whether the process comes to its end, sooner or later."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # until the system takes note
            return True
        time.sleep(0.01)
    return False
