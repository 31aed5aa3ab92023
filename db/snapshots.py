"""Snapshots as the API shows them: a snapshot's row with the state of its instances and its metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db.connection import Conn, Row
from db.keyset import Place, behind, joined, ordered
from db.turns import each
from db.write import NOW, insert, insert_many
from generated.columns import COLUMNS

_ROW = ", ".join(f"s.{name}" for name in COLUMNS["share_snapshots"] if name not in ("deleted", "deleted_at"))
_WHOLE = f"""
    SELECT {_ROW}, {{v}} i.instances,
           coalesce((SELECT json_object_agg(m.key, m.value) FROM share_snapshot_metadata m
                     WHERE m.share_snapshot_id = s.id AND m.deleted = 'False'), '{{{{}}}}'::json) AS metadata
    FROM {{source}} s CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object(
                   'id', x.id, 'status', x.status, 'progress', x.progress, 'provider_location', x.provider_location,
                   'share_instance_id', x.share_instance_id, 'replica_state', h.replica_state,
                   'share_instance_status', h.status, 'host', h.host)
                   ORDER BY coalesce(x.updated_at, x.created_at), x.id), '[]'::json)
               AS instances
        FROM share_snapshot_instances x LEFT JOIN share_instances h ON h.id = x.share_instance_id
        WHERE x.snapshot_id = s.id AND x.deleted = 'False') i
"""
_SELECT = _WHOLE.format(v="", source="share_snapshots")
SORT_KEYS = frozenset(COLUMNS["share_snapshots"])
"""Columns a list can be sorted by."""
_EXACT = ("display_name", "display_description", "id", "user_id", "project_id", "share_id", "share_proto")
_NUMBERS = ("size", "share_size")
_DECIDES = ("deleting", "creating", "error", "migrating", "server_migrating", "available")
DEFERRED = ("deferred_deleting", "error_deferred_deleting")


def _whole(row: Row) -> Row:
    """Add what the instances say together: ``status``, ``progress``, ``provider_location``, ``instance``."""
    instances = row["instances"]
    replicas = [one for one in instances if one["replica_state"] == "active"]
    moving = [one for one in instances if one["share_instance_status"] in ("migrating", "server_migrating")]
    first = (replicas or moving or instances or [None])[0]
    row["instance"] = first
    for name in ("status", "progress", "provider_location"):
        row[name] = None if first is None else first[name]
    in_sync = [one["status"] for one in instances if one["replica_state"] in ("active", "in_sync")]
    if in_sync:
        row["status"] = min(in_sync, key=lambda one: _DECIDES.index(one) if one in _DECIDES else len(_DECIDES))
    return row


async def get(conn: Conn, snapshot_id: str, project_id: str | None = None) -> Row | None:
    """One live snapshot, of a project if that is given, or None."""
    if "\0" in snapshot_id:
        return None
    row = await conn.one(
        f"{_SELECT} WHERE s.id = %(id)s AND s.deleted = 'False'"
        " AND (%(project)s::text IS NULL OR s.project_id = %(project)s)",
        {"id": snapshot_id, "project": project_id},
    )
    return None if row is None else _whole(row)


def _conditions(filters: Row) -> tuple[list[str], Row]:
    parts, params = ["s.deleted = 'False'"], {key: value for key, value in filters.items() if key != "metadata"}
    of_instance = "x.snapshot_id = s.id AND x.deleted = 'False'"
    if "status" in filters:
        of_instance += " AND x.status = %(status)s"
    if not filters.get("deferred"):
        of_instance += f" AND x.status NOT IN {DEFERRED}"
    parts.append(f"EXISTS (SELECT 1 FROM share_snapshot_instances x WHERE {of_instance})")
    parts += [f"s.{name} = %({name})s" for name in (*_EXACT, *_NUMBERS) if name in filters]
    if "owner" in filters:
        parts.append("s.project_id = %(owner)s")
    for name in ("display_name", "display_description"):
        if f"{name}~" in filters:
            params[f"like_{name}"] = "%" + str(params.pop(f"{name}~")).replace("\\", "\\\\") + "%"
            parts.append(f"s.{name} LIKE %(like_{name})s")
    if filters.get("usage") in ("used", "unused"):
        same = "=" if filters["usage"] == "used" else "<>"
        parts.append(f"EXISTS (SELECT 1 FROM shares u WHERE u.snapshot_id {same} s.id)")
    for number, (key, value) in enumerate(filters.get("metadata", {}).items()):
        params |= {f"mk{number}": key, f"mv{number}": value}
        parts.append(
            "EXISTS (SELECT 1 FROM share_snapshot_metadata m WHERE m.share_snapshot_id = s.id AND m.deleted = 'False'"
            f" AND m.key = %(mk{number})s AND m.value = %(mv{number})s)"
        )
    return parts, params


async def find(
    conn: Conn,
    filters: Row,
    *,
    sort_key: str = "created_at",
    descending: bool = True,
    limit: int | None = None,
    offset: int = 0,
    marker: str | Place | None = None,
    of: Sequence[str] | None = None,
) -> list[Row]:
    """Snapshots with an instance that match every filter, in order; ``v`` is the text of what a row is sorted by.

    Filters: columns of snapshots, ``owner`` (project whose snapshots are listed), ``status``, ``display_name~`` and
    ``display_description~`` (contained text, % and _ stand for any), ``metadata`` (all items), ``usage`` (``used``,
    ``unused``: by shares made from snapshots), ``deferred`` (also those removed in the background). ``marker`` is the
    last snapshot of the page before, by its id or its place, and makes ``offset`` meaningless; an id that is not among
    those that match is no marker. ``of``: those of these snapshots, in the order of their ids here.
    """
    parts, params = _conditions(filters)
    column, where = f"s.{sort_key}", " AND ".join(parts)
    place = marker if isinstance(marker, Place) else None
    if isinstance(marker, str) and marker:
        known = f"SELECT {column} AS v FROM share_snapshots s WHERE {where} AND s.id = %(marker)s"
        row = await conn.one(known, {**params, "marker": marker})
        place = None if row is None else Place(row["v"], marker)
    if place is not None:
        params |= place.params
    page = _page("s.*", column, where, place, (limit, 0 if marker else offset), descending=descending)
    if of is not None:
        params["of"], descending = list(of), False
        page = f"""
            SELECT s.*, o.v FROM unnest(%(of)s::text[]) WITH ORDINALITY o (id, v)
            JOIN share_snapshots s ON s.id = o.id WHERE {where}
        """
    whole = f"WITH page AS MATERIALIZED ({page}) {_WHOLE.format(v='s.v::text,', source='page')}"
    rows = await conn.all(f"{whole} {ordered('s.v', 's.id', descending=descending)}", params)
    return await each(_whole, rows)


async def ids(conn: Conn, filters: Row, *, sort_key: str, descending: bool, limit: int | None, marker: Place) -> str:
    """The ids of snapshots as ``find`` finds them, separated by blanks."""
    parts, params = _conditions(filters)
    page = _page("s.id", f"s.{sort_key}", " AND ".join(parts), marker, (limit, 0), descending=descending)
    row = await conn.one(f"SELECT string_agg(p.id, ' ') AS ids FROM ({page}) p", {**params, **marker.params})
    return (row and row["ids"]) or ""


def _page(
    columns: str, column: str, where: str, place: Place | None, limits: tuple[int | None, int], *, descending: bool
) -> str:
    """SQL: ``columns`` of snapshots in order, and the value ``v`` that they are sorted by."""
    ranges = [
        f"SELECT {columns}, {column} AS v FROM share_snapshots s WHERE {where} AND {later}"
        for later in behind(column, "s.id", place, descending=descending)
    ]
    return joined(ranges, ordered(column, "s.id", descending=descending), *limits)


async def count(conn: Conn, filters: Row) -> int:
    """How many snapshots match; see ``find``."""
    parts, params = _conditions(filters)
    row = await conn.one(f"SELECT count(*) AS n FROM share_snapshots s WHERE {' AND '.join(parts)}", params)
    return int(row["n"]) if row else 0


async def newest(conn: Conn, share_id: str) -> str | None:
    """Id of the youngest snapshot of a share."""
    rows = await find(conn, {"share_id": share_id}, limit=1)
    return rows[0]["id"] if rows else None


# ---- writes


async def create(conn: Conn, values: Row, share_instance_id: str, metadata: Mapping[str, str]) -> Row:
    """Insert a snapshot with one instance in status ``creating``; the row as ``get`` gives it."""
    snapshot = await insert(conn, "share_snapshots", values)
    await insert(
        conn,
        "share_snapshot_instances",
        {
            "snapshot_id": snapshot["id"],
            "share_instance_id": share_instance_id,
            "status": "creating",
            "progress": "0%",
        },
    )
    for key, value in metadata.items():
        await insert(conn, "share_snapshot_metadata", {"share_snapshot_id": snapshot["id"], "key": key, "value": value})
    found = await get(conn, snapshot["id"])
    assert found is not None
    return found


async def add_instances(conn: Conn, snapshot_id: str, share_instance_ids: list[str]) -> None:
    """Instances in status ``creating`` on further replicas of the snapshot's share."""
    values = {"snapshot_id": snapshot_id, "status": "creating", "progress": "0%"}
    await insert_many(
        conn, "share_snapshot_instances", [{**values, "share_instance_id": one} for one in share_instance_ids]
    )


async def set_names(conn: Conn, snapshot_id: str, values: Row) -> None:
    """Change ``display_name`` and ``display_description``, as far as they are given."""
    changes = ", ".join(f"{name} = %({name})s" for name in ("display_name", "display_description") if name in values)
    if changes:
        await conn.run(
            f"UPDATE share_snapshots SET {changes}, updated_at = {NOW} WHERE id = %(id)s AND deleted = 'False'",
            {**values, "id": snapshot_id},
        )


async def set_status(conn: Conn, instance_ids: list[str], status: str) -> None:
    """Change the status of snapshot instances."""
    await conn.run(
        f"UPDATE share_snapshot_instances SET status = %s, updated_at = {NOW} WHERE id = ANY(%s) AND deleted = 'False'",
        (status, instance_ids),
    )
