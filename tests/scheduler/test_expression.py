"""The language of filter and goodness functions."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler.expression import BadExpression, evaluate

NAMES: dict[str, dict[str, Any]] = {"stats": {"free": 50, "name": "alpha"}, "share": {"size": "4"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3.5),
        ("2 ^ 3 ^ 2", 64),
        ("-2 + 5", 3),
        ("1 < 2 < 3", True),
        ("1 < 3 < 2", False),
        ("not 1 > 2", False),
        ("! (1 > 2) && 3 >= 3", True),
        ("1 > 2 or 2 <> 1", True),
        ("stats.free > 10 ? 100 : 20", 100),
        ("stats.free > 100 ? 100 : 20", 20),
        ("max(1, 2, stats.free)", 50),
        ("min(3, abs(-2))", 2),
        ("share.size + 1", 5),
        ("stats.name == 'alpha'", True),
        ('stats.name == "beta"', False),
        ("1.5 * 2", 3.0),
    ],
)
def test_value(text: str, expected: object) -> None:
    assert evaluate(text, NAMES) == expected


MISTAKES = ["", "1 +", "(1", "1 2", "stats.absent", "other.free", "1 / 0", "$", "max 1", "1 + 'a'"]


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes(text: str) -> None:
    with pytest.raises(BadExpression):
        evaluate(text, NAMES)
