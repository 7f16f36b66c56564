"""Which Raspberry Pi this is, if it is one, from what its firmware tells the kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from popout.board.files import text


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer.

    :ivar model: what the firmware calls it, such as ``Raspberry Pi 4 Model B Rev 1.4``; empty if it is no Pi.
    :ivar generation: which Raspberry Pi its processor makes it, 1 to 5 (a Zero is a 1, a Zero 2 a 3, a 400 a 4);
        0 if it is no Pi.
    """

    model: str
    generation: int

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi."""
        return self.generation > 0


NO_PI: Final = Machine("", 0)

# "New-style revision codes" of the Raspberry Pi documentation: bit 23 marks one, bits 12 to 15 name the processor.
_NEW_STYLE: Final = 1 << 23
_PROCESSORS: Final = {0: 1, 1: 2, 2: 3, 3: 4, 4: 5}  # BCM2835, BCM2836, BCM2837, BCM2711, BCM2712
# A Pico that carries the name has no kernel that we could run on.
_NAMED: Final = re.compile(r"Raspberry Pi .*")


def look(root: Path = Path("/")) -> Machine:
    """Which computer this is. Never raises: what cannot be read is not there.

    :param root: where the file system begins; another folder in tests.
    """
    model = text(root / "proc/device-tree/model") or ""
    revision = _device_tree_revision(root)
    if revision is None:
        cpuinfo = text(root / "proc/cpuinfo") or ""
        revision = _cpuinfo_value(cpuinfo, "Revision")
        model = model or (_model_line(cpuinfo) if revision is not None else "")
    if revision is None or (model and not _NAMED.fullmatch(model)):
        return NO_PI
    if not revision & _NEW_STYLE:
        return Machine(model or "Raspberry Pi", 1)  # old codes belong to the first generation
    generation = _PROCESSORS.get(revision >> 12 & 0xF)
    if generation is None:
        # Newer than this program: its name is all that is known, and it is taken for what came last.
        generation = max(_PROCESSORS.values())
    return Machine(model or f"Raspberry Pi {generation}", generation)


def _device_tree_revision(root: Path) -> int | None:
    try:
        content = (root / "proc/device-tree/system/linux,revision").read_bytes()
    except OSError:
        return None
    return int.from_bytes(content, "big") if len(content) == 4 else None


def _cpuinfo_value(cpuinfo: str, key: str) -> int | None:
    found = re.search(rf"^{key}\s*:\s*([0-9a-fA-F]{{1,8}})$", cpuinfo, re.MULTILINE)
    return int(found[1], 16) if found else None


def _model_line(cpuinfo: str) -> str:
    found = re.search(r"^Model\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return found[1].strip() if found else ""
