"""Limits: what the requester's project may use and uses."""

from __future__ import annotations

from db import quotas as usage_rows
from handlers.call import Call, Reply
from services import quotas

SHOWN: tuple[tuple[int, str, str, str], ...] = (
    (0, "shares", "maxTotalShares", "totalSharesUsed"),
    (0, "snapshots", "maxTotalShareSnapshots", "totalShareSnapshotsUsed"),
    (0, "gigabytes", "maxTotalShareGigabytes", "totalShareGigabytesUsed"),
    (0, "snapshot_gigabytes", "maxTotalSnapshotGigabytes", "totalSnapshotGigabytesUsed"),
    (0, "share_networks", "maxTotalShareNetworks", "totalShareNetworksUsed"),
    (58, "share_groups", "maxTotalShareGroups", "totalShareGroupsUsed"),
    (58, "share_group_snapshots", "maxTotalShareGroupSnapshots", "totalShareGroupSnapshotsUsed"),
    (53, "share_replicas", "maxTotalShareReplicas", "totalShareReplicasUsed"),
    (53, "replica_gigabytes", "maxTotalReplicaGigabytes", "totalReplicaGigabytesUsed"),
    (80, "backups", "maxTotalShareBackups", "totalShareBackupsUsed"),
    (80, "backup_gigabytes", "maxTotalBackupGigabytes", "totalBackupGigabytesUsed"),
)
"""Since which minor version, resource, name of its limit and of its usage; in the order of the answer."""


async def list(call: Call) -> Reply:
    """Absolute limits; there are no rate limits."""
    project = call.ctx.project_id or ""
    async with call.core.db.read() as conn:
        limits = await quotas.limits_for(conn, call.core, project, None)
        usage = await usage_rows.usage(conn, project)
    shown = [row for row in SHOWN if row[0] <= call.version]
    absolute = {name: limits.project[resource] for _, resource, name, _ in shown}
    absolute |= {name: usage.get(resource, {"in_use": 0})["in_use"] for _, resource, _, name in shown}
    return Reply({"limits": {"rate": [], "absolute": absolute}})
