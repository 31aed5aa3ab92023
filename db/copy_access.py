"""Access rules by which the data service reaches share instances that it copies between."""

from __future__ import annotations

from collections.abc import Sequence

from db import async_operations
from db.connection import Conn
from db.write import NOW, insert

KEY = "share_copy_access"
"""Key under which a copy keeps the rules that it made."""


async def made(conn: Conn, share_id: str) -> list[str] | None:
    """Ids of the rules that a copy of this share made; None before it has made any."""
    found = await async_operations.get(conn, share_id, KEY)
    return None if found is None else list(found["rules"])


async def grant(conn: Conn, share_id: str, instance_ids: Sequence[str], clients: Sequence[tuple[str, str]]) -> None:
    """Queue read-write rules for clients (type, name) on the instances. A rule that the share has already is used."""
    fresh = []
    for kind, client in clients:
        rule = await conn.one(
            """
            SELECT id FROM share_access_map
            WHERE share_id = %s AND access_type = %s AND access_to = %s AND deleted = 'False' LIMIT 1
            """,
            (share_id, kind, client),
        )
        if rule is None:
            values = {"share_id": share_id, "access_type": kind, "access_to": client, "access_level": "rw"}
            rule = await insert(conn, "share_access_map", values)
            fresh.append(rule["id"])
        for instance_id in instance_ids:
            await conn.run(
                f"""
                INSERT INTO share_instance_access_map (id, share_instance_id, access_id, state, created_at, deleted)
                SELECT gen_random_uuid()::text, i.instance, i.rule, 'queued_to_apply', {NOW}, 'False'
                FROM (VALUES (%(instance)s::text, %(rule)s::text)) AS i(instance, rule)
                WHERE NOT EXISTS (SELECT 1 FROM share_instance_access_map m WHERE m.share_instance_id = i.instance
                                  AND m.access_id = i.rule AND m.deleted = 'False')
                """,
                {"instance": instance_id, "rule": rule["id"]},
            )
    await async_operations.put(conn, share_id, KEY, {"rules": fresh})


async def states(
    conn: Conn, share_id: str, instance_ids: Sequence[str], clients: Sequence[tuple[str, str]]
) -> set[str]:
    """The states that the clients' rules have on the instances."""
    rows = await conn.all(
        """
        SELECT DISTINCT m.state FROM share_instance_access_map m JOIN share_access_map a ON a.id = m.access_id
        WHERE m.share_instance_id = ANY(%(instances)s) AND m.deleted = 'False' AND a.deleted = 'False'
          AND a.share_id = %(share)s AND (a.access_type, a.access_to) IN (
              SELECT c.kind, c.client FROM unnest(%(kinds)s::text[], %(clients)s::text[]) AS c(kind, client))
        """,
        {
            "instances": list(instance_ids), "share": share_id, "kinds": [kind for kind, _ in clients],
            "clients": [client for _, client in clients],
        },
    )  # fmt: skip
    return {row["state"] for row in rows}


async def revoke(conn: Conn, share_id: str) -> bool:
    """Queue the removal of the rules that the copy made; whether there are any. May be repeated."""
    rules = await made(conn, share_id)
    await async_operations.remove(conn, share_id, KEY)
    if not rules:
        return False
    await conn.run(
        f"""
        UPDATE share_instance_access_map SET state = 'queued_to_deny', updated_at = {NOW}
        WHERE access_id = ANY(%s) AND deleted = 'False'
        """,
        (rules,),
    )
    return True
