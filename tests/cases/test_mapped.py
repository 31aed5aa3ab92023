"""Every row of reports, trials and the defects of the original has tests that exist, or says why it has none."""

from __future__ import annotations

import ast
import functools
import pathlib
from typing import Any

import pytest
import yaml

from tests.conformance import launch, replay

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
TABLES = ("public-reports", "original-defects", "trials")
REPLAYED = set(replay.VISIBLE)
"""Recordings that the conformance session replays."""


@functools.cache
def functions(file: str) -> frozenset[str]:
    """Names of the test functions of a file below ``tests/``."""
    tree = ast.parse((TESTS / file).read_text())
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def missing(test: str) -> bool:
    """Whether what a row names is not there."""
    kind, _, name = test.partition(":")
    if kind == "answers":
        return name not in yaml.safe_load((HERE / "answers.yaml").read_text())
    if kind == "recording":
        return name not in REPLAYED or not (launch.VENDORED / "recordings" / f"{name}.json").exists()
    file, _, function = test.partition("::")
    return not (TESTS / file).exists() or function not in functions(file)


@pytest.mark.parametrize("table", TABLES)
def test_every_row_has_its_tests_or_a_reason(table: str) -> None:
    rows: dict[Any, dict[str, Any]] = yaml.safe_load((HERE / f"{table}.yaml").read_text())
    silent = [row for row, entry in rows.items() if not entry.get("tests") and len(entry.get("reason", "")) < 20]
    assert not silent
    gone = [f"{row}: {test}" for row, entry in rows.items() for test in entry.get("tests", []) if missing(test)]
    assert not gone, "\n".join(gone)


def test_no_row_is_lost() -> None:
    """The reports are 56 that have numbers and 37 others; of the defects some rows are one here (``rows``)."""
    reports = yaml.safe_load((HERE / "public-reports.yaml").read_text())
    numbered = [row for row in reports if isinstance(row, int)]
    assert (len(numbered), len(reports) - len(numbered)) == (56, 37)
    defects = yaml.safe_load((HERE / "original-defects.yaml").read_text())
    assert sum(entry.get("rows", 1) for entry in defects.values()) == 99


def test_every_answer_belongs_to_a_row() -> None:
    answers = set(yaml.safe_load((HERE / "answers.yaml").read_text()))
    named: set[str] = set()
    for table in TABLES:
        rows: dict[Any, dict[str, Any]] = yaml.safe_load((HERE / f"{table}.yaml").read_text())
        for entry in rows.values():
            named |= {test.removeprefix("answers:") for test in entry.get("tests", []) if test.startswith("answers:")}
    assert answers == named
