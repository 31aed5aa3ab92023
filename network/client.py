"""Requests to Neutron: token, repeats, pages, errors. It knows nothing of share servers."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

import httpx2
import structlog
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

from generated.errors import NetworkBadConfigurationException, NetworkException
from network import answers
from network.base import Row, Unavailable
from network.tokens import Project, Token

LOG = structlog.get_logger("neutron")
ATTEMPTS: Final = 5
SETTLING: Final = 60.0
"""Seconds after a lost connection in which "not there" and "not allowed" are asked about a second time."""


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
    """Seconds before the second attempt; doubles from there. A second look at a doubtful answer comes after five."""


def at(collection: str, ident: object, *more: str) -> str:
    """Path of one thing below ``/v2.0/``. Ids of networks and subnets are written by tenants, so they are quoted.

    Without an id the path ends in ``None``, as the original's: there is no such thing.

    Raises:
        NetworkException: 404, as Neutron would answer; no thing can have this id, and no URL can name it.
    """
    if str(ident).strip() in ("", ".", ".."):
        raise NetworkException(f"{collection[:-1]} {str(ident)!r} could not be found.", code=404, kind="HTTPNotFound")
    return "/".join((collection, *(quote(one, safe="", errors="replace") for one in (str(ident), *more))))


@dataclass(slots=True)
class Client:
    """The requests, with token, retry and errors; knows nothing of share servers."""

    options: NeutronOptions
    token: Token
    look_up: Callable[[], Awaitable[str]] | None = None
    """Finds the service's root in the catalogue when the options don't name it."""
    owner: Project | None = None
    """The project of the token."""
    _root: str | None = field(default=None, init=False)
    _http: httpx2.AsyncClient | None = field(default=None, init=False)
    _lost: float = field(default=float("-inf"), init=False)

    @property
    def pause(self) -> float:
        """Seconds before a doubtful answer is asked for again: 1 with the default backoff."""
        return 5 * self.options.backoff

    async def project(self) -> str:
        """Id of the project in which this account makes things of its own.

        Raises:
            NetworkBadConfigurationException: nobody knows it. NetworkException: Keystone refuses, or is away.
        """
        if self.owner is None:
            raise NetworkBadConfigurationException(reason="the project of the account of section neutron is not known")
        return await self.owner()

    async def request(
        self, method: str, path: str, *, body: Row | None = None, query: Row | None = None, repeat: bool = True
    ) -> Row:
        """Send one request below ``/v2.0/`` and decode its answer.

        For a while after a lost connection Neutron may just have been started, and tells everybody that nothing is
        there or allowed. Such an answer is believed only when a second one, a second later, says the same.

        Args:
            repeat: a lost connection is tried again; not for a POST, which may have worked: see ``create``.

        Raises:
            Unavailable: no connection, or 408, 429, 502, 503, 504, after all attempts.
            NetworkException: any other refusal; ``values["code"]`` is the status, ``values["kind"]`` Neutron's type.
        """
        try:
            found = await self._attempts(method, path, body, query, repeat)
        except NetworkException as error:
            if error.values.get("code") not in answers.DOUBTED or not self._settling():
                raise
            LOG.info("Neutron was away and refuses now; asked again", method=method, path=path, error=str(error))
        else:
            if method != "GET" or any(found.values()) or not self._settling():
                return found
        await asyncio.sleep(self.pause)
        return await self._attempts(method, path, body, query, repeat)

    async def listing(self, collection: str, query: Row | None = None) -> list[Row]:
        """All rows of a list, whatever Neutron's ``pagination_max_limit`` is. Raises as ``request``."""
        key, left = collection.replace("-", "_"), ATTEMPTS
        rows: list[Row] = []
        page, markers = dict(query or {}), set[str]()
        while True:
            try:
                answer = await self.request("GET", collection, query=page)
            except NetworkException as error:
                left -= 1
                if not markers or isinstance(error, Unavailable) or not left:
                    raise
                # the row where the last page ended was removed meanwhile: from the first page
                rows, page, markers = [], dict(query or {}), set()
                continue
            rows += answer.get(key) or []
            following = answers.next_page(answer.get(f"{key}_links"))
            if following is None:
                return rows
            page = {**(query or {}), **following}
            marker = str(following.get("marker"))
            if marker in markers:
                raise NetworkException(f"Neutron's list of {collection} does not end: its links go in a circle")
            markers.add(marker)

    async def create(self, collection: str, body: Row, look: Callable[[], Awaitable[Row | None]]) -> Row:
        """Make one thing, the only value of the answer's object.

        Args:
            look: finds what an attempt before has made, whose answer was lost.

        Raises as ``request``.
        """
        for number in range(1, ATTEMPTS + 1):
            try:
                answer = await self.request("POST", collection, body=body, repeat=False)
                return dict(next(iter(answer.values())))
            except Unavailable as error:
                await self.wait(number, error)
                made = await look()
                if made is not None:
                    return made
                if number == ATTEMPTS:
                    raise
        raise AssertionError("unreachable")

    async def delete(self, path: str, *gone: str) -> None:
        """Remove one thing; that it is gone already is no error.

        Args:
            gone: Neutron's types of a 404 that say so. Any other 404, as that of a Neutron which has just started or of
                a proxy, is asked about again.

        Raises as ``request``.
        """
        for left in reversed(range(ATTEMPTS)):
            try:
                await self.request("DELETE", path)
                return
            except NetworkException as error:
                kind = error.values.get("kind")
                if error.values.get("code") != 404:
                    raise
                if kind in gone:
                    return
                if not left:
                    text = f"DELETE {path}: {kind or '404'} does not say that it is gone. Is the URL of Neutron right, "
                    text += "and does the account have the role service or admin?"
                    raise NetworkException(text, code=404, kind=kind) from error
            await asyncio.sleep(self.pause)

    async def wait(self, number: int, error: Unavailable) -> None:
        """Pause before attempt ``number`` + 1 of what ``error`` interrupted."""
        await asyncio.sleep(self._wait(number, error))

    def _settling(self) -> bool:
        return time.monotonic() - self._lost < SETTLING

    def _wait(self, number: int, error: BaseException | None) -> float:
        """Seconds before attempt ``number`` + 1: what the answer asks for, else a random part of what grows."""
        after: Any = error.values.get("after") if isinstance(error, Unavailable) else None
        return float(after) if after is not None else random.uniform(0, min(5.0, self.options.backoff * 2.0**number))

    async def _attempts(self, method: str, path: str, body: Row | None, query: Row | None, repeat: bool) -> Row:
        def wait(state: RetryCallState) -> float:
            return self._wait(state.attempt_number, state.outcome.exception() if state.outcome else None)

        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type(Unavailable),
            stop=stop_after_attempt(ATTEMPTS if repeat else 1),
            wait=wait,
            reraise=True,
        ):
            with attempt:
                return await self._once(method, path, body, query)
        raise AssertionError("unreachable")

    async def _once(self, method: str, path: str, body: Row | None, query: Row | None) -> Row:
        answer = await self._send(method, path, body, query, fresh=False)
        if answer.status_code == 401:
            answer = await self._send(method, path, body, query, fresh=True)
        if answer.status_code in answers.LOST:
            self._lost = time.monotonic()
        return answers.decoded(answer)

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
            self._lost = time.monotonic()
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
