"""Whatever a disk does at whichever write: what was shown is there afterwards, and what was refused is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bad_disk import WAYS
from test_crash import HERE, run


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The disk that fails, as a library to be laid over the C library."""
    library = tmp_path_factory.mktemp("faultfs") / "faultfs.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", library, HERE / "faultfs.c", "-ldl"],
        check=True,
    )
    return library


@pytest.mark.parametrize("way", WAYS)
def test_at_every_write_in_turn_a_step_is_refused_in_a_sentence_or_committed(way: str, layer: Path):
    answer = run("bad_disk.py", way, LD_PRELOAD=str(layer))
    assert answer["calls"] > 50, "SQLite writes through the layer"
    figures = answer["ways"][way]
    assert (figures["kills"], figures["lost"], figures["doubled"]) == (answer["calls"] + 1, 0, 0)
    assert figures["faults"] == []
    for sentence in answer["sentences"]:
        assert sentence.endswith(".")
        assert "Error" not in sentence
    if "killed" not in way:
        assert any("could not be saved" in sentence for sentence in answer["sentences"])
