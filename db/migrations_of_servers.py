"""Share servers that move to another back end: the new server, what is on the old one, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from db import async_operations, driver_rows
from db.connection import Conn, Row
from db.write import columns, live, soft_delete, update

SOURCE, DESTINATION = "server_migrating", "server_migrating_to"
"""Statuses of the server that is left (and of all that is on it) and of the one that is filled."""
NOTES = "server_migration"
"""Key under which a migration keeps the new server's id and the driver's last word about it."""


async def destinations(conn: Conn, source_id: str, status: str) -> list[Row]:
    """Servers in a status that a server moves or has moved to, oldest first: ``id``, ``host``, ``task_state``."""
    return await conn.all(
        f"""
        SELECT v.id, v.host, v.status, v.task_state FROM share_servers v
        WHERE v.source_share_server_id = %s AND v.status = %s AND {live("v", "share_servers")}
        ORDER BY v.created_at, v.id
        """,
        (source_id, status),
    )


async def coming_to(conn: Conn, host: str, task_state: str) -> list[Row]:
    """Servers of a host that are being filled and are at ``task_state``, oldest first."""
    return await conn.all(
        f"""
        SELECT {columns("v", "share_servers")} FROM share_servers v
        WHERE v.host = %s AND v.status = 'server_migrating_to' AND v.task_state = %s AND {live("v", "share_servers")}
        ORDER BY v.created_at, v.id
        """,
        (host, task_state),
    )


async def on_network(conn: Conn, network_id: str) -> list[str]:
    """Ids of servers that are being filled on a network."""
    rows = await conn.all(
        f"""
        SELECT DISTINCT v.id FROM share_servers v
        JOIN share_server_share_network_subnet_mappings p ON p.share_server_id = v.id AND p.deleted = 0
        JOIN share_network_subnets t ON t.id = p.share_network_subnet_id AND {live("t", "share_network_subnets")}
        WHERE t.share_network_id = %s AND v.status = 'server_migrating_to' AND {live("v", "share_servers")}
        """,
        (network_id,),
    )
    return [row["id"] for row in rows]


async def set_task_state(conn: Conn, server_ids: Sequence[str], task_state: str, status: str | None = None) -> None:
    """Change how far servers' task is, and their status if it is given."""
    values: Row = {"task_state": task_state} | ({} if status is None else {"status": status})
    await update(conn, "share_servers", {"id": list(server_ids)}, values)


# ---- what is on a server


async def instances(conn: Conn, server_id: str) -> list[Row]:
    """Share instances on a server as drivers know them, oldest first; those of soft-deleted shares too."""
    rows = await conn.all(
        f"""
        SELECT i.id FROM share_instances i
        WHERE i.share_server_id = %s AND {live("i", "share_instances")} ORDER BY i.created_at, i.id
        """,
        (server_id,),
    )
    found = [await driver_rows.share(conn, row["id"]) for row in rows]
    return [one for one in found if one is not None]


async def snapshots(conn: Conn, server_id: str) -> list[Row]:
    """Snapshot instances on a server as drivers know them, oldest first."""
    rows = await conn.all(
        f"""
        SELECT x.id FROM share_snapshot_instances x JOIN share_instances i ON i.id = x.share_instance_id
        WHERE i.share_server_id = %s AND {live("x", "share_snapshot_instances")} AND {live("i", "share_instances")}
        ORDER BY x.created_at, x.id
        """,
        (server_id,),
    )
    found = [await driver_rows.snapshot(conn, row["id"]) for row in rows]
    return [one for one in found if one is not None]


async def statuses(conn: Conn, server_id: str) -> tuple[set[str], set[str]]:
    """Statuses of the share instances and of the snapshot instances on a server."""
    alive = live("i", "share_instances")
    shares = await conn.all(
        f"SELECT DISTINCT i.status FROM share_instances i WHERE i.share_server_id = %s AND {alive}", (server_id,)
    )
    copies = await conn.all(
        f"""
        SELECT DISTINCT x.status FROM share_snapshot_instances x JOIN share_instances i ON i.id = x.share_instance_id
        WHERE i.share_server_id = %s AND {live("x", "share_snapshot_instances")} AND {live("i", "share_instances")}
        """,
        (server_id,),
    )
    return {row["status"] for row in shares}, {row["status"] for row in copies}


async def unsettled_copies(conn: Conn, server_id: str) -> list[Row]:
    """Snapshots, on replicas elsewhere, of the shares on a server that are still being made.

    ``host``, ``share_id``, ``snapshot_id`` and ``snapshot_instance_id``.
    """
    return await conn.all(
        f"""
        SELECT r.host, r.share_id, x.snapshot_id, x.id AS snapshot_instance_id
        FROM share_instances i
        JOIN share_instances r ON r.share_id = i.share_id AND r.id <> i.id AND {live("r", "share_instances")}
        JOIN share_snapshot_instances x ON x.share_instance_id = r.id AND {live("x", "share_snapshot_instances")}
        WHERE i.share_server_id = %s AND {live("i", "share_instances")} AND r.replica_state <> 'active'
          AND x.status = 'creating' AND r.host <> ''
        ORDER BY x.created_at, x.id
        """,
        (server_id,),
    )


async def hold(conn: Conn, server_ids: Sequence[str]) -> None:
    """Keep other writers of servers, and of the shares and snapshots on them, waiting until the transaction ends."""
    ids = (list(server_ids),)
    await conn.run("SELECT 1 FROM share_servers WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", ids)
    await conn.run(
        f"""
        SELECT 1 FROM shares WHERE id IN (
            SELECT i.share_id FROM share_instances i
            WHERE i.share_server_id = ANY(%s) AND {live("i", "share_instances")})
        ORDER BY id FOR NO KEY UPDATE
        """,
        ids,
    )
    await conn.run(
        f"""
        SELECT 1 FROM share_snapshots WHERE id IN (
            SELECT x.snapshot_id FROM share_snapshot_instances x JOIN share_instances i ON i.id = x.share_instance_id
            WHERE i.share_server_id = ANY(%s) AND {live("x", "share_snapshot_instances")}
              AND {live("i", "share_instances")})
        ORDER BY id FOR NO KEY UPDATE
        """,
        ids,
    )


async def set_statuses(conn: Conn, server_id: str, status: str, expected: Sequence[str]) -> None:
    """Change the status of all shares and snapshots on a server that are in one of ``expected``."""
    await hold(conn, [server_id])
    await conn.run(
        f"""
        UPDATE share_snapshot_instances AS x SET status = %s, updated_at = timezone('utc', clock_timestamp())
        FROM share_instances i WHERE i.id = x.share_instance_id AND i.share_server_id = %s AND x.status = ANY(%s)
          AND {live("x", "share_snapshot_instances")} AND {live("i", "share_instances")}
        """,
        (status, server_id, list(expected)),
    )
    where = {"share_server_id": server_id, "status": list(expected)}
    await update(conn, "share_instances", where, {"status": status})


async def rules_are_settled(conn: Conn, server_id: str) -> bool:
    """Whether no rule of a share on the server waits for its back end."""
    row = await conn.one(
        f"""
        SELECT 1 AS yes FROM share_instance_access_map m JOIN share_instances i ON i.id = m.share_instance_id
        WHERE i.share_server_id = %s AND {live("i", "share_instances")} AND {live("m", "share_instance_access_map")}
          AND m.state NOT IN ('active', 'error') LIMIT 1
        """,
        (server_id,),
    )
    return row is None


# ---- the new server's part


async def take_allocations(conn: Conn, source_id: str, destination_id: str) -> None:
    """The addresses of a server belong to another one from now."""
    await update(conn, "network_allocations", {"share_server_id": source_id}, {"share_server_id": destination_id})


async def take_addresses(conn: Conn, source_id: str, destination_id: str, subnet_id: str, values: Row) -> None:
    """A server's addresses on one subnet belong to another one from now, changed by ``values``."""
    where = {"share_server_id": source_id, "share_network_subnet_id": subnet_id, "label": "user"}
    await update(conn, "network_allocations", where, {**values, "share_server_id": destination_id})


async def notes(conn: Conn, source_id: str) -> Row:
    """What the migration of a server keeps: ``destination_id``, ``progress``, ``was``, ``segments``."""
    return await async_operations.get(conn, source_id, NOTES) or {}


async def note(conn: Conn, source_id: str, **values: object) -> None:
    """Keep something more about the migration of a server."""
    await async_operations.put(conn, source_id, NOTES, {**(await notes(conn, source_id)), **values})


async def forget_notes(conn: Conn, source_id: str) -> None:
    """The migration is over."""
    await soft_delete(conn, "async_operation_data", {"entity_uuid": source_id, "key": NOTES})
