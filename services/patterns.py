"""Regular expressions of clients, matched in time proportional to the text whatever the expression.

Python's own engine goes back to try again, so a short expression keeps a process busy for hours.
"""

from __future__ import annotations

import functools
from typing import Any

import re2  # type: ignore[import-untyped]  # its wheel has no types

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # they go to the client


class BadPattern(ValueError):
    """No expression, one that RE2 does not have (look-around, references back), or one of more than a megabyte."""


@functools.lru_cache(64)
def _compiled(pattern: str) -> Any:
    try:
        return re2.compile(pattern, _OPTIONS)
    except (re2.error, UnicodeError) as error:
        raise BadPattern(pattern) from error


def is_usable(pattern: str) -> bool:
    """Whether it is a regular expression that can be matched in bounded time."""
    try:
        _compiled(pattern)
    except BadPattern:
        return False
    return True


def begins(pattern: str, text: str) -> bool:
    """Whether ``text`` begins with what ``pattern`` matches.

    Raises:
        BadPattern: the pattern can't be used.
    """
    return _compiled(pattern).match(text) is not None
