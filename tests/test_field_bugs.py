"""Each fault that others had is named by a test, and each name that a test gives is explained."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
LISTED = set(re.findall(r"^\| ([A-Z]\d+) \|", (TESTS.parent / "docs/field-bugs.md").read_text("utf-8"), re.MULTILINE))


def named() -> set[str]:
    """The faults that the tests name, in a comment or in a test's own name."""
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        text = file.read_text("utf-8")
        found |= set(re.findall(r"\b([GLERT][1-9]\d?)\b", text))
        for name in re.findall(r"def (test_\w+)", text):
            found |= {part.upper() for part in name.split("_") if re.fullmatch(r"[glert][1-9]\d?", part)}
    return found


def test_a_test_names_each_fault_that_is_listed():
    assert LISTED - named() == set()


def test_the_list_is_whole():
    assert len(LISTED) == 16 + 8 + 17 + 8 + 4
