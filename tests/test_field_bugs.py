"""Each fault that others had is named by a test, and each name that a test gives is explained."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
LISTED = set(re.findall(r"^\| ([A-Z]\d+) \|", (TESTS.parent / "docs/field-bugs.md").read_text("utf-8"), re.MULTILINE))
NAME = re.compile(r"\b[GLSER][1-9]\d?\b|\bT[1-9]\b")


def remarks(source: str) -> Iterator[str]:
    """The comments and docstrings of a module, and the names of its tests."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield ast.get_docstring(node) or ""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
            yield " ".join(part.upper() for part in node.name.split("_") if re.fullmatch(r"[glsert][1-9]\d?", part))


def named() -> set[str]:
    """The faults that the tests name."""
    return {
        name
        for file in TESTS.rglob("test_*.py")
        for remark in remarks(file.read_text("utf-8"))
        for name in NAME.findall(remark)
    }


def test_a_test_names_each_fault_that_is_listed():
    assert LISTED - named() == set()


def test_each_fault_that_a_test_names_is_listed():
    assert named() - LISTED == set()
