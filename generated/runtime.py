"""The vocabulary that generated and hand-written code share: routes, calls, replies, faults.

Written by the generator from its own template; nothing here imports the rest of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from generated.microversions import MAX_MINOR

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
    ``body`` names a class of ``generated.models``, ``view`` a family of ``generated.views``. Where ``body_key`` is
    given, the body must hold an object under that key, else 422, before the policies. ``presence_first``: a missing or
    unexpected body is found before the policies; ``body_optional``: the handler has its own word for a missing one.
    ``empty_json``: an empty answer is said to be JSON.
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
    body_key: str | None = None
    presence_first: bool = False
    body_optional: bool = False
    empty_json: bool = False


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

    Keyword arguments fill ``template``; a positional text replaces it. A text that would end in two periods loses
    one. ``detail_data`` goes to the user message. An exception that reaches the shell becomes a fault of
    ``uncaught_status`` with the text that ``uncaught_shown`` names (``generated.errors``).
    """

    code: int = 500
    safe: bool = False
    template: str = "An unknown exception occurred."
    uncaught_status: int = 500
    uncaught_shown: str = "default"

    def __init__(self, message: str | None = None, detail_data: Row | None = None, **values: object) -> None:
        self.values = {"code": self.code, **values}
        self.detail_data: Row = dict(detail_data or {})
        if not message:
            try:
                message = self.template % self.values
            except (KeyError, TypeError, ValueError):
                message = self.template
        if message.endswith("..") and not message.endswith("..."):
            message = message[:-1]
        self.msg = message
        super().__init__(message)

    @property
    def shown(self) -> str | None:
        """What a client sees of it when nothing catches it; None is the default text of the status."""
        if self.uncaught_shown == "named":
            return f"{type(self).__name__}: {self.msg}"
        return self.msg if self.uncaught_shown == "message" else None


@dataclass(slots=True)
class Reply:
    """What a handler answers: a JSON body (None: empty), and what differs from the route's defaults."""

    body: Json = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class See:
    """What a view must know of the request: where links lead, and which hidden fields the requester may see."""

    base_url: str
    project_in_url: str | None = None
    context_is_admin: bool = False
    context_is_host_admin: bool = False
    network_details: bool = False
    """The rule ``share_network:show_network_details`` holds; otherwise those fields are null."""
    here: str = field(init=False)
    bookmark: str = field(init=False)

    def __post_init__(self) -> None:
        project = f"/{self.project_in_url}" if self.project_in_url else ""
        self.here = f"{self.base_url}/v2{project}"
        self.bookmark = f"{self.base_url}{project}"

    def links(self, collection: str, id_: str) -> list[dict[str, str]]:
        """The links of a resource: ``self`` and ``bookmark``."""
        return [
            {"rel": "self", "href": f"{self.here}/{collection}/{id_}"},
            {"rel": "bookmark", "href": f"{self.bookmark}/{collection}/{id_}"},
        ]


View = Callable[[Row, See], dict[str, Json]]


def by_version(*views: tuple[int, View]) -> tuple[View, ...]:
    """One entry for each minor version: the view of the nearest version at or below it."""
    table: list[View] = []
    for minor in range(MAX_MINOR + 1):
        table.append(next((view for since, view in reversed(views) if since <= minor), views[0][1]))
    return tuple(table)
