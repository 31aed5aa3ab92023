"""Shares as the API shows them: a share's row together with its instance, zone, type name and metadata.

A share with replicas has several instances; the one that speaks for it is chosen as the original does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from db import write
from db.connection import Conn, Row
from db.speaker import rules_status, speaker
from db.turns import each
from db.write import NOW, update
from generated.columns import COLUMNS

_SHARE = ", ".join(f"s.{name}" for name in COLUMNS["shares"] if name not in ("deleted", "deleted_at"))
_INSTANCE = """
    i.status, i.host, i.share_server_id, i.share_network_id, i.share_type_id, i.availability_zone_id, i.progress,
    i.encryption_key_ref, i.replica_state, i.mount_point_name, i.qos_type_id, i.launched_at
"""
FIELDS = f"""
    {_SHARE}, i.id AS instance_id, {_INSTANCE}, az.name AS availability_zone, t.name AS share_type_name, m.metadata,
    CASE WHEN i.status = 'available' THEN i.access_rules_status ELSE 'active' END AS access_rules_status
"""
JOINS = """
    LEFT JOIN availability_zones az ON az.id = i.availability_zone_id AND az.deleted = 'False'
    LEFT JOIN share_types t ON t.id = i.share_type_id AND t.deleted = 'False'
    LEFT JOIN LATERAL (SELECT json_object_agg(x.key, x.value) AS metadata FROM share_metadata x
                       WHERE x.share_id = s.id AND x.deleted = 0) m ON true
"""
_BASE = "FROM shares s {kind} JOIN share_instances i ON i.share_id = s.id AND i.deleted = 'False'"
EXPORTS = """
    LEFT JOIN LATERAL (SELECT json_agg(e.path ORDER BY e.updated_at) AS paths FROM share_instance_export_locations e
                       WHERE e.share_instance_id = i.id AND e.deleted = 0) el ON true
"""


def _select(kind: str, exports: bool) -> str:
    paths = ", el.paths" if exports else ""
    return f"SELECT {FIELDS}{paths} {_BASE.format(kind=kind)} {JOINS}{EXPORTS if exports else ''}"


async def get(conn: Conn, share_id: str, *, exports: bool = False, lock: bool = False) -> Row | None:
    """One live share, or None.

    Args:
        exports: also ``export_location`` and ``export_locations``, which the API shows below 2.9.
        lock: keep other writers of the share waiting until the transaction ends.
    """
    if "\0" in share_id:
        return None
    if lock:
        await write.lock(conn, "shares", share_id)
    rows = await conn.all(_select("LEFT", exports) + " WHERE s.id = %s AND s.deleted = 'False'", (share_id,))
    return fold(rows)[0] if rows else None


async def get_many(conn: Conn, ids: Iterable[str], *, exports: bool = False) -> dict[str, Row]:
    """Live shares by id."""
    sql = _select("LEFT", exports) + " WHERE s.id = ANY(%s) AND s.deleted = 'False'"
    found = await folded(await conn.all(sql, (list(ids),)))
    return {row["id"]: row for row in found}


def fold(rows: Sequence[Row]) -> list[Row]:
    """Rows of one share each for rows of one instance each; the order of first appearance stays."""
    return [_one(group) for group in _grouped(rows)]


async def folded(rows: Sequence[Row]) -> list[Row]:
    """As ``fold``, in slices."""
    return await each(_one, _grouped(rows))


def _grouped(rows: Sequence[Row]) -> list[list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["id"], []).append(row)
    return list(groups.values())


def _one(rows: list[Row]) -> Row:
    row = speaker(rows) or rows[0]
    row["metadata"] = row["metadata"] or {}
    row["has_replicas"] = sum(one["replica_state"] is not None for one in rows) > 1
    if len(rows) > 1:
        row["access_rules_status"] = rules_status(one["access_rules_status"] for one in rows)
    if "paths" in row:
        active = [one for one in rows if one["replica_state"] == "active"] or rows
        own = row["paths"] or []
        row["export_locations"] = [
            path for one in active if one["status"] == "available" for path in one["paths"] or []
        ]
        row["export_location"] = own[0] if own else None
    return row


async def zone_id(conn: Conn, name_or_id: str, *, by_id: bool) -> str | None:
    """Id of a live availability zone."""
    column = "id" if by_id else "name"
    row = await conn.one(f"SELECT id FROM availability_zones WHERE {column} = %s AND deleted = 'False'", (name_or_id,))
    return None if row is None else str(row["id"])


# ---- writes


async def set_share(conn: Conn, share_id: str, **values: Any) -> None:
    """Change columns of the share itself."""
    changes = ", ".join(f"{name} = %({name})s" for name in values)
    await conn.run(
        f"UPDATE shares SET {changes}, updated_at = {NOW} WHERE id = %(share_id)s AND deleted = 'False'",
        {**values, "share_id": share_id},
    )


async def set_status(conn: Conn, instance_id: str, status: str, expected: Sequence[str]) -> bool:
    """Change the status of an instance, if it is one of ``expected`` now; whether it was changed."""
    changed = await conn.run(
        f"UPDATE share_instances SET status = %(status)s, updated_at = {NOW}"
        " WHERE id = %(id)s AND deleted = 'False' AND status = ANY(%(expected)s)",
        {"id": instance_id, "status": status, "expected": list(expected)},
    )
    return bool(changed)


async def reset_status(conn: Conn, instance_id: str, status: str) -> None:
    """Give an instance a status whatever it has: an administrator's word."""
    await update(conn, "share_instances", {"id": instance_id}, {"status": status})


async def set_instance(conn: Conn, instance_id: str, **values: Any) -> None:
    """Change columns of an instance, its status apart; the columns named in ``touch`` become the current time."""
    assert "status" not in values, "a change of status names the statuses that it expects: set_status"
    touch: Iterable[str] = values.pop("touch", ())
    changes = [f"{name} = %({name})s" for name in values] + [f"{name} = {NOW}" for name in (*touch, "updated_at")]
    await conn.run(
        f"UPDATE share_instances SET {', '.join(changes)} WHERE id = %(instance_id)s AND deleted = 'False'",
        {**values, "instance_id": instance_id},
    )


async def replicated(conn: Conn, share_id: str) -> bool:
    """Whether the share's type allows replicas."""
    row = await conn.one("SELECT replication_type FROM shares WHERE id = %s", (share_id,))
    return row is not None and row["replication_type"] is not None


async def place(conn: Conn, instance_id: str, host: str) -> None:
    """Name the pool of an instance whose host names none; another host is left as it is."""
    await conn.run(
        f"""
        UPDATE share_instances SET host = %(host)s, updated_at = {NOW}
        WHERE id = %(id)s AND host = split_part(%(host)s, '#', 1) AND host <> %(host)s AND deleted = 'False'
        """,
        {"id": instance_id, "host": host},
    )
