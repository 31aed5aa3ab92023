"""What the shell asks of a token validator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose token it is. Ids are opaque; roles are names as Keystone sends them."""

    user_id: str
    project_id: str | None
    roles: tuple[str, ...]
    domain_id: str | None = None
    system_scope: str | None = None
    user_domain_id: str | None = None
    project_domain_id: str | None = None
    service_roles: tuple[str, ...] = ()


class KeystoneAway(Exception):
    """The token is not cached and Keystone can't be asked: 503."""


class TooManyTokens(Exception):
    """So many tokens that are not cached wait for Keystone that this one is not asked about: 503."""


class Validator(Protocol):
    """Finds the identity of a token; None for one that is unknown, expired or revoked."""

    async def identity(self, token: str, service_token: str | None = None, address: str = "") -> Identity | None:
        """``address``: of the client, whose look-ups wait for one another.

        Raises:
            KeystoneAway: nobody can say.
            TooManyTokens: nobody is asked, because too many are waiting.
        """
        ...
