"""One request as a handler sees it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from db.connection import Conn
from db.turns import each
from generated.runtime import Fault, Json, Reply, Route, Row, See
from services.context import Context
from services.core import Core

__all__ = ["Call", "Query", "Reply"]


class Query:
    """Query parameters; of a repeated one the last value counts, as in the original.

    The text is read at the first use, so an operation that doesn't look at its query doesn't mind a broken one.
    Every method raises UnicodeDecodeError for what is no UTF-8.
    """

    __slots__ = ("_pairs", "_raw")

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._pairs: list[tuple[str, str]] | None = None if raw else []

    def _read(self) -> list[tuple[str, str]]:
        if self._pairs is None:
            self._pairs = parse_qsl(self._raw, keep_blank_values=True, errors="strict")
        return self._pairs

    def get(self, name: str, default: str | None = None) -> str | None:
        for key, value in reversed(self._read()):
            if key == name:
                return value
        return default

    def all(self, name: str) -> list[str]:
        return [value for key, value in self._read() if key == name]

    def as_dict(self) -> dict[str, str]:
        """All parameters, the last value of each."""
        return dict(self._read())

    def pairs(self) -> list[tuple[str, str]]:
        return list(self._read())

    def __contains__(self, name: str) -> bool:
        return any(key == name for key, _ in self._read())


@dataclass(slots=True)
class Call:
    """A request after authentication, version selection, handler policy and schema validation.

    ``version`` is the minor number (2.65 -> 65). ``path`` holds the path's parameters (``id``, ``share_id`` ...).
    ``body`` is the decoded JSON document, or None. ``action_args`` is the value under the action key.
    ``base_url`` is scheme, host and prefix for links, without a trailing slash and without ``/v2``.
    """

    core: Core
    ctx: Context
    route: Route
    version: int
    path: Mapping[str, str]
    query: Query
    body: Json
    base_url: str
    project_in_url: str | None = None
    """The project id of the path form ``/v2/{project_id}/...``, if that was used."""
    experimental: bool = False
    held: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    """What ends when the answer is made."""
    raw_path: str = ""
    """The request's path as sent, for ``next`` links."""

    def has(self, key: str) -> bool:
        """Whether the body is an object with this key. Raises Fault 400: it is a number, which can't be searched."""
        if self.body and isinstance(self.body, (int, float)):
            raise Fault(400)
        return isinstance(self.body, dict) and key in self.body

    @contextlib.asynccontextmanager
    async def listing(self) -> AsyncIterator[Conn]:
        """A connection for a list of what there may be very many of; its rows are in memory until ``held`` ends."""
        async with self.core.db.listing(self.ctx.project_id or self.ctx.user_id or "", self.held) as conn:
            yield conn

    @property
    def action_args(self) -> Json:
        """The value under the action key of a body action."""
        return self.body[self.route.action]

    async def shown(
        self, view: Callable[[Row, See], Row], rows: Sequence[Row], of: Callable[[Row], Row] | None = None
    ) -> list[Row]:
        """The view of every row, of a long list in slices; ``of`` makes of each row what is viewed."""
        see = self.see
        return await each((lambda row: view(row, see)) if of is None else (lambda row: view(of(row), see)), rows)

    @property
    def see(self) -> See:
        """What the views need to know of this request."""
        allows = self.ctx.allows
        return See(
            self.base_url,
            self.project_in_url,
            context_is_admin=self.ctx.is_admin,
            context_is_host_admin=allows("context_is_host_admin"),
            network_details=allows("share_network:show_network_details"),
        )
