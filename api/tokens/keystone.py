"""Tokens checked with Keystone v3, remembered for a bounded time.

An answer is cached under a hash of the token for ``token_cache_time`` seconds at most and never past the token's own
expiry, so a revoked token is refused within that time. Requests with the same new token ask Keystone once.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Any

import structlog
from keystoneauth1 import exceptions, loading
from keystoneauth1.session import Session

from api.tokens.base import Identity, KeystoneAway
from generated.settings import KeystoneAuthtokenSection

LOG = structlog.get_logger("api.tokens")
CACHE_SIZE = 10_000
UNKNOWN_SECONDS = 10.0
"""How long a refusal is remembered: short, so that a token that becomes valid is not kept out."""


class KeystoneTokens:
    """The validator behind ``[keystone_authtoken]``."""

    def __init__(self, options: KeystoneAuthtokenSection, session: Session | None = None) -> None:
        self._options = options
        self._session = session
        self._cache: OrderedDict[bytes, tuple[float, Identity | None]] = OrderedDict()
        self._asking: dict[bytes, asyncio.Future[Identity | None]] = {}

    async def identity(self, token: str, service_token: str | None = None) -> Identity | None:
        """The token's identity; None when it is refused, or when a service token that came along is.

        Raises:
            KeystoneAway: Keystone can't be asked and the token is not in the cache.
        """
        found = await self._look_up(token)
        if found is None or service_token is None:
            return found
        service = await self._look_up(service_token)
        if service is None:
            return None
        if self._options.service_token_roles_required and not set(service.roles) & set(
            self._options.service_token_roles
        ):
            return None
        return Identity(
            found.user_id, found.project_id, found.roles, found.domain_id, found.system_scope, found.user_domain_id,
            found.project_domain_id, service.roles,
        )  # fmt: skip

    async def _look_up(self, token: str) -> Identity | None:
        key = hashlib.sha256(token.encode()).digest()
        kept = self._cache.get(key)
        if kept is not None and kept[0] > time.monotonic():
            self._cache.move_to_end(key)
            return kept[1]
        if (running := self._asking.get(key)) is not None:
            return await asyncio.shield(running)
        future: asyncio.Future[Identity | None] = asyncio.get_running_loop().create_future()
        self._asking[key] = future
        try:
            found, seconds = await asyncio.to_thread(self._ask, token)
        except BaseException as error:
            failure = error if isinstance(error, KeystoneAway) else KeystoneAway(str(error))
            future.set_exception(failure)
            future.exception()  # whoever waits gets it too; nobody waiting is no fault
            raise
        finally:
            del self._asking[key]
        self._cache[key] = (time.monotonic() + seconds, found)
        while len(self._cache) > CACHE_SIZE:
            self._cache.popitem(last=False)
        future.set_result(found)
        return found

    def _ask(self, token: str) -> tuple[Identity | None, float]:
        """Keystone's answer and the seconds it may be kept. Runs in a thread."""
        try:
            answer = self._connected().get(
                "/auth/tokens",
                headers={"X-Subject-Token": token, "Accept": "application/json"},
                params={} if self._options.include_service_catalog else {"nocatalog": "1"},
                endpoint_filter={"service_type": "identity", "interface": self._options.interface, "version": (3, 0)},
                endpoint_override=self._endpoint(),
                raise_exc=False,
            )
        except exceptions.ClientException as error:
            LOG.warning("Keystone can't be asked", error=str(error))
            raise KeystoneAway(str(error)) from error
        if answer.status_code == 404:
            return None, UNKNOWN_SECONDS
        if answer.status_code != 200:
            LOG.warning("Keystone answers", status=answer.status_code)
            raise KeystoneAway(f"status {answer.status_code}")
        facts = answer.json()["token"]
        left = (datetime.fromisoformat(facts["expires_at"].replace("Z", "+00:00")) - datetime.now(UTC)).total_seconds()
        return (
            (_identity(facts), min(float(self._options.token_cache_time), left))
            if left > 0
            else (None, UNKNOWN_SECONDS)
        )

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
