"""Metadata as it comes with other things: in filters written as Python dictionaries, in bodies of new resources."""

from __future__ import annotations

import ast

from generated.runtime import Fault, Json
from services.metadata import check_items

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


def items_of_new(metadata: Json) -> dict[str, str]:
    """The metadata of a new resource; what is no text is refused with the default text of the status.

    Raises:
        InvalidMetadata, InvalidMetadataSize, Fault: 400, as ``check_items``.
    """
    try:
        return check_items(metadata)
    except Fault:
        raise Fault(400) from None
