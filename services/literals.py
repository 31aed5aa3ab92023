"""Filters that clients write as Python dictionaries, such as ``metadata={'key': 'value'}``."""

from __future__ import annotations

import ast

from generated.runtime import Fault

_LONGEST = 4096


def metadata_filter(text: str) -> dict[str, str]:
    """The items a list is filtered by. Raises Fault 400 for anything but a dictionary of texts."""
    try:
        if len(text) > _LONGEST:
            raise ValueError
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Fault(400, "Invalid value for metadata filter.") from None
    legal = isinstance(value, dict) and all(
        isinstance(key, str) and isinstance(item, str) and "\0" not in key + item for key, item in value.items()
    )
    if not legal:
        raise Fault(400, "Invalid value for metadata filter.")
    return dict(value)
