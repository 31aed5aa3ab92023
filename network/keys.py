"""The port to a key manager: keys of shares and share servers, which a back end reads with credentials of its own.

A key belongs to the user who names it. He lets the service's user read it (``grant``); the service makes an application
credential that can read this one key (``make_credential``) and hands it to the back end.
"""

from __future__ import annotations

import functools
import uuid
from typing import Protocol

from generated.errors import ManilaBarbicanACLError, ManilaBarbicanAppCredsError
from generated.settings import BarbicanSection, KeyManagerSection

STAND_IN = "stand_in"


class KeyManager(Protocol):
    """Every method may be repeated. Keys are named by their UUID.

    Raises:
        ManilaBarbicanACLError: the key can't be read, or there is no key manager.
        ManilaBarbicanAppCredsError: the credential can't be had.
    """

    async def grant(self, key_ref: str, token: str | None) -> None:
        """Let the service's user read a key, in the name of its owner, whose token is given."""
        ...

    async def revoke(self, key_ref: str) -> None:
        """The service needs a key no longer; one that can't be given up is left, without an error."""
        ...

    async def href(self, key_ref: str) -> str:
        """URL under which a back end finds the key."""
        ...

    async def make_credential(self, key_ref: str, name: str) -> str:
        """Id of the application credential ``name`` for one key, whose secret is the key's UUID; made if it is not."""
        ...

    async def remove_credential(self, credential_id: str) -> None:
        """Remove an application credential; one that is gone is no error."""
        ...


class NoKeys:
    """No key manager is configured: whatever needs a key fails."""

    async def grant(self, key_ref: str, token: str | None) -> None:
        raise ManilaBarbicanACLError

    async def revoke(self, key_ref: str) -> None:
        """Nothing was granted."""

    async def href(self, key_ref: str) -> str:
        raise ManilaBarbicanACLError

    async def make_credential(self, key_ref: str, name: str) -> str:
        raise ManilaBarbicanAppCredsError

    async def remove_credential(self, credential_id: str) -> None:
        """Nothing was made."""


class StandInKeys:
    """For tests and for trying out: every key exists, everybody may read it, nothing is kept."""

    async def grant(self, key_ref: str, token: str | None) -> None:
        """Granted."""

    async def revoke(self, key_ref: str) -> None:
        """Nothing is kept."""

    async def href(self, key_ref: str) -> str:
        return f"http://keys.invalid/v1/secrets/{key_ref}"

    async def make_credential(self, key_ref: str, name: str) -> str:
        return uuid.uuid5(uuid.NAMESPACE_URL, name).hex

    async def remove_credential(self, credential_id: str) -> None:
        """Nothing is kept."""


@functools.cache
def build(manager: KeyManagerSection, barbican: BarbicanSection) -> KeyManager:
    """The key manager that the configuration names; one a process."""
    name = (manager.backend or "").rpartition(".")[2]
    if name in ("barbican", "BarbicanKeyManager"):
        from network.barbican import BarbicanKeys

        return BarbicanKeys(barbican)
    return StandInKeys() if name == STAND_IN else NoKeys()
