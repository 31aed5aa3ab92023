"""At a back end's start: what it should export, it exports again."""

from __future__ import annotations

import structlog

from db import driver_rows, ensure
from db.connection import Row
from services.core import Core
from worker.operation import Backend

LOG = structlog.get_logger("share")
STATUSES = ("available", "extending", "shrinking", "reverting", "replication_change")
"""Statuses of share instances that a client may have mounted."""


async def ensure_backend(core: Core, backend: Backend) -> None:
    """Hand the driver every share that it should serve and write what it found. Errors of one share stay its own."""
    async with core.db.read() as conn:
        shares = await driver_rows.shares_on(conn, backend.host, STATUSES)
        if not shares:
            return
        rules = await driver_rows.rules(conn, [one["id"] for one in shares])
        servers = await driver_rows.servers(conn, [one["share_server_id"] for one in shares if one["share_server_id"]])
    by_id: dict[str, Row] = {one["id"]: one for one in shares}
    for one in shares:
        one["access_rules"] = [rule for rule in rules[one["id"]] if rule["state"] != "error"]
        one["share_server"] = servers.get(one["share_server_id"])
    try:
        updates = await backend.driver.ensure_shares(shares)
    except NotImplementedError:
        return
    async with core.db.write() as conn:
        for instance_id, found in updates.items():
            if "export_locations" in found:
                wanted = [dict(location) for location in found["export_locations"]]
                await ensure.write_export_locations(conn, instance_id, by_id[instance_id]["export_locations"], wanted)
            if "status" in found:
                LOG.error("share found in another state", share_instance=instance_id, status=found["status"])
                await ensure.write_status(conn, instance_id, found["status"])
