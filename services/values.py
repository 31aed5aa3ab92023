"""Values as clients spell them: booleans and integers sent as text, UUIDs with and without hyphens."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from generated.runtime import Fault

TRUE = frozenset(("1", "t", "true", "on", "y", "yes"))
FALSE = frozenset(("0", "f", "false", "off", "n", "no"))
_ACCEPTABLE = ", ".join(f"'{word}'" for word in sorted(TRUE | FALSE))
LARGEST_INT = 2147483647


def kept_text(value: object) -> object:
    """A number or boolean in place of a text is kept as the database writes it; anything else as it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else value


def strict_bool(value: object) -> bool:
    """A boolean in one of its spellings. Raises ValueError with the text clients see."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in TRUE:
        return True
    if word in FALSE:
        return False
    raise ValueError(f"Unrecognized value '{value}', acceptable values are: {_ACCEPTABLE}")


def query_bool(name: str, value: str) -> bool:
    """A boolean query parameter. Raises Fault 400 naming the parameter."""
    try:
        return strict_bool(value)
    except ValueError:
        raise Fault(400, f"Invalid value {value} for {name}. Expecting a boolean.") from None


def naive_utc(text: str) -> datetime:
    """A time of ISO 8601 as UTC without a zone, as the database keeps times.

    Raises:
        ValueError: it is none, or lies outside of the years 1 to 9999 in UTC.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise ValueError(str(error)) from error


def is_int_like(value: object) -> bool:
    """Whether the value is an integer or its plain decimal spelling."""
    try:
        return str(int(value)) == str(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return False


def is_uuid_like(value: object) -> bool:
    """Whether the value is a UUID, with or without hyphens and braces, in any case."""
    text = str(value)
    plain = text.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "").lower()
    try:
        return str(uuid.UUID(text)).replace("-", "") == plain
    except (TypeError, ValueError, AttributeError):
        return False
