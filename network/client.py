"""Requests to Neutron: token, repeats, errors. It knows nothing of share servers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from generated.errors import NetworkException
from network.base import Row, Unavailable
from network.tokens import Token

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class NeutronOptions:
    """The options a plugin reads. ``url`` is the service's root, without the version; None: see ``Client.look_up``."""

    url: str | None
    physical_network: str | None = None
    timeout: float = 60.0
    """Seconds for one request."""
    verify: bool | str = True
    """False: certificates are not checked; a text: path of the CA file."""
    backoff: float = 0.2
    """Seconds before the second attempt; doubles from there."""


@dataclass(slots=True)
class Client:
    """The requests, with token, retry and errors; knows nothing of share servers."""

    options: NeutronOptions
    token: Token
    look_up: Callable[[], Awaitable[str]] | None = None
    """Finds the service's root in the catalogue when the options don't name it."""
    _root: str | None = field(default=None, init=False)
    _http: httpx2.AsyncClient | None = field(default=None, init=False)

    async def request(
        self, method: str, path: str, *, body: Row | None = None, query: Row | None = None, repeat: bool = True
    ) -> Row:
        """Send one request below ``/v2.0/`` and decode its answer.

        Args:
            repeat: a lost connection is tried again; not for a POST, which may have worked.

        Raises:
            Unavailable: no connection, or 503, after all attempts.
            NetworkException: any other refusal; ``values["code"]`` is the status, ``values["kind"]`` Neutron's type.
        """
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type(Unavailable),
            stop=stop_after_attempt(ATTEMPTS if repeat else 1),
            wait=wait_random_exponential(multiplier=self.options.backoff, max=5),
            reraise=True,
        ):
            with attempt:
                return await self._once(method, path, body, query)
        raise AssertionError("unreachable")

    async def _once(self, method: str, path: str, body: Row | None, query: Row | None) -> Row:
        answer = await self._send(method, path, body, query, fresh=False)
        if answer.status_code == 401:
            answer = await self._send(method, path, body, query, fresh=True)
        if answer.is_success:
            return dict(answer.json()) if answer.content else {}
        raise _error(answer)

    async def _send(
        self, method: str, path: str, body: Row | None, query: Row | None, *, fresh: bool
    ) -> httpx2.Response:
        if self._http is None:
            self._http = httpx2.AsyncClient(timeout=self.options.timeout, verify=self.options.verify)
        url = f"{await self._base()}/v2.0/{path}"
        headers = {"X-Auth-Token": await self.token(fresh), "Accept": "application/json"}
        try:
            return await self._http.request(method, url, json=body, params=query, headers=headers)
        except httpx2.TransportError as error:
            raise Unavailable(f"{method} {path}: {error!r}", code=503) from error

    async def _base(self) -> str:
        if self._root is None:
            found = self.options.url
            if found is None:
                assert self.look_up is not None
                found = await self.look_up()
            self._root = found.rstrip("/").removesuffix("/v2.0")
        return self._root

    async def close(self) -> None:
        if self._http is not None:
            await self._http.aclose()
            self._http = None


def _error(answer: httpx2.Response) -> NetworkException:
    """The error an answer stands for; Neutron names its kind, proxies before it may not."""
    kind, message = "", answer.text[:500]
    try:
        found: Any = answer.json()["NeutronError"]
        kind, message = str(found["type"]), str(found["message"])
    except (ValueError, KeyError, TypeError):
        pass
    if answer.status_code == 503:
        return Unavailable(message, code=503, kind=kind)
    return NetworkException(message, code=answer.status_code, kind=kind)
