"""Which Raspberry Pi it is, from made-up files of the kernel."""

from pathlib import Path

import pytest

from popout.board.gpio.machine import Machine, look


def pi(root: Path, model: str, revision: int) -> Path:
    """A Pi whose device tree says so."""
    tree = root / "proc/device-tree"
    (tree / "system").mkdir(parents=True)
    (tree / "model").write_bytes(model.encode() + b"\0")
    (tree / "system/linux,revision").write_bytes(revision.to_bytes(4, "big"))
    return root


@pytest.mark.parametrize(
    ("model", "revision", "generation"),
    [
        ("Raspberry Pi Model B Rev 2", 0x000E, 1),
        ("Raspberry Pi Zero W Rev 1.1", 0x9000C1, 1),
        ("Raspberry Pi 2 Model B Rev 1.1", 0xA01041, 2),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", 0xA020D3, 3),
        ("Raspberry Pi Zero 2 W Rev 1.0", 0x902120, 3),
        ("Raspberry Pi 4 Model B Rev 1.4", 0xC03114, 4),
        ("Raspberry Pi 400 Rev 1.0", 0xC03130, 4),
        ("Raspberry Pi Compute Module 4 Rev 1.1", 0xB03141, 4),
        ("Raspberry Pi 5 Model B Rev 1.0", 0xC04170, 5),
        ("Raspberry Pi 500 Rev 1.0", 0xD04190, 5),
    ],
)
def test_the_revision_code_tells_the_generation(tmp_path, model, revision, generation):
    assert look(pi(tmp_path, model, revision)) == Machine(model, generation)


def test_a_pi_newer_than_this_program_is_taken_for_the_newest_that_it_knows(tmp_path):
    assert look(pi(tmp_path, "Raspberry Pi 9 Model B Rev 1.0", 0xC0F190)).generation == 5


def test_without_a_device_tree_the_processor_s_file_is_read(tmp_path):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(
        "processor\t: 0\nRevision\t: c03111\nModel\t\t: Raspberry Pi 4 Model B Rev 1.1\n"
    )

    assert look(tmp_path) == Machine("Raspberry Pi 4 Model B Rev 1.1", 4)


def test_a_laptop_and_another_small_computer_are_no_pi(tmp_path):
    assert look(tmp_path) == Machine("", 0)
    assert not look(pi(tmp_path, "Orange Pi 5", 0xC04170)).is_pi


@pytest.mark.parametrize("junk", [b"", b"\xff" * 4000, b"Revision : zz\n", b"Revision\t: 123456789abc\n"])
def test_no_junk_makes_a_pi_or_an_error(tmp_path, junk):
    tree = tmp_path / "proc/device-tree/system"
    tree.mkdir(parents=True)
    (tree / "linux,revision").write_bytes(junk[:3])
    (tmp_path / "proc/cpuinfo").write_bytes(junk)

    assert look(tmp_path) == Machine("", 0)
