"""Tokens checked with Keystone v3, remembered for a bounded time.

An answer is cached under a hash of the token for ``token_cache_time`` seconds at most and never past the token's own
expiry, so a revoked token is refused within that time. Requests with the same new token ask Keystone once.

Anybody can make tokens up. So what can't be a token is refused without a look-up, refusals have a cache of their own
that can't push good tokens out, and look-ups are bounded: clients' addresses take turns, each with its newest token
first.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import re
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import prometheus_client
import structlog
from keystoneauth1 import exceptions, loading
from keystoneauth1.session import Session

from api.fair import Bounds, Busy, Turns
from api.tokens.base import Identity, KeystoneAway, TooManyTokens
from generated.settings import KeystoneAuthtokenSection

LOG = structlog.get_logger("api.tokens")
FAILURES = prometheus_client.Counter("manila_keystone_failures", "Tokens that Keystone could not be asked about")
CACHE_SIZE, REFUSALS_SIZE = 10_000, 10_000
LOOK_UPS = 16
"""Tokens that Keystone is asked about at the same time, unless ``keystone_look_ups`` says another number."""
WAITING, WAITING_EACH, WAITING_SECONDS = 200, 100, 10.0
"""Tokens that wait to be asked about, those of one address, and for how long."""
TOKEN = re.compile(r"[A-Za-z0-9._~+/=:%|@-]{1,8192}")
"""What can be a token: the alphabets of Fernet, UUID, PKI and JWS, and a few marks more for other providers."""
TOO_LARGE = frozenset((413, 414, 431))
"""Answers of Keystone's HTTP server to a header that is too long for it; Apache's is 400 without Keystone's body."""
LONG = 2000
"""Characters of a token that may be too long for Keystone's HTTP server."""
UNKNOWN_SECONDS = 10.0
"""How long a refusal is remembered: short, so that a token that becomes valid is not kept out."""


class KeystoneTokens:
    """The validator behind ``[keystone_authtoken]``."""

    def __init__(
        self, options: KeystoneAuthtokenSection, session: Session | None = None, look_ups: int = LOOK_UPS
    ) -> None:
        self._options = options
        self._session = session
        self._cache: OrderedDict[bytes, tuple[float, Identity]] = OrderedDict()
        self._refusals: OrderedDict[bytes, float] = OrderedDict()
        bounds = Bounds(look_ups, look_ups, WAITING, WAITING_EACH, WAITING_SECONDS, newest_first=True)
        self._turns = Turns(bounds)
        self._threads = ThreadPoolExecutor(look_ups, "keystone")
        self._asking: dict[bytes, asyncio.Task[Identity | None]] = {}

    async def identity(self, token: str, service_token: str | None = None, address: str = "") -> Identity | None:
        """The token's identity; None when it is refused, or when a service token that came along is.

        A service that vouches for a user may use a token that has expired meanwhile.

        Raises:
            KeystoneAway: Keystone can't be asked and the token is not in the cache.
            TooManyTokens: too many tokens wait to be asked about.
        """
        if service_token is None:
            return await self._look_up(token, address)
        service = await self._look_up(service_token, address)
        if service is None:
            return None
        trusted = bool(set(service.roles) & set(self._options.service_token_roles))
        if self._options.service_token_roles_required and not trusted:
            return None
        found = await self._look_up(token, address, expired=trusted)
        return None if found is None else dataclasses.replace(found, service_roles=service.roles)

    async def _look_up(self, token: str, address: str, expired: bool = False) -> Identity | None:
        if not TOKEN.fullmatch(token):
            return None
        key = hashlib.sha256(token.encode()).digest() + (b"+" if expired else b"")
        kept = self._cache.get(key)
        if kept is not None and kept[0] > time.monotonic():
            self._cache.move_to_end(key)
            return kept[1]
        if self._refusals.get(key, 0.0) > time.monotonic():
            return None
        running = self._asking.get(key)
        if running is None:
            running = asyncio.create_task(self._fetch(key, token, address, expired))
            running.add_done_callback(_read)
            self._asking[key] = running
        return await asyncio.shield(running)

    async def _fetch(self, key: bytes, token: str, address: str, expired: bool) -> Identity | None:
        try:
            await self._turns.enter(address)
            try:
                loop = asyncio.get_running_loop()
                found, seconds = await loop.run_in_executor(self._threads, self._ask, token, expired)
            finally:
                self._turns.rest()
                self._turns.leave(address)
        except Busy:
            raise TooManyTokens from None
        finally:
            del self._asking[key]
        end = time.monotonic() + seconds
        if found is None:
            self._refusals[key] = end
            while len(self._refusals) > REFUSALS_SIZE:
                self._refusals.popitem(last=False)
        else:
            self._cache[key] = (end, found)
            while len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        return found

    def _ask(self, token: str, expired: bool) -> tuple[Identity | None, float]:
        """Keystone's answer and the seconds it may be kept. Runs in a thread. Raises KeystoneAway."""
        options = self._options
        params = {} if options.include_service_catalog else {"nocatalog": "1"}
        if expired:
            params["allow_expired"] = "1"
        try:
            answer = self._connected().get(
                "/auth/tokens",
                headers={"X-Subject-Token": token, "Accept": "application/json"},
                params=params,
                endpoint_filter={
                    "service_type": "identity", "interface": options.interface, "region_name": options.region_name,
                },
                endpoint_override=self._endpoint(),
                raise_exc=False,
                log=False,
            )  # fmt: skip
            if _refused(answer, token):
                return None, UNKNOWN_SECONDS
            if answer.status_code != 200:
                raise KeystoneAway(f"status {answer.status_code}")
            facts = answer.json()["token"]
            end = datetime.fromisoformat(facts["expires_at"].replace("Z", "+00:00"))
            identity = _identity(facts)
        except (exceptions.ClientException, KeystoneAway, ValueError, KeyError, TypeError) as error:
            FAILURES.inc()
            LOG.warning("Keystone can't be asked", error=f"{type(error).__name__}: {error}")
            raise KeystoneAway(str(error)) from error
        left = (end - datetime.now(UTC)).total_seconds()
        if left <= 0 and not expired:
            return None, UNKNOWN_SECONDS
        kept = float(options.token_cache_time)
        return identity, min(kept, left) if left > 0 else min(kept, UNKNOWN_SECONDS)

    def _endpoint(self) -> str | None:
        url = (self._options.auth_url or "").rstrip("/")
        return None if not url else (url if url.endswith("/v3") else f"{url}/v3")

    def _connected(self) -> Session:
        if self._session is None:
            options = self._options
            loader: Any = loading.get_plugin_loader(options.auth_type or "password")
            names = {option.dest for option in loader.get_options()}
            values = {name: getattr(options, name) for name in names if getattr(options, name, None) is not None}
            verify: bool | str = False if options.insecure else options.cafile or True
            cert = (options.certfile, options.keyfile) if options.certfile and options.keyfile else None
            self._session = Session(
                auth=loader.load_from_options(**values),
                verify=verify,
                cert=cert,
                timeout=options.http_connect_timeout or 10,
                connect_retries=options.http_request_max_retries,
            )
        return self._session


def _refused(answer: Any, token: str) -> bool:
    """Whether an answer is about the token: Keystone does not know it, or its server cannot even read it."""
    if answer.status_code in TOO_LARGE or (answer.status_code == 400 and len(token) > LONG):
        return True
    return answer.status_code in (400, 404) and _from_keystone(answer)


def _from_keystone(answer: Any) -> bool:
    """Whether a refusal is Keystone's, not that of a proxy or of something else at its address."""
    try:
        return isinstance(answer.json()["error"], dict)
    except (ValueError, KeyError, TypeError):
        return False


def _read(task: asyncio.Task[Identity | None]) -> None:
    """Take note of a failure that no request waits for any more."""
    if not task.cancelled():
        task.exception()


def _identity(facts: dict[str, Any]) -> Identity:
    project, user, system = facts.get("project") or {}, facts["user"], facts.get("system") or {}
    return Identity(
        user_id=user["id"],
        project_id=project.get("id"),
        roles=tuple(role["name"] for role in facts.get("roles", [])),
        domain_id=(facts.get("domain") or {}).get("id"),
        system_scope="all" if system.get("all") else None,
        user_domain_id=(user.get("domain") or {}).get("id"),
        project_domain_id=(project.get("domain") or {}).get("id"),
    )
