"""Removing soft-deleted rows for good, children before parents, without ever breaking a reference.

A row goes when it was deleted long enough ago and nothing refers to it any more. What has no meaning without its owner
(metadata, specs, mappings, export locations ...) counts as deleted when its owner was, even where that was never noted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psycopg
import structlog

from db.connection import Conn, Database
from generated.columns import COLUMNS, ID_KIND, SOFT_DELETE

LOG = structlog.get_logger("purge")
BATCH = 5000
OWNED = {
    "project_share_type_quotas": ("share_type_id",),
    "qos_type_specs": ("qos_type_id",),
    "reservations": ("usage_id",),
    "share_access_map": ("share_id",),
    "share_access_rules_metadata": ("access_id",),
    "share_group_share_type_mappings": ("share_group_id",),
    "share_group_type_projects": ("share_group_type_id",),
    "share_group_type_share_type_mappings": ("share_group_type_id", "share_type_id"),
    "share_group_type_specs": ("share_group_type_id",),
    "share_instance_access_map": ("access_id", "share_instance_id"),
    "share_instance_export_locations": ("share_instance_id",),
    "share_instance_export_locations_metadata": ("export_location_id",),
    "share_instance_metadata": ("share_instance_id",),
    "share_metadata": ("share_id",),
    "share_network_security_service_association": ("share_network_id", "security_service_id"),
    "share_network_subnet_metadata": ("share_network_subnet_id",),
    "share_server_backend_details": ("share_server_id",),
    "share_server_share_network_subnet_mappings": ("share_server_id", "share_network_subnet_id"),
    "network_allocations": ("share_server_id",),
    "encryption_refs": ("share_instance_id", "share_server_id"),
    "share_snapshot_access_map": ("share_snapshot_id",),
    "share_snapshot_instance_access_map": ("access_id", "share_snapshot_instance_id"),
    "share_snapshot_instance_export_locations": ("share_snapshot_instance_id",),
    "share_snapshot_metadata": ("share_snapshot_id",),
    "share_type_extra_specs": ("share_type_id",),
    "share_type_projects": ("share_type_id",),
}
"""Table -> the columns that name an owner of its rows."""


@dataclass(frozen=True, slots=True)
class Reference:
    """``child.column`` refers to ``parent.key``."""

    child: str
    column: str
    parent: str
    key: str


async def references(conn: Conn) -> list[Reference]:
    """Every foreign key of the database."""
    rows = await conn.all(
        """
        SELECT c.conrelid::regclass::text AS child, a.attname AS "column", c.confrelid::regclass::text AS parent,
               b.attname AS key
        FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
        WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace ORDER BY 1, 2
        """
    )
    return [Reference(**row) for row in rows]


def children_first(found: Sequence[Reference]) -> list[str]:
    """The tables with soft deletion, each after those whose rows refer to it."""
    waiting = {table: {one.child for one in found if one.parent == table} - {table} for table in sorted(SOFT_DELETE)}
    order: list[str] = []
    while waiting:
        free = [table for table, children in waiting.items() if not children & waiting.keys()]
        assert free, f"references go round in a circle: {sorted(waiting)}"
        order += free
        for table in free:
            del waiting[table]
    return order


async def purge(database: Database, age_in_days: int) -> Mapping[str, int]:
    """Remove what was deleted at least ``age_in_days`` days ago; table -> rows removed. May be interrupted."""
    async with database.read() as conn:
        found = await references(conn)
        row = await conn.one(
            "SELECT timezone('utc', clock_timestamp()) - %s * interval '1 day' AS moment", (age_in_days,)
        )
    assert row is not None
    order, removed = children_first(found), dict[str, int]()
    for table in reversed(order):
        for one in found:
            if one.child == table and one.column in OWNED.get(table, ()) and one.parent in SOFT_DELETE:
                while await _follow_owner(database, one, row["moment"]):
                    continue
    for table in order:
        while number := await _remove(database, table, found, row["moment"]):
            removed[table] = removed.get(table, 0) + number
    return removed


def _dead(alias: str, table: str) -> str:
    return f"{alias}.deleted <> {_live(table)} AND {alias}.deleted_at <= %(moment)s::timestamp"


def _live(table: str) -> str:
    return "'False'" if SOFT_DELETE[table] == "string" else "0"


async def _follow_owner(database: Database, one: Reference, moment: str) -> int:
    """Rows of the child are deleted since their owner is, at most ``BATCH`` of them; how many."""
    table, has_id = one.child, "id" in COLUMNS[one.child]
    if SOFT_DELETE[table] == "string":
        mark = "c.id::text" if has_id else "'True'"
    else:
        mark = "c.id" if has_id and ID_KIND[table] != "string" else "1"
    sql = f"""
        UPDATE {table} c SET deleted = {mark}, deleted_at = p.deleted_at FROM {one.parent} p
        WHERE c.{one.column} = p.{one.key} AND c.ctid = ANY(ARRAY(
            SELECT t.ctid FROM {table} t JOIN {one.parent} q ON t.{one.column} = q.{one.key}
            WHERE {_dead("q", one.parent)}
              AND (t.deleted = {_live(table)} OR t.deleted_at > %(moment)s::timestamp OR t.deleted_at IS NULL)
            LIMIT {BATCH} FOR UPDATE OF t SKIP LOCKED))
    """
    async with database.write() as conn:
        return await conn.run(sql, {"moment": moment})


async def _remove(database: Database, table: str, found: Sequence[Reference], moment: str) -> int:
    """Remove rows that nothing refers to, at most ``BATCH``."""
    guards = "".join(
        f" AND NOT EXISTS (SELECT 1 FROM {one.child} c WHERE c.{one.column} = t.{one.key})"
        for one in found
        if one.parent == table
    )
    sql = f"""
        DELETE FROM {table} WHERE ctid = ANY(ARRAY(
            SELECT t.ctid FROM {table} t WHERE {_dead("t", table)}{guards} LIMIT {BATCH} FOR UPDATE SKIP LOCKED))
    """
    try:
        async with database.write() as conn:
            return await conn.run(sql, {"moment": moment})
    except psycopg.errors.ForeignKeyViolation as error:
        LOG.warning("rows stay, since something began to refer to them", table=table, error=str(error))
        return 0
