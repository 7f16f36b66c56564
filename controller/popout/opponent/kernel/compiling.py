"""Compile the kernel where numba is installed; run the same source as it is where it is not."""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Callable, MutableSequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])

Words = MutableSequence[int]
"""Whole numbers of 63 bits and a sign, in a row."""
Bytes = MutableSequence[int]
"""Whole numbers from 0 to 255, in a row."""

PLAIN = "python"
"""As the value of the environment variable ``POPOUT_ENGINE``: do not compile, even if numba is there."""

try:
    if os.environ.get("POPOUT_ENGINE") == PLAIN:
        raise ImportError
    import numba
    import numpy

    COMPILED = True
except ImportError:
    COMPILED = False


def compiled(function: _Function) -> _Function:
    """A function of the kernel, which uses nothing but whole numbers, shapes, `Words` and `Bytes`.

    No sum and no product may need more than 63 bits and a sign: compiled, it would not be cut off, but be anything.
    """
    if not COMPILED:
        return function
    wanted = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = wanted or _cache_folder()
    try:
        made = _made(function, cached=True)
    except RuntimeError:  # there is no folder in which it could be kept
        made = _made(function, cached=False)
    finally:
        numba.config.CACHE_DIR = wanted
    return made


def words(count: int) -> Words:
    """So many zeros.

    :raises MemoryError: there is not so much memory.
    """
    if COMPILED:
        return cast(Words, numpy.zeros(count, numpy.int64))
    return array("q", bytes(8 * count))


def octets(count: int) -> Bytes:
    """So many zeros of a byte each.

    :raises MemoryError: there is not so much memory.
    """
    if COMPILED:
        return cast(Bytes, numpy.zeros(count, numpy.uint8))
    return bytearray(count)


def _made(function: _Function, *, cached: bool) -> _Function:
    made: _Function = numba.njit(cache=cached, nogil=True, error_model="numpy")(function)
    return made


@cache
def _cache_folder() -> str:
    """Where compiled code of just these sources is kept.

    numba compiles anew what has changed, but not what calls it; so each version of the kernel has a folder of its own.
    """
    from platformdirs import user_cache_path

    sources = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        sources.update(file.read_bytes())
    return str(user_cache_path("popout") / "kernel" / sources.hexdigest()[:16])
