"""Specs of types: pairs of texts whose keys and values the API checks alike for every kind of type."""

from __future__ import annotations

import ast
import re
from typing import Any

from generated.runtime import Fault, Row
from services.values import kept_text

MAX_TEXT = 255
_KEY = re.compile(r"[\w.\-:]+\Z")


def check_keys(specs: Row) -> None:
    """Raise Fault 400 for a key with characters that are not allowed."""
    if not all(_KEY.match(key) for key in specs):
        raise Fault(
            400, "Key names can only contain alphanumeric characters, underscores, periods, colons and hyphens."
        )


def is_text(value: object) -> bool:
    """Whether the value is a text of a length the database keeps, and not empty."""
    return isinstance(value, str) and 0 < len(value) <= MAX_TEXT


def check_texts(specs: Row, word: str = "extra_spec") -> None:
    """Raise Fault 400 for a key or value that is neither a short text nor, as a value, a boolean.

    ``word`` is what the text of the refusal calls a spec.
    """
    for key, value in specs.items():
        if isinstance(value, dict) and is_text(key):
            check_texts(value, word)  # the refusal names the innermost, as the original's
        if not is_text(key) or not (is_text(value) or isinstance(value, bool)):
            raise Fault(400, f"Invalid {word}: {key}: {value}")


def stored(specs: Row, *, new: bool = False) -> dict[str, str]:
    """Specs as they are kept: a boolean is ``True`` or ``False`` of a ``new`` type, ``true`` or ``false`` if added."""
    return {key: str(value if new else kept_text(value)) for key, value in specs.items()}


def single(body: Any, key: str, stop: str = "") -> Row:
    """The body of a request that sets the one spec ``key``. ``stop`` ends the texts of the refusals (Fault 400)."""
    if not isinstance(body, dict) or key not in body:
        raise Fault(400, f"Request body and URI mismatch{stop}")
    if len(body) > 1:
        raise Fault(400, f"Request body contains too many items{stop}")
    return body


def literal(name: str, text: str) -> Row:
    """A dictionary that a client wrote in the query as Python's literal. Raises Fault 400 naming the parameter."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise Fault(400, f"'{name}' must be a dictionary.")
    return value
