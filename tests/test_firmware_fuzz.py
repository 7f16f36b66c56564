"""A million bytes of noise do nothing to the firmware; `firmware_fuzz.py` makes other noise by hand."""

from pathlib import Path

from firmware_fuzz import MOST_GROWTH, fuzz


def test_a_million_bytes_of_noise_stop_nothing_grow_nothing_and_hide_no_good_frame(tmp_path: Path):
    result = fuzz(tmp_path, 1_000_000, seed=6)
    assert result.noise >= 1_000_000
    assert result.answered == result.asked > 1000
    assert result.bad > 5000
    assert len(result.free) > 20
    assert result.growth < MOST_GROWTH
