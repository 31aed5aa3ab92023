"""From a request with an identity to the answer: version, body, route, policy, schema, handler - in the original's order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from api.faults import Answer, fault, not_found_page, of_exception
from api.handlers import Handler
from api.index import Endpoint, Index
from api.validation import validate
from generated.errors import ValidationError
from generated.microversions import MAX_MINOR
from generated.routes import ROUTES
from generated.runtime import Fault, Json, Reply, Route
from handlers.call import Call, Query
from services.context import Context
from services.core import Core

VERSION_HEADER = "X-OpenStack-Manila-API-Version"
EXPERIMENTAL_HEADER = "X-OpenStack-Manila-API-Experimental"
VERSION = re.compile(r"([1-9]\d*)\.([1-9]\d*|0)$")
JSON_TYPES = ("application/json", "application/vnd.openstack.volume+json", "application/vnd.openstack.share+json")


@dataclass(slots=True)
class Request:
    """A request as the pipeline hands it over: header names in lower case, path below ``/v2``."""

    method: str
    path: str
    raw_path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    base_url: str


@dataclass(slots=True)
class Asked:
    """The version a request asks for, as text for the answer's header and as a minor number."""

    text: str
    minor: int
    experimental: bool


def _asked(headers: Mapping[str, str]) -> Asked:
    """Read the version headers. Raises Fault 400 for another form; 406 is found by the caller."""
    text = headers.get(VERSION_HEADER.lower(), "2.0")
    found = VERSION.match(text)
    if found is None:
        raise Fault(400, f"API Version String {text} is of invalid format. Must be of format MajorNum.MinorNum.")
    experimental = headers.get(EXPERIMENTAL_HEADER.lower(), "").strip().lower() in ("true", "1", "on", "yes", "y", "t")
    minor = int(found[2]) if found[1] == "2" else (MAX_MINOR + 1 if int(found[1]) > 2 else -1)
    return Asked(text, minor, experimental)


def _decode(request: Request) -> Json:
    """The JSON body; None when there is none or it is of another content type. Raises Fault 400."""
    if not request.body:
        return None
    kind = request.headers.get("content-type", "application/json" if request.method != "GET" else "")
    if kind.partition(";")[0].strip().lower() not in JSON_TYPES:
        return None
    try:
        return json.loads(request.body)
    except (ValueError, RecursionError):
        raise Fault(400, "Malformed request body") from None


class Dispatcher:
    """Answers requests that carry an identity."""

    def __init__(self, core: Core, handlers: Mapping[str, Handler]) -> None:
        self._core = core
        self._handlers = handlers
        self._index = Index(ROUTES)
        self._project = re.compile(f"(?:{core.settings.default.project_id_regex})$")

    def find(self, method: str, path: str) -> tuple[Endpoint, dict[str, str], str | None] | None:
        """The endpoint, the path's parameters and the project id of the longer path form."""
        segments = path.removesuffix(".json").split("/")[1:]
        if segments == [""]:
            segments = []
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
        found = self.find(request.method, request.path)
        if found is None:
            return not_found_page()
        asked: Asked | None = None
        try:
            asked = _asked(request.headers)
            answer = await self._run(request, ctx, found, asked)
        except Exception as error:
            answer = of_exception(error)
        answer.headers["x-compute-request-id"] = ctx.request_id
        if asked is not None:
            answer.headers[VERSION_HEADER] = asked.text
            answer.headers["Vary"] = VERSION_HEADER
            if asked.experimental:
                answer.headers[EXPERIMENTAL_HEADER] = "True"
        return answer

    async def _run(
        self, request: Request, ctx: Context, found: tuple[Endpoint, dict[str, str], str | None], asked: Asked
    ) -> Answer:
        endpoint, parameters, project = found
        if not 0 <= asked.minor <= MAX_MINOR:
            text = f"Version {asked.text} is not supported by the API. Minimum is 2.0 and maximum is 2.{MAX_MINOR}."
            return fault(406, text)
        if endpoint.absent:
            return fault(404)
        body = _decode(request)
        if project is not None and project != ctx.project_id:
            raise Fault(400, "Malformed request url")
        route = _variant(endpoint, body, asked)
        call = Call(
            core=self._core, ctx=ctx, route=route, version=asked.minor, path=parameters, query=_query(request.query, route),
            body=body, base_url=request.base_url, project_in_url=project, experimental=asked.experimental,
            raw_path=request.raw_path,
        )  # fmt: skip
        _admit(call)
        reply = await self._handlers[route.operation](call)
        return _answer(reply, route)


def _variant(endpoint: Endpoint, body: Json, asked: Asked) -> Route:
    """The variant for the version. Raises Fault 400 for an unknown action key, 404 when none is valid."""
    variants = endpoint.variants
    if endpoint.actions and not variants:
        if not isinstance(body, dict) or len(body) != 1:
            raise Fault(400, "Malformed request body")
        key = next(iter(body))
        if key not in endpoint.actions:
            raise Fault(400, f"There is no such action: {key}")
        variants = endpoint.actions[key]
    for route in variants:
        if route.since <= asked.minor <= route.until and (asked.experimental or not route.experimental):
            return route
    raise Fault(404)


def _query(raw: str, route: Route) -> Query:
    try:
        return Query(raw)
    except UnicodeDecodeError:
        raise ValidationError(detail="Query string is not UTF-8 encoded") from None


def _admit(call: Call) -> None:
    """Policy of the handler and schemas of body and query, in the order the operation has them."""
    route = call.route
    if route.body_first:
        _check(call)
    for rule in route.rules:
        if not call.ctx.allows(rule):
            raise Fault(403)
    if route.body_key is not None and not (
        isinstance(call.body, dict) and isinstance(call.body.get(route.body_key), dict)
    ):
        raise Fault(422)
    if not route.body_first:
        _check(call)


def _check(call: Call) -> None:
    route = call.route
    if route.query_schema is not None:
        lists: dict[str, list[str]] = {}
        for name, value in call.query.pairs():
            lists.setdefault(name, []).append(value)
        validate(route.query_schema, lists)
    if route.schema is not None:
        if call.body is None:
            raise Fault(400)
        validate(route.schema, call.body)


def _default(value: Any) -> str:
    return str(value)


def _answer(reply: Reply, route: Route) -> Answer:
    status = reply.status or route.status
    if reply.body is None:
        return Answer(status, b"", "text/html; charset=UTF-8" if status != 204 else None, dict(reply.headers))
    return Answer(status, orjson.dumps(reply.body, default=_default), headers=dict(reply.headers))
