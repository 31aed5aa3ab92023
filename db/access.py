"""Access rules of shares: what requests read and write.

A rule is a row of ``share_access_map``; its state per share instance is in ``share_instance_access_map``. What a back
end has still to do with the rules is in ``db.access_sync``.
"""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn, Row
from db.write import NOW, insert, insert_many, new_id, update

STATES = (
    "error",
    "denying",
    "queued_to_deny",
    "queued_to_update",
    "queued_to_apply",
    "updating",
    "applying",
    "active",
)
"""States of a rule, the one that decides over several instances first."""

_ORDER = "ARRAY[" + ", ".join(f"'{state}'" for state in STATES) + "]"
FILTERS = ("id", "access_type", "access_key", "access_to", "access_level")
"""Columns a list of rules can be filtered by."""

_SHARE = """
    SELECT s.id, s.project_id, s.user_id, s.is_public, s.size, s.share_proto, s.task_state, s.is_soft_deleted,
           s.snapshot_support, s.revert_to_snapshot_support, s.mount_snapshot_support,
           s.snapshot_inherit_share_access_support, i.instances
    FROM shares s CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object(
                   'id', i.id, 'host', i.host, 'status', i.status, 'access_rules_status', i.access_rules_status,
                   'replica_state', i.replica_state, 'share_type_id', i.share_type_id,
                   'share_server_id', i.share_server_id, 'share_network_id', i.share_network_id,
                   'share_network_status', n.status) ORDER BY i.created_at, i.id), '[]'::json) AS instances
        FROM share_instances i LEFT JOIN share_networks n ON n.id = i.share_network_id AND n.deleted = 'False'
        WHERE i.share_id = s.id AND i.deleted = 'False') i
    WHERE s.id = %s AND s.deleted = 'False'
"""

_RULE = f"""
    SELECT a.id, a.share_id, a.access_type, a.access_to, a.access_level, a.access_key, a.created_at, a.updated_at,
           (SELECT m.state FROM share_instance_access_map m WHERE m.access_id = a.id AND m.deleted = 'False'
            ORDER BY array_position({_ORDER}, m.state::text) LIMIT 1) AS state,
           coalesce((SELECT json_object_agg(d.key, d.value) FROM share_access_rules_metadata d
                     WHERE d.access_id = a.id AND d.deleted = 'False'), '{{}}'::json) AS metadata,
           (SELECT json_build_object('id', l.id, 'user_id', l.user_id, 'project_id', l.project_id,
                                     'lock_context', l.lock_context)
            FROM resource_locks l WHERE l.resource_id = a.id AND l.resource_action = 'show'
              AND l.resource_type = 'access_rule' AND l.deleted = 'False'
            ORDER BY l.created_at DESC, l.id DESC LIMIT 1) AS show_lock
    FROM share_access_map a
"""


async def share(conn: Conn, share_id: str) -> Row | None:
    """What rules and snapshots need to know of a live share, with ``instances`` as a list of dicts."""
    return None if "\0" in share_id else await conn.one(_SHARE, (share_id,))


async def owner(conn: Conn, share_id: str) -> Row | None:
    """Owner and publicity of a live share."""
    return await conn.one(
        "SELECT id, project_id, user_id, is_public FROM shares WHERE id = %s AND deleted = 'False'", (share_id,)
    )


async def lock_share(conn: Conn, share_id: str) -> None:
    """Wait until no other transaction changes the rules of this share; held until ours ends."""
    if "\0" not in share_id:
        await conn.run("SELECT 1 FROM shares WHERE id = %s AND deleted = 'False' FOR NO KEY UPDATE", (share_id,))


async def get(conn: Conn, access_id: str) -> Row | None:
    """A rule with its state, metadata (dict) and ``show_lock``: the lock that hides its client, or None."""
    if "\0" in access_id:
        return None
    return await conn.one(f"{_RULE} WHERE a.id = %s AND a.deleted = 'False'", (access_id,))


async def of_share(
    conn: Conn, share_id: str, filters: Mapping[str, str] | None = None, metadata: Mapping[str, str] | None = None
) -> list[Row]:
    """The rules of a share, oldest first, as ``get`` gives them; those no instance knows are left out.

    ``filters`` compares columns of ``FILTERS``; ``metadata`` wants each of its items.
    """
    conditions = [
        "a.share_id = %(share)s AND a.deleted = 'False'",
        "EXISTS (SELECT 1 FROM share_instance_access_map m WHERE m.access_id = a.id AND m.deleted = 'False')",
    ]
    params: Row = {"share": share_id}
    for name in FILTERS:
        if filters is not None and name in filters:
            conditions.append(f"a.{name} = %(f_{name})s")
            params[f"f_{name}"] = filters[name]
    for index, (key, value) in enumerate((metadata or {}).items()):
        conditions.append(
            "EXISTS (SELECT 1 FROM share_access_rules_metadata d WHERE d.access_id = a.id AND d.deleted = 'False'"
            f" AND d.key = %(k_{index})s AND d.value = %(v_{index})s)"
        )
        params |= {f"k_{index}": key, f"v_{index}": value}
    return await conn.all(f"{_RULE} WHERE {' AND '.join(conditions)} ORDER BY a.created_at, a.id", params)


async def clients(conn: Conn, share_id: str, access_type: str) -> list[str]:
    """The clients that live rules of this type name."""
    rows = await conn.all(
        """
        SELECT a.access_to FROM share_access_map a
        WHERE a.share_id = %s AND a.access_type = %s AND a.deleted = 'False'
          AND EXISTS (SELECT 1 FROM share_instance_access_map m WHERE m.access_id = a.id AND m.deleted = 'False')
        """,
        (share_id, access_type),
    )
    return [row["access_to"] for row in rows]


async def create(conn: Conn, values: Row, metadata: Mapping[str, str], instance_ids: list[str]) -> Row:
    """Insert a rule, queued on each instance; the row as ``get`` gives it."""
    rule = await insert(conn, "share_access_map", values)
    await insert_many(
        conn,
        "share_instance_access_map",
        [{"share_instance_id": one, "access_id": rule["id"], "state": "queued_to_apply"} for one in instance_ids],
    )
    await insert_many(
        conn,
        "share_access_rules_metadata",
        [{"access_id": rule["id"], "key": key, "value": value} for key, value in metadata.items()],
    )
    state = "queued_to_apply" if instance_ids else None
    return {**rule, "state": state, "metadata": dict(metadata), "show_lock": None}


async def set_level(conn: Conn, access_id: str, level: str) -> Row | None:
    """Change a rule's level; the new ``updated_at`` is in the answer."""
    return await conn.one(
        f"""
        UPDATE share_access_map SET access_level = %s, updated_at = {NOW}
        WHERE id = %s AND deleted = 'False' RETURNING updated_at
        """,
        (level, access_id),
    )


async def queue(conn: Conn, access_id: str, state: str) -> list[str]:
    """Put a rule in a queued state on every instance that knows it; those instances' ids."""
    rows = await conn.all(
        f"""
        UPDATE share_instance_access_map SET state = %s, updated_at = {NOW}
        WHERE access_id = %s AND deleted = 'False' RETURNING share_instance_id
        """,
        (state, access_id),
    )
    await conn.run(f"UPDATE share_access_map SET updated_at = {NOW} WHERE id = %s", (access_id,))
    return [row["share_instance_id"] for row in rows]


async def start_syncing(conn: Conn, instance_ids: list[str]) -> None:
    """Rules of these share instances are about to change: ``active`` becomes ``syncing``."""
    await conn.run(
        f"""
        UPDATE share_instances SET access_rules_status = 'syncing', updated_at = {NOW}
        WHERE id = ANY(%s) AND access_rules_status = 'active' AND deleted = 'False'
        """,
        (instance_ids,),
    )


async def update_metadata(conn: Conn, access_id: str, metadata: Mapping[str, str]) -> None:
    """Set the given items; others stay."""
    for key, value in metadata.items():
        where = {"access_id": access_id, "key": key}
        if not await update(conn, "share_access_rules_metadata", where, {"value": value}):
            await insert(conn, "share_access_rules_metadata", {**where, "value": value})


async def delete_metadata(conn: Conn, access_id: str, key: str) -> bool:
    """Remove one item; False when there is none."""
    count = await conn.run(
        f"""
        UPDATE share_access_rules_metadata SET deleted = id::text, deleted_at = {NOW}
        WHERE access_id = %s AND key = %s AND deleted = 'False'
        """,
        (access_id, key),
    )
    return count > 0


async def deletion_locks(conn: Conn, resource_id: str) -> list[Row]:
    """Locks that forbid the removal of a rule, of every project."""
    return await conn.all(
        """
        SELECT id, user_id, project_id, lock_context FROM resource_locks
        WHERE resource_id = %s AND resource_action = 'delete' AND deleted = 'False' ORDER BY created_at DESC
        """,
        (resource_id,),
    )


async def create_lock(conn: Conn, values: Row) -> str:
    """Insert a resource lock; its id."""
    lock = await insert(conn, "resource_locks", {"id": new_id(), **values})
    return str(lock["id"])
