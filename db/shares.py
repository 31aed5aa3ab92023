"""Shares as the API shows them: a share's row together with its instance, zone, type name and metadata.

A share with replicas has several instances; the one that speaks for it is chosen as the original does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from db import write
from db.connection import Conn, Row
from db.pages import behind
from db.speaker import rules_status, speaker
from db.turns import each
from db.write import NOW, update
from generated.columns import COLUMNS

_SHARE = ", ".join(f"s.{name}" for name in COLUMNS["shares"] if name not in ("deleted", "deleted_at"))
_INSTANCE = """
    i.status, i.host, i.share_server_id, i.share_network_id, i.share_type_id, i.availability_zone_id, i.progress,
    i.encryption_key_ref, i.replica_state, i.mount_point_name, i.qos_type_id, i.launched_at
"""
_FIELDS = f"""
    {_SHARE}, i.id AS instance_id, {_INSTANCE}, az.name AS availability_zone, t.name AS share_type_name, m.metadata,
    CASE WHEN i.status = 'available' THEN i.access_rules_status ELSE 'active' END AS access_rules_status
"""
_JOINS = """
    LEFT JOIN availability_zones az ON az.id = i.availability_zone_id AND az.deleted = 'False'
    LEFT JOIN share_types t ON t.id = i.share_type_id AND t.deleted = 'False'
    LEFT JOIN LATERAL (SELECT json_object_agg(x.key, x.value) AS metadata FROM share_metadata x
                       WHERE x.share_id = s.id AND x.deleted = 0) m ON true
"""
_BASE = "FROM shares s {kind} JOIN share_instances i ON i.share_id = s.id AND i.deleted = 'False'"
_EXPORTS = """
    LEFT JOIN LATERAL (SELECT json_agg(e.path ORDER BY e.updated_at) AS paths FROM share_instance_export_locations e
                       WHERE e.share_instance_id = i.id AND e.deleted = 0) el ON true
"""


def _select(kind: str, exports: bool) -> str:
    paths = ", el.paths" if exports else ""
    return f"SELECT {_FIELDS}{paths} {_BASE.format(kind=kind)} {_JOINS}{_EXPORTS if exports else ''}"


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
    found = await each(_one, _grouped(await conn.all(sql, (list(ids),))))
    return {row["id"]: row for row in found}


def fold(rows: Sequence[Row]) -> list[Row]:
    """Rows of one share each for rows of one instance each; the order of first appearance stays."""
    return [_one(group) for group in _grouped(rows)]


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


# ---- lists

_OF_SHARE = ("share_group_id", "snapshot_id", "is_soft_deleted")
_OF_INSTANCE = (
    "share_server_id", "status", "share_type_id", "host", "share_network_id", "mount_point_name", "encryption_key_ref",
    "availability_zone_id",
)  # fmt: skip
SORT_KEYS: dict[str, str] = {
    **{name: f"i.{name}" for name in COLUMNS["share_instances"]},
    **{name: f"s.{name}" for name in COLUMNS["shares"]},
}
"""Sort key -> column: a share's own columns first, then those of its instance."""


def _conditions(filters: Row) -> tuple[list[str], Row]:
    """The WHERE clause of a list. Keys are those of ``find``."""
    parts, params = ["s.deleted = 'False'"], dict(filters)
    parts += [f"s.{key} = %({key})s" for key in _OF_SHARE if key in filters]
    parts += [f"i.{key} = %({key})s" for key in _OF_INSTANCE if key in filters]
    if filters.get("project_id"):
        public = " OR s.is_public" if filters.get("is_public") else ""
        parts.append(f"(s.project_id = %(project_id)s{public})")
    for field in ("display_name", "display_description"):
        if filters.get(field):
            parts.append(f"s.{field} = %({field})s")
        elif filters.get(f"{field}~"):
            params[f"like_{field}"] = params.pop(f"{field}~")
            parts.append(f"strpos(s.{field}, %(like_{field})s) > 0")
    for key, column in (("export_location_id", "uuid"), ("export_location_path", "path")):
        if filters.get(key):
            parts.append(
                "EXISTS (SELECT 1 FROM share_instance_export_locations e WHERE e.share_instance_id = i.id"
                f" AND e.deleted = 0 AND e.{column} = %({key})s)"
            )
    for number, (key, value) in enumerate(filters.get("metadata", {}).items()):
        params |= {f"mk{number}": str(key), f"mv{number}": str(value)}
        parts.append(
            f"EXISTS (SELECT 1 FROM share_metadata x WHERE x.share_id = s.id AND x.deleted = 0"
            f" AND x.key = %(mk{number})s AND x.value = %(mv{number})s)"
        )
    for number, (key, value) in enumerate(filters.get("extra_specs", {}).items()):
        params |= {f"ek{number}": str(key), f"ev{number}": str(value)}
        parts.append(
            f"EXISTS (SELECT 1 FROM share_type_extra_specs x WHERE x.share_type_id = i.share_type_id AND x.deleted = 0"
            f" AND x.spec_key = %(ek{number})s AND x.spec_value = %(ev{number})s)"
        )
    if not filters.get("deferred"):
        parts.append("i.status NOT IN ('deferred_deleting', 'error_deferred_deleting')")
    for name in ("metadata", "extra_specs"):
        params.pop(name, None)
    return parts, params


async def find(
    conn: Conn,
    filters: Row,
    *,
    sort_key: str = "created_at",
    descending: bool = True,
    limit: int | None = None,
    offset: int = 0,
    marker: str | None = None,
    detail: bool = True,
    exports: bool = False,
) -> list[Row]:
    """Shares that match every filter, in order.

    Filters: the columns of shares and instances that the API filters by, ``project_id`` (with ``is_public``: also the
    public shares of others), ``display_name~`` and ``display_description~`` (contained text), ``export_location_id``,
    ``export_location_path``, ``metadata`` and ``extra_specs`` (all items must match), ``deferred`` (also shares that
    are removed in the background). Without ``detail`` only ``id`` and ``display_name`` are read.
    """
    parts, params = _conditions(filters)
    found, where = _page(sort_key, descending, filters, params, marker), " AND ".join(parts)
    direction = "DESC" if descending else "ASC"
    tail = f"ORDER BY p.v {direction}, p.id {direction}"
    limits = "" if limit is None else f"LIMIT {int(limit)} OFFSET {0 if marker else int(offset)}"
    page = found.format(where=where) + f" {tail} {limits}"
    if not detail:
        return await conn.all(page, params)
    whole = f"WITH page AS MATERIALIZED ({page}) {_select('', exports)} JOIN page p ON p.id = s.id WHERE {where} {tail}"
    rows = await conn.all(whole, params)
    if any(row["replica_state"] for row in rows):
        every = await get_many(conn, {row["id"] for row in rows}, exports=exports)
        return [every[id_] for id_ in dict.fromkeys(row["id"] for row in rows) if id_ in every]
    return await each(_one, _grouped(rows))


def _page(sort_key: str, descending: bool, filters: Row, params: Row, marker: str | None) -> str:
    """SQL of the ids, names and sort values ``v`` of shares behind the marker; ``{where}`` says which shares.

    A share counts once however many instances it has; it stands where the first of them would. A marker that is not
    there, or not to be seen, is none.
    """
    column = SORT_KEYS[sort_key]
    if column.startswith("i."):
        column = f"(array_agg({column} ORDER BY {column} {'DESC' if descending else 'ASC'}))[1]"
    one = f"SELECT s.id, s.display_name, {column} AS v {_BASE.format(kind='')} WHERE"
    sql = f"SELECT p.* FROM ({one} {{where}} GROUP BY s.id) p"
    if marker:
        params["marker"] = marker
        seen = "AND (s.project_id = %(project_id)s OR s.is_public)" if filters.get("project_id") else ""
        after = behind("p.v", "p.id", "k.v", "k.id", descending=descending)
        sql += (
            f" WHERE coalesce((SELECT {after} FROM ({one} s.id = %(marker)s AND s.deleted = 'False' {seen}"
            " GROUP BY s.id) k), true)"
        )
    return sql


async def count(conn: Conn, filters: Row) -> int:
    """How many shares match; see ``find``."""
    parts, params = _conditions(filters)
    row = await conn.one(
        f"SELECT count(DISTINCT s.id) AS n {_BASE.format(kind='')} WHERE {' AND '.join(parts)}", params
    )
    return int(row["n"]) if row else 0


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
