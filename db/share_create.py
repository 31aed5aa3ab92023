"""What the creation of a share reads and writes, in few statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db.connection import Conn, Row
from db.write import NOW, new_id
from generated.columns import COLUMNS

_TYPE = """
    (SELECT row_to_json(x) FROM (
        SELECT t.id, t.name, t.is_public,
               coalesce((SELECT json_object_agg(e.spec_key, e.spec_value) FROM share_type_extra_specs e
                         WHERE e.share_type_id = t.id AND e.deleted = 0), '{{}}') AS extra_specs
        FROM share_types t
        WHERE t.deleted = 'False' AND {which} AND ({any_type} OR t.is_public OR EXISTS (
            SELECT 1 FROM share_type_projects p
            WHERE p.share_type_id = t.id AND p.project_id = %(project)s AND p.deleted = 0))
        LIMIT 1) x) AS share_type
"""
_ZONE = """
    (SELECT json_build_object('id', z.id, 'name', z.name) FROM availability_zones z
     WHERE z.deleted = 'False' AND z.{column} = %(zone)s LIMIT 1) AS zone
"""
_NETWORK = """
    (SELECT json_build_object('id', n.id, 'status', n.status, 'subnets', coalesce((
         SELECT json_agg(b.availability_zone_id) FROM share_network_subnets b
         WHERE b.share_network_id = n.id AND b.deleted = 'False'), '[]'))
     FROM share_networks n
     WHERE n.id = %(network)s AND n.deleted = 'False' AND (%(everything)s OR n.project_id = %(project)s)) AS network,
    (SELECT coalesce(json_agg(json_build_object('id', z.id, 'name', z.name) ORDER BY z.name), '[]')
     FROM availability_zones z WHERE z.deleted = 'False' AND z.id IN (
         SELECT v.availability_zone_id FROM services v WHERE v.deleted = 0 AND NOT v.disabled)) AS zones
"""


async def facts(
    conn: Conn,
    project_id: str | None,
    *,
    everything: bool,
    type_id: str | None = None,
    type_name: str | None = None,
    any_type: bool = False,
    zone: str | None = None,
    zone_by_id: bool = False,
    network: str | None = None,
) -> Row:
    """Type, zone and network of a new share, in one statement.

    Args:
        everything: networks and types of every project are seen (an administrator asks).
        type_id, type_name: the share type; at most one of them.
        any_type: private types count too, whoever asks.
        zone: name of an availability zone, or its id if ``zone_by_id``.
        network: id of a share network.

    Returns:
        ``share_type`` (id, name, is_public, extra_specs), ``zone`` (id, name), ``network`` (id, status, ``subnets``:
        the zone id of each, null for all zones) and ``zones`` (those with an enabled service); null if there is none.
    """
    parts = []
    if type_id is not None or type_name is not None:
        which = "t.id = %(type)s" if type_id is not None else "t.name = %(type)s"
        parts.append(_TYPE.format(which=which, any_type="true" if any_type or everything else "false"))
    if zone is not None:
        parts.append(_ZONE.format(column="id" if zone_by_id else "name"))
    if network is not None:
        parts.append(_NETWORK)
    params = {
        "project": project_id, "everything": everything, "type": type_id or type_name, "zone": zone, "network": network
    }  # fmt: skip
    found = await conn.one("SELECT " + ", ".join(parts), params) if parts else None
    return {"share_type": None, "zone": None, "network": None, "zones": [], **(found or {})}


async def network(conn: Conn, network_id: str, project_id: str | None, *, everything: bool) -> Row:
    """The ``network`` and ``zones`` of ``facts``."""
    return await facts(conn, project_id, everything=everything, network=network_id)


async def snapshot(conn: Conn, snapshot_id: str, project_id: str | None, *, everything: bool) -> Row | None:
    """A live snapshot of the project, with ``statuses`` of its instances."""
    if "\0" in snapshot_id:
        return None
    return await conn.one(
        """
        SELECT s.id, s.project_id, s.user_id, s.share_id, s.size,
               coalesce((SELECT json_agg(i.status) FROM share_snapshot_instances i
                         WHERE i.snapshot_id = s.id AND i.deleted = 'False'), '[]') AS statuses
        FROM share_snapshots s
        WHERE s.id = %(id)s AND s.deleted = 'False' AND (%(everything)s OR s.project_id = %(project)s)
        """,
        {"id": snapshot_id, "project": project_id, "everything": everything},
    )


async def group(conn: Conn, group_id: str, project_id: str | None, *, everything: bool) -> Row | None:
    """A share group of the project: id, status, host, share_network_id, availability_zone_id, ``share_types``."""
    return await conn.one(
        """
        SELECT g.id, g.status, g.host, g.share_network_id, g.availability_zone_id, z.name AS zone,
               coalesce((SELECT json_agg(m.share_type_id) FROM share_group_share_type_mappings m
                         WHERE m.share_group_id = g.id AND m.deleted = 'False'), '[]') AS share_types
        FROM share_groups g LEFT JOIN availability_zones z ON z.id = g.availability_zone_id AND z.deleted = 'False'
        WHERE g.id = %(id)s AND g.deleted = 'False' AND (%(everything)s OR g.project_id = %(project)s)
        """,
        {"id": group_id, "project": project_id, "everything": everything},
    )


async def qos_type_id(conn: Conn, name_or_id: str) -> str | None:
    """Id of a QoS type."""
    row = await conn.one(
        "SELECT id FROM qos_types WHERE deleted = 'False' AND (id = %(x)s OR name = %(x)s) ORDER BY (id = %(x)s) DESC",
        {"x": name_or_id},
    )
    return None if row is None else str(row["id"])


async def has_key(conn: Conn, key_ref: str, project_id: str) -> bool:
    """Whether the project uses this encryption key already."""
    row = await conn.one(
        "SELECT 1 AS yes FROM encryption_refs WHERE encryption_key_ref = %s AND project_id = %s AND deleted = 'False'",
        (key_ref, project_id),
    )
    return row is not None


def _values(table: str, row: Mapping[str, object], prefix: str) -> tuple[str, str, Row]:
    unknown = row.keys() - set(COLUMNS[table])
    if unknown:
        raise KeyError(f"{table} has no column {', '.join(sorted(unknown))}")
    names = list(row)
    places = [f"%({prefix}{name})s" for name in names]
    return ", ".join(names), ", ".join(places), {f"{prefix}{name}": row[name] for name in names}


async def insert(conn: Conn, share: Row, instance: Row, metadata: Mapping[str, str]) -> Row:
    """Write a share with its first instance and its metadata in one statement.

    Args:
        share, instance: columns; ids, times and ``deleted`` are filled in.

    Returns:
        ``id``, ``instance_id`` and ``created_at``.
    """
    share = {"id": new_id(), **share, "deleted": "False"}
    instance = {"id": new_id(), **instance, "share_id": share["id"], "deleted": "False"}
    names, places, params = _values("shares", share, "s_")
    inames, iplaces, iparams = _values("share_instances", instance, "i_")
    items = ""
    if metadata:
        items = f"""
        , m AS (INSERT INTO share_metadata (share_id, key, value, created_at, deleted)
                SELECT %(s_id)s, g.key, g.value, {NOW}, 0
                FROM unnest(%(m_keys)s::text[], %(m_values)s::text[]) AS g(key, value))"""
        params |= {"m_keys": list(metadata), "m_values": list(metadata.values())}
    row = await conn.one(
        f"""
        WITH s AS (INSERT INTO shares ({names}, created_at) VALUES ({places}, {NOW}) RETURNING created_at),
        i AS (INSERT INTO share_instances ({inames}, created_at, scheduled_at) VALUES ({iplaces}, {NOW}, {NOW}))
        {items} SELECT created_at FROM s
        """,
        params | iparams,
    )
    assert row is not None
    return {"id": share["id"], "instance_id": instance["id"], "created_at": row["created_at"]}


async def hold(conn: Conn, share_ids: Sequence[str]) -> None:
    """Keep other writers of shares waiting until the transaction ends."""
    await conn.run("SELECT 1 FROM shares WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", (list(share_ids),))
    await hints_in_turn(conn)


async def hints_in_turn(conn: Conn) -> None:
    """Wait for our turn to change what shares say of each other; held until the transaction ends.

    Who removes a share holds it already, and writes at others that it does not hold.
    """
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 43))", ("hints",))


async def hint_targets(conn: Conn, share_ids: Sequence[str], key: str) -> dict[str, Row]:
    """Live shares named in a scheduler hint, by id, with ``item``: the value of their metadata ``key`` or None."""
    rows = await conn.all(
        """
        SELECT s.id, s.project_id, s.user_id, s.is_public, 'available' AS status, m.value AS item
        FROM shares s LEFT JOIN share_metadata m ON m.share_id = s.id AND m.key = %s AND m.deleted = 0
        WHERE s.id = ANY(%s) AND s.deleted = 'False'
        """,
        (key, list(share_ids)),
    )
    return {row["id"]: row for row in rows}
