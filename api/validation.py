"""Bodies and queries against the contract's JSON schemas, with the texts that the original sends."""

from __future__ import annotations

import contextlib
import functools
import re
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import jsonschema
from jsonschema import exceptions

from generated.errors import ValidationError
from generated.runtime import Json
from generated.schemas import schema as schema_of

DRAFT = jsonschema.Draft202012Validator
ISO_TIME = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?|(?P<month2>\d{2})(?P<day2>\d{2})?)?"
    r"(?:[ T](?P<hour>\d{2})(?::?(?P<minute>\d{2})(?::?(?P<second>\d{1,2})(?:[.,]\d+)?)?)?"
    r"(?:Z|[+-]\d{2}:?(?:\d{2})?)?)?",
    re.ASCII,
)


class Formats(jsonschema.FormatChecker):
    """The two formats that the original checks."""

    checkers: dict[str, Any] = {}  # noqa: RUF012 - the library's own way to start with none


FORMATS = Formats(formats=())


@FORMATS.checks("uuid")
def _uuid(value: object) -> bool:
    """Any text that reads as a UUID, with or without hyphens, braces or the urn prefix."""
    if not isinstance(value, str):
        return True
    plain = value.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "").lower()
    try:
        return uuid.UUID(value).hex == plain
    except ValueError:
        return False


@FORMATS.checks("date-time")
def _date_time(value: object) -> bool:
    """A date of ISO 8601 with or without a time, as its usual spellings go; parts that are left out are the first."""
    if not isinstance(value, str):
        return True
    found = ISO_TIME.fullmatch(value)
    if found is None:
        return False
    part = found.groupdict()
    try:
        datetime(
            int(part["year"]), int(part["month"] or part["month2"] or 1), int(part["day"] or part["day2"] or 1),
            int(part["hour"] or 0), int(part["minute"] or 0), int(part["second"] or 0),
        )  # fmt: skip
    except ValueError:
        return False
    return True


def _number(value: Any) -> int | float | None:
    """A number, also from text: bounds hold for numbers sent as text too."""
    for kind in (int, float):
        with contextlib.suppress(ValueError, TypeError):
            return kind(value)
    return None


def _bound(name: str) -> Any:
    def check(validator: Any, bound: float, value: object, schema: Any) -> Iterator[exceptions.ValidationError]:
        number = _number(value)
        if number is not None:
            yield from DRAFT.VALIDATORS[name](validator, bound, number, schema) or ()

    return check


VALIDATOR = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    DRAFT, {"minimum": _bound("minimum"), "maximum": _bound("maximum")}
)


@functools.cache
def _validator(name: str) -> Any:
    return VALIDATOR(schema_of(name), format_checker=FORMATS)


def validate(name: str, value: Json) -> None:
    """Check a body or a query (parameter -> list of its values) against a schema of the contract.

    Raises:
        ValidationError: it doesn't fit (400).
    """
    try:
        _validator(name).validate(value)
    except exceptions.ValidationError as error:
        if error.path:
            where = error.path[-1]
            raise ValidationError(
                detail=f"Invalid input for field/attribute {where}. Value: {error.instance}. {error.message}"
            ) from None
        raise ValidationError(detail=error.message) from None
    except TypeError as error:
        raise ValidationError(detail=str(error)) from None
