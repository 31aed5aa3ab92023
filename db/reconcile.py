"""What the database says of a back end, for the comparison with what it holds, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from db import driver_rows, private_data
from db.connection import Conn, Row
from db.write import live

KEY = "openkeel_findings"
_ANY = """
    SELECT id FROM share_instances WHERE deleted = 'False' AND id = ANY(%(ids)s)
    UNION SELECT id FROM share_snapshot_instances WHERE deleted = 'False' AND id = ANY(%(ids)s)
    UNION SELECT id FROM share_servers WHERE deleted = 'False' AND id = ANY(%(ids)s)
    UNION SELECT value FROM share_server_backend_details
        WHERE deleted = 'False' AND key = 'server_id' AND value = ANY(%(ids)s)
"""


async def known(conn: Conn, ids: Collection[str]) -> frozenset[str]:
    """Which of these ids a share instance, a snapshot instance or a share server has, in any status on any host.

    A gateway keeps the id of the server that it was made for when another takes it over.
    """
    return frozenset(row["id"] for row in await conn.all(_ANY, {"ids": list(ids)}))


async def servers(conn: Conn, host: str) -> list[Row]:
    """The active share servers of a back end."""
    rows = await conn.all(
        f"""
        SELECT v.id FROM share_servers v WHERE {live("v", "share_servers")} AND v.status = 'active'
          AND split_part(v.host, '#', 1) = %s ORDER BY v.created_at, v.id
        """,
        (host,),
    )
    return list((await driver_rows.servers(conn, [row["id"] for row in rows])).values())


async def shares(conn: Conn, host: str, statuses: Sequence[str]) -> list[Row]:
    """Share instances of a back end in these statuses, each with its rules and its server."""
    found = await driver_rows.shares_on(conn, host, statuses)
    rules = await driver_rows.rules(conn, [one["id"] for one in found])
    ids = {one["share_server_id"] for one in found if one["share_server_id"]}
    servers_ = await driver_rows.servers(conn, list(ids))
    for one in found:
        one["access_rules"] = rules[one["id"]]
        one["share_server"] = servers_.get(one["share_server_id"])
    return found


async def snapshots(conn: Conn, host: str) -> list[Row]:
    """Available snapshot instances of a back end, each with the rules of its view."""
    return await conn.all(
        f"""
        SELECT n.id, n.snapshot_id, n.share_instance_id, s.share_id,
               coalesce((SELECT json_agg(json_build_object('id', a.id, 'access_type', a.access_type,
                                                           'access_to', a.access_to, 'state', m.state))
                         FROM share_snapshot_instance_access_map m
                         JOIN share_snapshot_access_map a ON a.id = m.access_id
                         WHERE m.share_snapshot_instance_id = n.id AND m.deleted = 'False' AND a.deleted = 'False'),
                        '[]') AS access_rules
        FROM share_snapshot_instances n
        JOIN share_snapshots s ON s.id = n.snapshot_id
        JOIN share_instances i ON i.id = n.share_instance_id
        WHERE {live("n", "share_snapshot_instances")} AND {live("s", "share_snapshots")}
          AND {live("i", "share_instances")} AND n.status = 'available' AND split_part(i.host, '#', 1) = %s
        ORDER BY n.created_at, n.id
        """,
        (host,),
    )


async def note(conn: Conn, entity: str, figures: Row) -> None:
    """Keep the figures of a look, for the metrics of every process."""
    await private_data.put(conn, entity, {KEY: json.dumps(figures)})


async def figures(conn: Conn) -> list[dict[str, Any]]:
    """The figures of the last look at each back end that can be compared."""
    rows = await conn.all(f"SELECT value FROM {private_data.TABLE} WHERE key = %s AND deleted = 0", (KEY,))
    return [json.loads(row["value"]) for row in rows]
