"""Metadata that a driver is told of when it changes: the keys of ``driver_updatable_metadata`` and its like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from db import subnets
from db.connection import Conn
from generated.runtime import Row
from services.context import Context
from services.core import Core
from services.work import ShareMetadataUpdate, SubnetMetadataUpdate, enqueue


def _of_driver(items: Mapping[str, Any], keys: Sequence[str]) -> dict[str, str]:
    return {name: str(value) for name, value in items.items() if name in keys}


async def of_share(core: Core, conn: Conn, ctx: Context, share: Row, items: Mapping[str, Any]) -> None:
    """Queue the word to the share's back end, in the transaction of the change; nothing if no key concerns it."""
    wanted = _of_driver(items, core.settings.default.driver_updatable_metadata)
    if wanted and share["host"]:
        job = ShareMetadataUpdate(share_id=share["id"], instance_id=share["instance_id"], metadata=wanted)
        await enqueue(conn, job, share["host"], request_id=ctx.request_id)


async def of_subnet(
    core: Core, conn: Conn, ctx: Context, network_id: str, subnet_id: str, items: Mapping[str, Any]
) -> None:
    """Queue the word to the back end of each share server on the subnet."""
    wanted = _of_driver(items, core.settings.default.driver_updatable_subnet_metadata)
    if not wanted:
        return
    for server in await subnets.servers_on(conn, [subnet_id]):
        job = SubnetMetadataUpdate(server_id=server["id"], network_id=network_id, subnet_id=subnet_id, metadata=wanted)
        await enqueue(conn, job, server["host"], request_id=ctx.request_id)
