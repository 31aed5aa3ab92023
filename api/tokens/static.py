"""Tokens from a file, for embedded use and tests: no Keystone, no expiry."""

from __future__ import annotations

import dataclasses
import hmac
import ipaddress
import json
import pathlib
from collections.abc import Mapping
from typing import Any

from api.tokens.base import Identity


class UnsafeListen(ValueError):
    """Static tokens on an address that others can reach, and nobody confirmed it."""


def check_listen(address: str, confirmed: bool) -> None:
    """Refuse to serve static tokens on an address other than loopback unless that was confirmed.

    Raises:
        UnsafeListen: see there.
    """
    try:
        loopback = ipaddress.ip_address(address).is_loopback
    except ValueError:
        loopback = address == "localhost"
    if not loopback and not confirmed:
        raise UnsafeListen(
            f"static tokens on {address}: set osapi_share_listen to a loopback address,"
            " or [openkeel] static_tokens_anywhere = true"
        )


class StaticTokens:
    """Tokens of a JSON object: token -> ``user_id``, ``project_id``, ``roles``, optionally domains."""

    def __init__(self, tokens: Mapping[str, Mapping[str, Any]]) -> None:
        self._tokens = {
            token.encode(): Identity(
                user_id=str(one["user_id"]),
                project_id=one.get("project_id"),
                roles=tuple(one["roles"]),
                domain_id=one.get("domain_id"),
                system_scope=one.get("system_scope"),
                user_domain_id=one.get("user_domain_id"),
                project_domain_id=one.get("project_domain_id"),
            )
            for token, one in tokens.items()
        }

    @classmethod
    def read(cls, file: str) -> StaticTokens:
        return cls(json.loads(pathlib.Path(file).read_text()))

    async def identity(self, token: str, service_token: str | None = None, address: str = "") -> Identity | None:
        """The identity of a token; None for an unknown one, or when the service token beside it is unknown."""
        found = self._find(token)
        if found is None or service_token is None:
            return found
        service = self._find(service_token)
        return None if service is None else dataclasses.replace(found, service_roles=service.roles)

    def _find(self, token: str) -> Identity | None:
        """Compared in constant time."""
        found, sent = None, token.encode()
        for known, identity in self._tokens.items():
            if hmac.compare_digest(known, sent):
                found = identity
        return found
