"""The API as an ASGI application: the original's pipeline around the dispatch.

Order: CORS, request id, fault wrap, forwarded headers, size limit, token, context, dispatch (``etc/api-paste`` of the
original). A FastAPI instance owns the life cycle; requests go past its router, whose linear search costs more than all
the rest (see docs/adr).
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import AsyncIterator
from typing import Any

import orjson
import structlog
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.dispatch import Dispatcher, Request
from api.faults import JSON, Answer, fault, not_found_page, of_exception
from api.handlers import load
from api.tokens.base import Identity, KeystoneAway, Validator
from api.tokens.static import StaticTokens
from services.context import Context
from services.core import Core
from services.versions import version_document

LOG = structlog.get_logger("api")
MAX_BODY = 114_688
"""Bytes of a request body at most (the original's ``max_request_body_size``)."""


class TooLarge(Exception):
    """The request's body is over the limit."""


def make_app(core: Core, validator: Validator | None = None) -> FastAPI:
    """The application. Without a validator the configuration says where tokens come from.

    Raises:
        api.handlers.MissingHandler: an operation of the contract has no handler.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield

    app = FastAPI(title="Shared File Systems API", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    shell = Shell(core, validator or _configured(core))
    app.mount("/", shell)
    app.router.default = shell
    app.build_middleware_stack = lambda: shell_with_lifespan(app, shell)  # type: ignore[method-assign]
    return app


def shell_with_lifespan(app: FastAPI, shell: Shell) -> ASGIApp:
    """Life-cycle events to FastAPI, requests straight to the shell."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app.router(scope, receive, send)
        else:
            await shell(scope, receive, send)

    return serve


def _configured(core: Core) -> Validator:
    file = core.settings.openkeel.static_tokens
    if file:
        return StaticTokens.read(file)
    from api.tokens.keystone import KeystoneTokens

    return KeystoneTokens(core.settings.keystone_authtoken)


class Shell:
    """The pipeline. One object per process."""

    def __init__(self, core: Core, validator: Validator) -> None:
        self._core = core
        self._validator = validator
        self._dispatcher = Dispatcher(core, load())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request_id = f"req-{uuid.uuid4()}"
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            answer = await self._answer(scope, receive, headers, request_id)
        except TooLarge:
            answer = fault(413)
        except Exception as error:
            answer = of_exception(error)
        finally:
            structlog.contextvars.unbind_contextvars("request_id")
        answer.headers["x-openstack-request-id"] = request_id
        self._cors(headers, answer)
        await _send(answer, send)

    async def _answer(self, scope: Scope, receive: Receive, headers: dict[str, str], request_id: str) -> Answer:
        base_url = self._base_url(scope, headers)
        path: str = scope["path"]
        if path in ("", "/"):
            return Answer(300, orjson.dumps(version_document(base_url)))
        if path == "/v2":
            return Answer(302, b"", "text/plain; charset=utf8", {"Location": f"{base_url}/v2/"})
        if not path.startswith("/v2/"):
            return not_found_page()
        body = await _body(scope, headers, receive)
        token = headers.get("x-auth-token")
        try:
            found = await self._validator.identity(token, headers.get("x-service-token")) if token else None
        except KeystoneAway:
            return fault(503, headers={"Retry-After": "1"})
        if found is None:
            return self._unauthorized()
        raw = scope.get("raw_path") or path.encode()
        request = Request(
            scope["method"],
            path[3:],
            raw.decode("latin-1"),
            scope["query_string"].decode("latin-1"),
            headers,
            body,
            base_url,
        )
        return await self._dispatcher.answer(request, self._context(found, request_id, token))

    def _base_url(self, scope: Scope, headers: dict[str, str]) -> str:
        """Scheme, host and prefix for links."""
        scheme, host, prefix = scope.get("scheme", "http"), headers.get("host", ""), scope.get("root_path", "")
        settings = self._core.settings
        if settings.oslo_middleware.enable_proxy_headers_parsing:
            scheme = headers.get("x-forwarded-proto", scheme)
            host = headers.get("x-forwarded-host", host)
            prefix = headers.get("x-forwarded-prefix", prefix)
        if settings.default.osapi_share_base_URL:
            return settings.default.osapi_share_base_URL.rstrip("/")
        return f"{scheme}://{host}{prefix.rstrip('/')}"

    def _unauthorized(self) -> Answer:
        body = {
            "error": {
                "code": 401,
                "title": "Unauthorized",
                "message": "The request you have made requires authentication.",
            }
        }
        uri = self._core.settings.keystone_authtoken.www_authenticate_uri
        return Answer(401, orjson.dumps(body), headers={"WWW-Authenticate": f'Keystone uri="{uri}"'})

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
            "service_roles": list(who.service_roles),
        }
        own = {"project_id": who.project_id, "user_id": who.user_id}
        creds["is_admin"] = is_admin = policy.decide("context_is_admin", own, creds)
        return Context(who.user_id, who.project_id, who.roles, request_id, policy, creds, is_admin, token)

    def _cors(self, headers: dict[str, str], answer: Answer) -> None:
        origin = headers.get("origin")
        if origin and origin in self._core.settings.openkeel.cors_allowed_origins:
            answer.headers["Access-Control-Allow-Origin"] = origin
            answer.headers["Access-Control-Allow-Credentials"] = "true"
            answer.headers["Vary"] = ", ".join(filter(None, [answer.headers.get("Vary"), "Origin"]))


async def _body(scope: Scope, headers: dict[str, str], receive: Receive) -> bytes:
    """The whole body. Raises TooLarge."""
    length = headers.get("content-length")
    if length is not None and length.isdigit() and int(length) > MAX_BODY:
        raise TooLarge
    if length in (None, "0") and "transfer-encoding" not in headers:
        return b""
    parts, size = [], 0
    while True:
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            raise TooLarge
        if not message.get("more_body"):
            return b"".join(parts)


async def _send(answer: Answer, send: Send) -> None:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.items()]
    if answer.content_type is not None:
        headers.append((b"content-type", answer.content_type.encode()))
    headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


__all__ = ["JSON", "Shell", "make_app"]
