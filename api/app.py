"""The API as an ASGI application: the original's pipeline around the dispatch.

Order: CORS, request id, fault wrap, forwarded headers, size limit, token, context, dispatch. A FastAPI instance owns
the life cycle; requests go past its router, whose linear search costs more than all the rest.
"""

from __future__ import annotations

import contextlib
import functools
import time
import uuid
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson
import prometheus_client
import structlog
from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from api import cors, forwarded, pages
from api.bodies import is_json
from api.dispatch import SLASHES, Dispatcher, Request
from api.fair import Bounds, Busy, Turns
from api.faults import Answer, fault, of_exception
from api.handlers import load
from api.server.exchange import gone, identified
from api.server.room import shared_address
from api.tokens.base import Identity, KeystoneAway, TooManyTokens, Validator
from api.tokens.static import StaticTokens
from db.connection import LOST
from db.turns import press
from services.context import Context
from services.core import Core
from services.versions import version_document

LOG = structlog.get_logger("api")
REQUESTS = prometheus_client.Counter("manila_requests", "Answers of the API", ["method", "status"])
SECONDS = prometheus_client.Histogram(
    "manila_request_seconds", "Time from a request's head to its answer", buckets=(0.005, 0.02, 0.1, 0.5, 2, 10)
)
PRESSED_SECONDS = 0.2
"""How long after a request of one project the long work is held back for which another's crowd asks."""
WAIT_SECONDS = 60.0
"""How long a request waits for its turn at most."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
UNAUTHORIZED = orjson.dumps(
    {"error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}}
)


class ClientGone(Exception):
    """The client left, or was cut off, before its request was complete: nothing is carried out, nobody is answered."""


class Held:
    """The turn of one request."""

    __slots__ = ("_party", "_resting", "_turns")

    def __init__(self, turns: Turns) -> None:
        self._turns, self._party, self._resting = turns, "", False

    async def enter(self, party: str) -> None:
        """Wait for the turn. Raises Busy."""
        await self._turns.enter(party)
        self._party = party

    def rest(self) -> None:
        """Only the answer has to be written: others may begin."""
        if self._party and not self._resting:
            self._resting = True
            self._turns.rest()

    def leave(self) -> None:
        """The request is over."""
        if self._party:
            self.rest()
            self._turns.leave(self._party)


class TooLarge(Exception):
    """The request's body is over the limit."""


def make_app(core: Core, validator: Validator | None = None) -> FastAPI:
    """The application. Without a validator the configuration says where tokens come from.

    Raises:
        api.handlers.MissingHandler: an operation of the contract has no handler.
        ValueError: an option of the API is wrong.
    """
    app = FastAPI(title="Shared File Systems API", docs_url=None, redoc_url=None, openapi_url=None)
    shell = Shell(core, validator or _configured(core))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app.router(scope, receive, send)
        else:
            await shell(scope, receive, send)

    def stack() -> ASGIApp:
        return serve

    app.build_middleware_stack = stack  # type: ignore[method-assign]
    return app


def _configured(core: Core) -> Validator:
    file = core.settings.openkeel.static_tokens
    if file:
        return StaticTokens.read(file)
    from api.tokens.keystone import KeystoneTokens

    return KeystoneTokens(core.settings.keystone_authtoken, look_ups=core.settings.openkeel.keystone_look_ups)


class Shell:
    """The pipeline. One object per process."""

    def __init__(self, core: Core, validator: Validator) -> None:
        forwarded.check(core.settings)
        self._core = core
        self._validator = validator
        self._dispatcher = Dispatcher(core, load())
        own = core.settings.openkeel
        self._turns = Turns(
            Bounds(
                most=own.requests_at_once, each=own.requests_per_project, waiting=own.requests_waiting,
                waiting_each=own.requests_waiting_per_project, seconds=WAIT_SECONDS,
            ),
            beside_crowd=functools.partial(press, PRESSED_SECONDS),
        )  # fmt: skip

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        started = time.monotonic()
        request_id = f"req-{uuid.uuid4()}"
        headers = {name.decode("latin-1"): value.decode("latin-1").strip() for name, value in scope["headers"]}
        structlog.contextvars.bind_contextvars(request_id=request_id)
        method: str = scope["method"]
        held = Held(self._turns)
        try:
            answer = await self._answer(scope, receive, headers, request_id, held)
        except ClientGone:
            held.leave()
            structlog.contextvars.unbind_contextvars("request_id")
            return
        except TooLarge:
            answer = pages.too_large(headers.get("accept", ""))
            answer.headers["x-openstack-request-id"] = request_id
        except Exception as error:
            answer = of_exception(error)
            answer.headers["x-openstack-request-id"] = request_id
        answer = cors.apply(self._core.settings.cors, method, headers, answer)
        if method == "HEAD":
            answer.body, answer.parts = b"", None
        held.rest()
        try:
            await _send(answer, send, scope)
        except LOST as error:
            LOG.warning("the database was lost in the middle of an answer, which is cut", error=str(error))
        finally:
            held.leave()
        took = time.monotonic() - started
        REQUESTS.labels(method if method in METHODS else "other", answer.status).inc()
        SECONDS.observe(took)
        LOG.debug("answered", method=method, path=scope["path"], status=answer.status, seconds=round(took, 6))
        structlog.contextvars.unbind_contextvars("request_id")

    async def _answer(
        self, scope: Scope, receive: Receive, headers: dict[str, str], request_id: str, held: Held
    ) -> Answer:
        path: str = scope["path"]
        if "//" in path:
            path = SLASHES.sub("/", path)
        if path == "/healthcheck" or path.startswith("/healthcheck/"):
            return pages.healthy(headers.get("accept", ""), head=scope["method"] == "HEAD")
        place = forwarded.place(self._core.settings, scope, headers)
        if path in ("", "/"):
            answer = await self._root(place, headers, receive)
        elif path != "/v2" and not path.startswith("/v2/"):
            answer = pages.not_found(headers.get("accept", ""), head=scope["method"] == "HEAD")
        else:
            answer = await self._v2(scope, path, receive, headers, place, request_id, held)
        answer.headers["x-openstack-request-id"] = request_id
        return answer

    async def _root(self, place: forwarded.Place, headers: dict[str, str], receive: Receive) -> Answer:
        """The version document for everybody; a body is not wanted here."""
        if is_json(headers.get("content-type")):
            body = await self._body(headers, receive, limited=False)
            if body:
                try:
                    orjson.loads(body)
                except ValueError:
                    return fault(400, "Malformed request body")
                return fault(400)
        document = orjson.dumps(version_document(place.root_url))
        return Answer(300, document, headers=forwarded.for_caches(self._core.settings))

    async def _v2(
        self, scope: Scope, path: str, receive: Receive, headers: dict[str, str], place: forwarded.Place,
        request_id: str, held: Held,
    ) -> Answer:  # fmt: skip
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self._core.settings.oslo_middleware.max_request_body_size:
            raise TooLarge
        token = headers.get("x-auth-token")
        try:
            found = await self._identity(scope, token, headers.get("x-service-token")) if token else None
        except KeystoneAway:
            return fault(503, headers={"Retry-After": "1"})
        except TooManyTokens:
            return self._busy("Too many tokens are being checked. Please try again later.")
        if found is None:
            uri = self._core.settings.keystone_authtoken.www_authenticate_uri
            return Answer(401, UNAUTHORIZED, headers={"WWW-Authenticate": f'Keystone uri="{uri}"'})
        identified(scope)
        if path == "/v2":
            return Answer(302, b"", "text/plain; charset=utf8", {"Location": place.redirect})
        raw: bytes = scope.get("raw_path") or path.encode()
        request = Request(
            scope["method"], path[3:], raw.decode("latin-1"), scope["query_string"].decode("latin-1"), headers,
            await self._body(headers, receive), forwarded.public(self._core.settings, place.base_url), _readable(raw),
        )  # fmt: skip
        try:
            await held.enter(found.project_id or found.user_id)
        except Busy:
            return self._busy("Too many requests of your project are at work. Please try again later.")
        if gone(scope):
            raise ClientGone
        return await self._dispatcher.answer(request, self._context(found, request_id, token))

    async def _identity(self, scope: Scope, token: str, service_token: str | None) -> Identity | None:
        client = scope.get("client")
        return await self._validator.identity(token, service_token, shared_address(client[0]) if client else "")

    def _busy(self, text: str) -> Answer:
        return fault(self._core.settings.openkeel.requests_refused_with, text, {"Retry-After": "1"})

    def _context(self, who: Identity, request_id: str, token: str | None) -> Context:
        policy = self._core.policy
        creds: dict[str, Any] = {
            "user_id": who.user_id,
            "project_id": who.project_id,
            "roles": list(who.roles),
            "domain_id": who.domain_id,
            "system_scope": who.system_scope,
            "user_domain_id": who.user_domain_id,
            "project_domain_id": who.project_domain_id,
            "is_admin_project": True,
            "service_user_id": None,
            "service_user_domain_id": None,
            "service_project_id": None,
            "service_project_domain_id": None,
            "service_roles": list(who.service_roles),
        }
        if who.system_scope:
            creds["system"] = who.system_scope
        own = {"project_id": who.project_id, "user_id": who.user_id}
        creds["is_admin"] = is_admin = policy.decide("context_is_admin", own, creds)
        return Context(who.user_id, who.project_id, who.roles, request_id, policy, creds, is_admin, token)

    async def _body(self, headers: dict[str, str], receive: Receive, *, limited: bool = True) -> bytes:
        """The whole body. Raises TooLarge and ClientGone."""
        if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
            return b""
        largest = self._core.settings.oslo_middleware.max_request_body_size * (1 if limited else 10)
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > largest:
                raise TooLarge
            if not message.get("more_body"):
                return b"".join(parts)


def _readable(raw_path: bytes) -> bool:
    """Whether the path's bytes are UTF-8."""
    if b"%" not in raw_path:
        return True
    try:
        unquote_to_bytes(raw_path).decode()
    except UnicodeDecodeError:
        return False
    return True


@functools.lru_cache(256)
def _wire_name(name: str) -> bytes:
    """A header's name as ASGI wants it."""
    return name.lower().encode("latin-1")


async def _send(answer: Answer, send: Send, scope: Scope) -> None:
    headers = [(_wire_name(name), value.encode("latin-1")) for name, value in answer.headers.items()]
    if answer.content_type is not None:
        headers.append((b"content-type", answer.content_type.encode()))
    if answer.status != 204 and answer.parts is None:
        headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.parts is not None:
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        answer.body = b""
        async with contextlib.aclosing(answer.parts) as parts:
            async for part in parts:
                if gone(scope):
                    return
                await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": answer.body})


__all__ = ["Shell", "make_app"]
