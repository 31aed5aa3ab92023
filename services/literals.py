"""Metadata as it comes with other things: in filters written as Python dictionaries, in bodies of new resources."""

from __future__ import annotations

import ast

from generated.runtime import Fault, Json
from services.metadata import LONGEST_KEY, LONGEST_VALUE, check_items
from services.values import kept_text

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


def kept_items(metadata: Json) -> dict[str, str]:
    """The metadata of a snapshot that is taken over: nothing is asked of it but that the database can keep it.

    A number or a boolean is kept as its text. Raises Fault 400.
    """
    items = {key: kept_text(value) for key, value in metadata.items()} if isinstance(metadata, dict) else None
    found = {key: value for key, value in (items or {}).items() if isinstance(value, str)}
    fits = all(len(key) <= LONGEST_KEY and len(value) <= LONGEST_VALUE for key, value in found.items())
    if items is None or len(found) < len(items) or not fits or any("\0" in key + value for key, value in found.items()):
        raise Fault(400)
    return found


def items_of_new(metadata: Json) -> dict[str, str]:
    """The metadata of a new resource; what is no text is refused with the default text of the status.

    Raises:
        InvalidMetadata, InvalidMetadataSize, Fault: 400, as ``check_items``.
    """
    try:
        return check_items(metadata)
    except Fault:
        raise Fault(400) from None
