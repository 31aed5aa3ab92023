"""From a request with an identity to the answer, in the original's order of checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote_to_bytes

from api import pages
from api.bodies import ABSENT, Absent, action_key, decode, encode_long, encode_slices
from api.faults import JSON, Answer, fault, of_exception
from api.handlers import Handler
from api.index import Endpoint, Index
from api.negotiate import Asked, Unsupported, asked_version
from api.validation import validate
from db import conflicts
from db.connection import CONFLICTS
from generated.errors import ValidationError
from generated.routes import ROUTES
from generated.runtime import Fault, Json, Reply, Route
from handlers.call import Call, Query
from handlers.long import Long
from services.context import Context
from services.core import Core

SLASHES = re.compile("//+")
KEYED = ("metadata", "extra_specs", "group-specs", "specs")
"""Last segments of paths below which each item has a URL that ends in its key."""
NO_BODY = "text/html; charset=UTF-8"
"""The content type of an empty answer, unless its route says otherwise."""

Found = tuple[Endpoint, dict[str, str], str | None]
"""The endpoint, the path's parameters and the project id of the longer path form."""


@dataclass(slots=True)
class Request:
    """A request as the pipeline hands it over: header names in lower case, path below ``/v2``.

    ``readable`` is False when the path's bytes are no UTF-8.
    """

    method: str
    path: str
    raw_path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    base_url: str
    readable: bool = True


class Dispatcher:
    """Answers requests that carry an identity."""

    def __init__(self, core: Core, handlers: Mapping[str, Handler]) -> None:
        self._core = core
        self._handlers = handlers
        self._index = Index(ROUTES)
        self._project = re.compile(f"(?:{core.settings.default.project_id_regex})$")

    def find(self, method: str, path: str) -> Found | None:
        """Where a method and a path below ``/v2`` lead; None outside the table."""
        if "//" in path:
            path = SLASHES.sub("/", path)
        segments = path.split("/")[1:]
        return self._find(method, [] if segments == [""] else segments)

    def find_key(self, method: str, raw_path: str) -> Found | None:
        """As ``find``, for an item of ``KEYED`` whose key holds a slash: ``raw_path`` (below ``/v2``) has it as %2F.

        Args:
            raw_path: its bytes as the characters of the same numbers.
        """
        raw = (unquote_to_bytes(one.encode("latin-1")) for one in SLASHES.sub("/", raw_path).split("/")[1:])
        segments = [one.decode(errors="replace") for one in raw]
        if len(segments) < 2 or segments[-2] not in KEYED or any("/" in one for one in segments[:-1]):
            return None
        return self._find(method, segments)

    def _find(self, method: str, segments: list[str]) -> Found | None:
        found = self._index.find(method, segments)
        if found is not None:
            return found[0], found[1], None
        if len(segments) > 1 and self._project.match(segments[0]):
            found = self._index.find(method, segments[1:])
            if found is not None:
                return found[0], found[1], segments[0]
        return None

    async def answer(self, request: Request, ctx: Context) -> Answer:
        """The answer to a request; never raises."""
        found = None
        if "%2f" in request.raw_path.lower():  # first: a key that begins with a slash is not the one without it
            found = self.find_key(request.method, request.raw_path.removeprefix("/v2"))
        found = found or self.find(request.method, request.path)
        if found is None:
            return pages.not_found(request.headers.get("accept", ""), head=request.method == "HEAD")
        asked: Asked | None = None
        try:
            asked = asked_version(request.headers)
            answer = await conflicts.again(partial(self._run, request, ctx, found, asked), CONFLICTS)
        except Unsupported as error:
            asked = error.asked
            answer = fault(406, error.text)
        except Exception as error:
            answer = of_exception(error)
        answer.headers["x-compute-request-id"] = ctx.request_id
        if asked is not None:
            answer.headers.update(asked.headers())
        return answer

    async def _run(self, request: Request, ctx: Context, found: Found, asked: Asked) -> Answer:
        endpoint, parameters, project = found
        if endpoint.absent:
            return fault(endpoint.absent, endpoint.text)
        if not request.readable:
            raise UnicodeDecodeError("utf-8", b"", 0, 1, "path")
        body = _body(endpoint, request)
        variants = _variants(endpoint, body)
        if project is not None and project != ctx.project_id:
            raise Fault(400, "Malformed request url")
        route = _variant(variants, asked)
        call = Call(
            core=self._core, ctx=ctx, route=route, version=asked.minor, path=parameters,
            query=Query(request.query), body=None if body is ABSENT else body, base_url=request.base_url,
            project_in_url=project,
            experimental=asked.experimental, raw_path=request.raw_path,
        )  # fmt: skip
        _admit(call, body is not ABSENT)
        if any("\0" in value for value in parameters.values()):
            raise Fault(404)  # no text of the database holds this character
        async with call.held:
            return await _answer(await self._handlers[route.operation](call), route)


def _body(endpoint: Endpoint, request: Request) -> Json | Absent:
    """The JSON body. Raises Fault 400 for another one."""
    if not request.body:
        return ABSENT
    return decode(request.headers.get("content-type"), request.body)


def _variants(endpoint: Endpoint, body: Json | Absent) -> list[Route]:
    """The variants of the operation, of an action by its key. Raises Fault for a body without a known key."""
    if not endpoint.actions:
        return endpoint.variants
    key = action_key(body)
    if key not in endpoint.actions:
        raise Fault(400, f"There is no such action: {key}")
    return endpoint.actions[key]


def _variant(variants: list[Route], asked: Asked) -> Route:
    """The variant for the version. Raises Fault 404 when none is valid."""
    for route in variants:
        if route.since <= asked.minor <= route.until and (asked.experimental or not route.experimental):
            return route
    raise Fault(404)


def _admit(call: Call, sent: bool) -> None:
    """Policy of the handler and checks of body and query, in the order the operation has them."""
    route = call.route
    fits = _fits(route, sent)
    if not fits and (route.body_first or route.presence_first):
        raise Fault(400)
    if route.body_first:
        _check(call)
    if route.body_key is not None and sent and not (
        call.has(route.body_key) and isinstance(call.body[route.body_key], dict)
    ):  # fmt: skip
        raise Fault(422)
    for rule in route.rules:
        if not call.ctx.allows(rule):
            raise Fault(403)
    if not fits:
        raise Fault(400)
    if not route.body_first:
        _check(call)


def _fits(route: Route, sent: bool) -> bool:
    """Whether the operation can be called with a body (``sent``) or without one."""
    if route.action is not None or route.body_optional:
        return True
    takes = route.method not in ("GET", "DELETE") and (route.body is not None or route.schema is not None)
    return takes == sent


def _check(call: Call) -> None:
    route = call.route
    if route.query_schema is not None:
        lists: dict[str, list[str]] = {}
        try:
            pairs = call.query.pairs()
        except UnicodeDecodeError:
            raise ValidationError("Query string is not UTF-8 encoded") from None
        for name, value in pairs:
            lists.setdefault(name, []).append(value)
        validate(route.query_schema, lists)
    if route.schema is not None:
        validate(route.schema, call.body)


async def _answer(reply: Reply, route: Route) -> Answer:
    status = reply.status or route.status
    if reply.body is None:
        headers = dict(reply.headers)
        kind = headers.pop("content-type", JSON if route.empty_json else NO_BODY)
        return Answer(status, b"", kind, headers)
    if isinstance(reply.body, dict) and any(isinstance(one, Long) for one in reply.body.values()):
        parts = encode_long(reply.body)
        return Answer(status, await anext(parts), headers=dict(reply.headers), parts=parts)
    return Answer(status, await encode_slices(reply.body), headers=dict(reply.headers))
