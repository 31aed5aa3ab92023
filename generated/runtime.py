"""The vocabulary that generated and hand-written code share: routes, calls, replies, faults.

Written by the generator from its own template; nothing here imports the rest of the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Any
"""A decoded JSON value."""

Row = dict[str, Any]
"""A database row: column name to value. Timestamps are text as the API shows them (naive UTC, six digits)."""


@dataclass(frozen=True, slots=True)
class Route:
    """One variant of an operation: a line of the dispatch table.

    ``since`` and ``until`` are minor numbers of the microversion, both inclusive.
    ``schema`` and ``query_schema`` name JSON schemas of ``spec/request-schemas``; ``rules`` are the
    policies checked before the handler runs; ``body_first`` says that the body is validated before them.
    """

    operation: str
    method: str
    path: str
    action: str | None
    since: int
    until: int
    experimental: bool
    body: str | None
    schema: str | None
    query_schema: str | None
    view: str | None
    status: int
    rules: tuple[str, ...]
    body_first: bool


class Fault(Exception):
    """An answer other than success, as the client sees it.

    ``message`` of None means the default text of the status.
    """

    def __init__(self, status: int, message: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


class ManilaError(Exception):
    """Base of the contract's exceptions (``generated.errors``).

    Keyword arguments fill ``template``; a positional text replaces it.
    An exception that reaches the shell becomes a fault of status ``code``; its text is shown only where ``safe``.
    """

    code: int = 500
    safe: bool = False
    template: str = "An unknown exception occurred."

    def __init__(self, message: str | None = None, **values: object) -> None:
        self.values = values
        self.detail_data: dict[str, Any] = {}
        if message is None:
            try:
                message = self.template % values
            except (KeyError, TypeError):
                message = self.template
        self.msg = message
        super().__init__(message)


@dataclass(slots=True)
class Reply:
    """What a handler answers: a JSON body (None: empty), and what differs from the route's defaults."""

    body: Json = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
