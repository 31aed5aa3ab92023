"""An HTTP proxy before an API server that answers wrongly, late or not at all when it is told to."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol

from aiohttp import ClientConnectionError, ClientSession, ClientTimeout, web

from tests.drivers.kubernetes.memory import Memory, Object

HANG = 20.0
"""Seconds without an answer; more than a test's client waits, and little enough for a server that must end."""


class Upstream(Protocol):
    """An API server, asked as its administrator."""

    async def ask(self, method: str, url: str, body: bytes, content: str) -> tuple[int, bytes]: ...

    def watch(self, url: str) -> AsyncIterator[bytes]: ...


class InMemory:
    """The API server of the unit tests."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def ask(self, method: str, url: str, body: bytes, content: str) -> tuple[int, bytes]:
        status, document = self._memory.handle(method, url, json.loads(body) if body else None, content)
        return status, json.dumps(document).encode()

    async def watch(self, url: str) -> AsyncIterator[bytes]:
        async for event in self._memory.events(url):
            yield json.dumps(event).encode() + b"\n"


class Real:
    """A real one; the session has the administrator's certificate."""

    def __init__(self, url: str, session: ClientSession) -> None:
        self._url, self._session = url, session

    async def ask(self, method: str, url: str, body: bytes, content: str) -> tuple[int, bytes]:
        headers = {"Content-Type": content or "application/json"}
        async with self._session.request(method, self._url + url, data=body or None, headers=headers) as answer:
            return answer.status, await answer.read()

    async def watch(self, url: str) -> AsyncIterator[bytes]:
        async with self._session.get(self._url + url, timeout=ClientTimeout(total=600)) as answer:
            if answer.status != 200:
                yield json.dumps({"type": "ERROR", "object": await answer.json()}).encode() + b"\n"
                return
            async for line in answer.content:
                yield line


@dataclass
class Fault:
    """Of the next ``times`` requests with this method and these words in their path, after ``skip`` of them.

    ``method`` of ``*``: any but a watch. ``what``: a status to answer, ``cut``, or ``hang``. ``done``: the request
    reaches the API server all the same.
    """

    method: str
    words: str
    what: int | str
    done: bool = False
    times: int = 1
    skip: int = 0

    def strikes(self, method: str, path: str) -> bool:
        """Whether it is this request's turn."""
        meant = self.method == method or (self.method == "*" and method != "WATCH")
        if self.times <= 0 or not meant or self.words not in path:
            return False
        self.skip -= 1
        self.times -= self.skip < 0
        return self.skip < 0


@dataclass
class Faulty:
    """Passes requests on, counts them by method, and commits the faults it is told to."""

    upstream: Upstream
    faults: list[Fault] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    committed: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Handle a request."""
        watching = request.query.get("watch") == "true"
        method = "WATCH" if watching else request.method
        self.seen[method] += 1
        body, content = await request.read(), request.content_type
        for fault in self.faults:
            if fault.strikes(method, request.path_qs):
                self.committed += 1
                if fault.done and not watching:
                    await self.upstream.ask(request.method, request.raw_path, body, content)
                return await self._fail(request, fault)
        if watching:
            return await self._stream(request)
        status, text = await self.upstream.ask(request.method, request.raw_path, body, content)
        return web.Response(status=status, body=text, content_type="application/json")

    async def _fail(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.what == "hang":
            await asyncio.sleep(HANG)
        if isinstance(fault.what, str):
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionResetError
        words: Object = {"kind": "Status", "code": fault.what, "message": "a planted fault"}
        words["reason"] = {409: "Conflict", 410: "Expired", 429: "TooManyRequests"}.get(fault.what, "Timeout")
        return web.json_response(words, status=fault.what)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        try:
            async for line in self.upstream.watch(request.raw_path):
                await answer.write(line)
        except (ConnectionResetError, ClientConnectionError):
            pass  # who watched has seen enough
        return answer
