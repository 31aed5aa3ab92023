"""Key/value metadata of shares, snapshots, subnets and export locations: one table each, one shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from db.connection import Conn
from db.write import NOW
from generated.columns import SOFT_DELETE


@dataclass(frozen=True, slots=True)
class Kind:
    """Where the metadata of one kind of resource is kept.

    ``owner`` is the column that names the resource, ``root`` the table where who changes it waits for others; ``owned``
    finds the row's id there.
    """

    table: str
    owner: str
    root: str
    owned: str = "%s"

    @property
    def text(self) -> bool:
        """Whether ``deleted`` is text in this table; in others it is a number."""
        return SOFT_DELETE[self.table] == "string"

    @property
    def fresh(self) -> str:
        """``deleted`` of a live item, as an SQL literal."""
        return "'False'" if self.text else "0"


SHARE = Kind("share_metadata", "share_id", "shares")
SNAPSHOT = Kind("share_snapshot_metadata", "share_snapshot_id", "share_snapshots")
SUBNET = Kind(
    "share_network_subnet_metadata",
    "share_network_subnet_id",
    "share_networks",
    "(SELECT share_network_id FROM share_network_subnets WHERE id = %s)",
)
REPLICA = Kind(
    "share_instance_metadata",
    "share_instance_id",
    "shares",
    "(SELECT share_id FROM share_instances WHERE id = %s)",
)
EXPORT_LOCATION = Kind(
    "share_instance_export_locations_metadata",
    "export_location_id",
    "shares",
    """(SELECT i.share_id FROM share_instances i
        JOIN share_instance_export_locations e ON e.share_instance_id = i.id WHERE e.id = %s)""",
)

Owner = str | int
"""The id of the resource; export locations are named by their integer key."""


async def get(conn: Conn, kind: Kind, owner: Owner) -> dict[str, str]:
    """All items of a resource; empty when it has none."""
    rows = await conn.all(
        f"SELECT key, value FROM {kind.table} WHERE {kind.owner} = %s AND deleted = {kind.fresh} ORDER BY id", (owner,)
    )
    return {row["key"]: row["value"] for row in rows}


async def get_item(conn: Conn, kind: Kind, owner: Owner, key: str) -> str | None:
    """One value, or None."""
    row = await conn.one(
        f"SELECT value FROM {kind.table} WHERE {kind.owner} = %s AND key = %s AND deleted = {kind.fresh}", (owner, key)
    )
    return None if row is None else str(row["value"])


async def lock(conn: Conn, kind: Kind, owner: Owner) -> None:
    """Keep other writers of this resource's metadata waiting until the transaction ends, at its root (``db.order``)."""
    await conn.run(f"SELECT 1 FROM {kind.root} WHERE id = {kind.owned} FOR NO KEY UPDATE", (owner,))


async def put(conn: Conn, kind: Kind, owner: Owner, items: Mapping[str, str]) -> None:
    """Set items; the others stay. ``lock`` must have been called if others may write at the same time."""
    if not items:
        return
    await conn.run(
        f"""
        WITH given AS (SELECT * FROM unnest(%(keys)s::text[], %(values)s::text[]) AS g(key, value)),
        changed AS (
            UPDATE {kind.table} AS t SET value = g.value, updated_at = {NOW} FROM given g
            WHERE t.{kind.owner} = %(owner)s AND t.key = g.key AND t.deleted = {kind.fresh} RETURNING t.key)
        INSERT INTO {kind.table} ({kind.owner}, key, value, created_at, deleted)
        SELECT %(owner)s, g.key, g.value, {NOW}, {kind.fresh} FROM given g WHERE g.key NOT IN (SELECT key FROM changed)
        """,
        {"owner": owner, "keys": list(items), "values": list(items.values())},
    )


async def remove(conn: Conn, kind: Kind, owner: Owner, keys: Iterable[str] | None = None) -> int:
    """Remove the named items, or all; how many there were."""
    wanted = None if keys is None else list(keys)
    only = "" if wanted is None else "AND key = ANY(%(keys)s)"
    return await conn.run(
        f"""
        UPDATE {kind.table} SET deleted = id{"::text" if kind.text else ""}, deleted_at = {NOW}
        WHERE {kind.owner} = %(owner)s AND deleted = {kind.fresh} {only}
        """,
        {"owner": owner, "keys": wanted},
    )
