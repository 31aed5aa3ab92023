"""Encryption keys of share servers: who may have which server, and what a driver is told of a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog

from db import encryption, share_servers
from db.connection import Conn, Row
from generated.errors import ManilaBarbicanACLError, ManilaBarbicanAppCredsError
from worker.operation import Work

LOG = structlog.get_logger("servers")
REFUSED = (ManilaBarbicanACLError, ManilaBarbicanAppCredsError)


def wanted(work: Work, instance: Row) -> str | None:
    """The key that the server of a share instance must have; None: the back end encrypts no servers, or no key is."""
    key: str | None = instance.get("encryption_key_ref")
    return key if key and "share_server" in (work.driver.encryption_support or ()) else None


async def require(work: Work, key: str | None) -> None:
    """Raise ManilaBarbicanACLError unless the service may read the key."""
    if key is not None:
        await work.on_backend.keys.href(key)


def fitting(servers: Sequence[Row], key: str | None) -> list[Row]:
    """The servers that have this key; without one those that have none."""
    return [one for one in servers if one["encryption_key_ref"] == key]


async def note(conn: Conn, server_id: str, key: str | None, project_id: str) -> None:
    """A new server uses a key."""
    if key is not None:
        await encryption.refer(conn, key, project_id, server_id=server_id)


async def told(work: Work, server: Row) -> dict[str, Any]:
    """What the driver is told of a server's key: where it is, and the credential to read it with.

    Raises:
        ManilaBarbicanACLError, ManilaBarbicanAppCredsError: it can't be had.
    """
    key = server["encryption_key_ref"]
    if not key:
        return {}
    keys = work.on_backend.keys
    credential = server["application_credential_id"]
    if not credential:
        credential = await keys.make_credential(key, f"manila_barbican_{server['id']}")
        async with work.write() as conn:
            await share_servers.set_status(conn, server["id"], server["status"], application_credential_id=credential)
    return {
        "encryption_key_ref": await keys.href(key),
        "application_credential_id": credential,
        "application_credential_secret": key,
    }


async def give_up(work: Work, server: Row) -> None:
    """The server goes: its credential too. What the key manager refuses is left there."""
    credential, key = server["application_credential_id"], server["encryption_key_ref"]
    if not credential:
        return
    try:
        await work.on_backend.keys.remove_credential(credential)
        await work.on_backend.keys.revoke(key)
    except REFUSED as error:
        LOG.warning("the credential of a share server stays", server=server["id"], error=repr(error))
