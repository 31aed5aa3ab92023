"""A client that calls the ASGI application in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message

VERSION = "X-OpenStack-Manila-API-Version"


@dataclass(slots=True)
class Answered:
    """An answer; header names in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)


class Client:
    """Requests as one user: ``token`` of the tokens file, None for no token."""

    def __init__(self, app: ASGIApp, token: str | None = "member-a-token", version: str | None = None) -> None:
        self._app = app
        self._token = token
        self._version = version

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
        version: str | None = None,
    ) -> Answered:
        """Send a request; ``body`` goes as JSON, ``raw`` as it is."""
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent = {"host": "api.test:8786", "content-length": str(len(content)), "content-type": "application/json"}
        if self._token:
            sent["x-auth-token"] = self._token
        if version or self._version:
            sent[VERSION.lower()] = str(version or self._version)
        sent |= {name.lower(): value for name, value in (headers or {}).items()}
        target, _, query = path.partition("?")
        named = [(name.encode(), value.encode()) for name, value in sent.items() if value or name != "content-type"]
        scope = {
            "type": "http", "method": method, "path": unquote(target), "raw_path": target.encode(), "root_path": "",
            "query_string": query.encode(), "scheme": "http", "http_version": "1.1",
            "headers": named,
        }  # fmt: skip
        got: dict[str, Any] = {}

        async def receive() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                got["status"] = message["status"]
                got["headers"] = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                got["body"] = got.get("body", b"") + message.get("body", b"")

        await self._app(scope, receive, send)
        return Answered(got["status"], got["headers"], got["body"])
