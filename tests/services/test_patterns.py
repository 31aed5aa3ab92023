"""Patterns of clients take bounded time, and what can't be matched so is refused."""

from __future__ import annotations

import pytest

from services import patterns


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("fake", "fake_pool", True),
        ("pool", "fake_pool", False),
        (".*pool$", "fake_pool", True),
        ("(?i)FAKE", "fake_pool", True),
        ("[a-f]\\w+_", "fake_pool", True),
        ("", "", True),
    ],
)
def test_patterns_match_from_the_start(pattern: str, text: str, found: bool) -> None:
    assert patterns.begins(pattern, text) is found


@pytest.mark.parametrize(
    "pattern", ["(.|.|.|.){11}!", "(.|.|.|.){400}!", "(a*)*b", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)b"]
)
def test_a_pattern_that_python_would_try_for_ever_is_answered(pattern: str) -> None:
    assert not patterns.begins(pattern, "a" * 60 + "?")  # Python takes hours for it


@pytest.mark.parametrize("pattern", ["(" * 3000, "(?=x)", "(x)\\1", "[", "\ud800", "((a{100}){100}){100}", "a{1001}"])
def test_what_cannot_be_matched_in_bounded_time_is_refused(pattern: str) -> None:
    with pytest.raises(patterns.BadPattern):
        patterns.begins(pattern, "x")
