"""How the rows of the dispatch table are written: what the variants of an operation share stands once."""

from __future__ import annotations

from dataclasses import dataclass

from generated.microversions import MAX_MINOR
from generated.runtime import Route

LATEST = MAX_MINOR
"""The end of a range that has none: it moves with the list of microversions."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs between the variants of one operation; see ``Route`` for the fields."""

    since: int
    until: int
    status: int
    experimental: bool = False
    body: str | None = None
    schema: str | None = None
    query: str | None = None
    view: str | None = None
    body_key: str | None = None


def rows(
    operation: str,
    method: str,
    path: str,
    *,
    variants: tuple[Variant, ...],
    action: str | None = None,
    rules: tuple[str, ...] = (),
    body_first: bool = False,
    presence_first: bool = False,
    body_optional: bool = False,
    empty_json: bool = False,
) -> tuple[Route, ...]:
    """The rows of one operation, oldest variant first."""
    return tuple(
        Route(
            operation=operation,
            method=method,
            path=path,
            action=action,
            since=variant.since,
            until=variant.until,
            experimental=variant.experimental,
            body=variant.body,
            schema=variant.schema,
            query_schema=variant.query,
            view=variant.view,
            status=variant.status,
            rules=rules,
            body_first=body_first,
            body_key=variant.body_key,
            presence_first=presence_first,
            body_optional=body_optional,
            empty_json=empty_json,
        )
        for variant in variants
    )
