"""Rows in a transitional status that nobody works on any more.

Work is left in the transaction that changes the status, so such a row is what a task left behind that was given up, or
an operation that was under way in the original when its database was adopted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from db.connection import Conn, Row
from db.write import NOW, live
from generated import enums

WAITING = ("migration_driver_in_progress", "migration_driver_phase1_done", "data_copying_completed")
"""Task states in which a periodic task, or an administrator, goes on with a migration."""
_MOVING = "'migrating', 'migrating_to', 'server_migrating', 'server_migrating_to'"
_OF_SHARE = "'share:' || {0}, 'share_copy:' || {0}"


@dataclass(frozen=True, slots=True)
class Ends:
    """How the rows of a table end.

    Attributes:
        ends: status -> the status that it ends in.
        resources: names under which work on a row (``r``) is done in turn; an SQL list or query.
        resting: the other statuses: final ones, and those that somebody else goes on with or ends (said beside them).
        statuses: the contract's sets that ``ends`` and ``resting`` divide among them.
        unless: an SQL condition under which a row is left alone.
    """

    table: str
    ends: Mapping[str, str]
    resources: str
    resting: Sequence[str]
    statuses: Sequence[type[StrEnum]]
    unless: str = "false"
    column: str = "status"


_SERVER_WAITS = f"""
    EXISTS (SELECT 1 FROM share_servers w WHERE w.id IN (r.id, r.source_share_server_id)
              AND w.status = 'server_migrating' AND w.task_state IN {WAITING})
"""
_ON_SERVER = f"""
    SELECT 'share:' || i.share_id FROM share_instances i
    WHERE i.share_server_id = r.id AND {live("i", "share_instances")}
"""
_OF_NETWORKS = f"""
    SELECT 'share_network:' || t.share_network_id || ':' || r.host
    FROM share_server_share_network_subnet_mappings p
    JOIN share_network_subnets t ON t.id = p.share_network_subnet_id AND {live("t", "share_network_subnets")}
    WHERE p.share_server_id = r.id AND p.deleted = 0
"""
SERVERS = Ends(
    "share_servers",
    {
        "creating": "error",
        "deleting": "error",
        "manage_starting": "manage_error",
        "unmanage_starting": "unmanage_error",
        "server_migrating": "error",
        "server_migrating_to": "error",
        "network_change": "error",
    },
    # a server that is being made belongs to the work on a share, so any work on its shares counts as its own
    f"""SELECT 'share_server:' || r.id UNION ALL SELECT 'share_server:' || r.source_share_server_id
        UNION ALL {_ON_SERVER} UNION ALL {_OF_NETWORKS}""",
    ("active", "error", "unmanage_error", "manage_error", "inactive"),
    (enums.ShareServer,),
    f"r.status IN ('server_migrating', 'server_migrating_to') AND {_SERVER_WAITS}",
)
NETWORKS = Ends(
    "share_networks",
    {"network_change": "active"},
    """SELECT t.resource FROM openkeel_tasks t
       WHERE t.resource LIKE 'share_network:' || r.id || ':%%' AND t.state IN ('queued', 'running')""",
    ("active", "error"),
    (enums.ShareNetwork,),
    f"""
    EXISTS (SELECT 1 FROM share_network_subnets t
            JOIN share_server_share_network_subnet_mappings p ON p.share_network_subnet_id = t.id AND p.deleted = 0
            JOIN share_servers v ON v.id = p.share_server_id AND {live("v", "share_servers")}
            WHERE t.share_network_id = r.id AND v.status = 'network_change')
    """,
)
_SHARE_WAITS = f"""
    EXISTS (SELECT 1 FROM shares s WHERE s.id = r.share_id AND s.task_state IN {WAITING})
"""
_BACKED_UP = f"""
    EXISTS (SELECT 1 FROM share_backups b WHERE b.share_id = r.share_id AND b.status IN ('creating', 'restoring')
              AND {live("b", "share_backups")})
    OR EXISTS (SELECT 1 FROM shares s JOIN share_backups b ON b.id = s.source_backup_id
               WHERE s.id = r.share_id AND b.status = 'restoring' AND {live("b", "share_backups")})
"""
INSTANCES = Ends(
    "share_instances",
    {
        "creating": "error",
        "creating_from_snapshot": "error",  # one that a back end still copies is touched whenever it is asked
        "deleting": "error_deleting",
        "manage_starting": "manage_error",
        "unmanage_starting": "unmanage_error",
        "manage_error_unmanage_starting": "unmanage_error",
        "extending": "extending_error",
        "shrinking": "shrinking_error",
        "migrating": "error",
        "migrating_to": "error",
        "replication_change": "error",
        "restoring": "error",
        "reverting": "reverting_error",
        "reverting_to_snapshot": "reverting_error",
        "backup_creating": "available",
        "backup_restoring": "backup_restoring_error",
        "ensuring": "available",
        "server_migrating": "error",
        "server_migrating_to": "error",
    },
    f"{_OF_SHARE.format('r.share_id')}, 'share_server:' || r.share_server_id",
    (
        "deferred_deleting",  # the periodic task of deferred deletion asks again
        "awaiting_transfer",  # accepted, or ended by the periodic task of expired transfers
        "deleted", "error", "error_deleting", "error_deferred_deleting", "available", "manage_error", "unmanage_error",
        "unmanaged", "extending_error", "shrinking_error", "shrinking_possible_data_loss_error", "reverting_error",
        "backup_restoring_error", "inactive",
    ),
    (enums.Share, enums.Transitional),
    f"""
    (r.status IN ('migrating', 'migrating_to') AND {_SHARE_WAITS})
    OR (r.status IN ('server_migrating', 'server_migrating_to') AND EXISTS (
        SELECT 1 FROM share_servers v WHERE v.id = r.share_server_id AND v.status = r.status))
    OR (r.status IN ('backup_creating', 'backup_restoring') AND ({_BACKED_UP}))
    """,
)  # fmt: skip
SNAPSHOTS = Ends(
    "share_snapshot_instances",
    {
        "creating": "error",
        "deleting": "error_deleting",
        "manage_starting": "manage_error",
        "unmanage_starting": "unmanage_error",
        "migrating": "error",
        "migrating_to": "error",
        "server_migrating": "error",
        "restoring": "available",
    },
    """SELECT 'share:' || s.share_id FROM share_snapshots s WHERE s.id = r.snapshot_id
       UNION ALL SELECT 'share_copy:' || s.share_id FROM share_snapshots s WHERE s.id = r.snapshot_id
       UNION ALL SELECT 'snapshot:' || r.id
       UNION ALL SELECT 'share_group:' || g.share_group_id FROM share_group_snapshots g
                 WHERE g.id = r.share_group_snapshot_id""",
    (
        "deferred_deleting",  # the periodic task of deferred deletion asks again
        "available", "error", "error_deleting", "unmanage_error", "manage_error", "error_deferred_deleting",
    ),
    (enums.Snapshot, enums.SnapshotDeferred),
    f"""
    EXISTS (SELECT 1 FROM share_instances i WHERE i.id = r.share_instance_id AND i.status = r.status
              AND i.status IN ({_MOVING}) AND {live("i", "share_instances")})
    """,
)  # fmt: skip
MIGRATIONS = Ends(
    "shares",
    {state: "migration_error" for state in enums.BusyTaskState if state not in WAITING},
    _OF_SHARE.format("r.id"),
    (*WAITING, "migration_success", "migration_error", "migration_cancelled", "data_copying_cancelled",
     "data_copying_error"),
    (enums.ShareTaskState, enums.BusyTaskState),
    f"""
    EXISTS (SELECT 1 FROM share_instances i WHERE i.share_id = r.id AND i.status IN ('migrating', 'migrating_to')
              AND {live("i", "share_instances")})
    """,
    "task_state",
)  # fmt: skip
SERVER_MIGRATIONS = Ends(
    "share_servers",
    dict.fromkeys(
        ("migration_starting", "migration_in_progress", "migration_driver_starting", "migration_completing",
         "migration_cancel_in_progress"),
        "migration_error",
    ),
    "'share_server:' || r.id, 'share_server:' || r.source_share_server_id",
    (*WAITING[:2], "migration_success", "migration_error", "migration_cancelled"),
    (enums.ServerTaskState,),
    "r.status IN ('server_migrating', 'server_migrating_to')",
    "task_state",
)  # fmt: skip
GROUPS = Ends(
    "share_groups",
    {"creating": "error", "deleting": "error"},
    "'share_group:' || r.id",
    ("available", "error", "error_deleting"),
    (enums.ShareGroup,),
)
GROUP_SNAPSHOTS = Ends(
    "share_group_snapshots",
    {"creating": "error", "deleting": "error"},
    "'share_group:' || r.share_group_id",
    ("available", "error", "error_deleting"),
    (enums.ShareGroupSnapshot,),
)
BACKUPS = Ends(
    "share_backups",
    {"creating": "error", "deleting": "error_deleting", "restoring": "error"},  # touched whenever a back end is asked
    f"{_OF_SHARE.format('r.share_id')}, 'backup:' || r.id",
    ("available", "error", "error_deleting", *enums.ShareDuringBackup),
    (enums.Backup,),
)
RULES = Ends(
    "share_instance_access_map",
    {
        "queued_to_apply": "error",
        "queued_to_deny": "error",
        "queued_to_update": "error",
        "applying": "error",
        "denying": "error",
        "updating": "error",
    },
    """SELECT 'share:' || i.share_id FROM share_instances i WHERE i.id = r.share_instance_id
       UNION ALL SELECT 'share_copy:' || i.share_id FROM share_instances i WHERE i.id = r.share_instance_id""",
    ("active", "error", "deleted"),
    (enums.AccessRuleState,),
    "EXISTS (SELECT 1 FROM share_instances i WHERE i.id = r.share_instance_id AND i.status = ANY(%(busy)s))",
    "state",
)
RULES_STATUS = Ends(
    "share_instances",
    {"syncing": "error"},
    _OF_SHARE.format("r.share_id"),
    ("active", "error"),
    (enums.ShareAccessRulesStatus,),
    "r.status = ANY(%(busy)s)",
    "access_rules_status",
)
SNAPSHOT_RULES = Ends(
    "share_snapshot_instance_access_map",
    {state: end for state, end in RULES.ends.items() if "updat" not in state},
    """SELECT 'share:' || n.share_id FROM share_snapshot_instances x JOIN share_snapshots n ON n.id = x.snapshot_id
       WHERE x.id = r.share_snapshot_instance_id""",
    (*RULES.resting, "queued_to_update", "updating"),  # they have no level
    (enums.AccessRuleState,),
    f"""EXISTS (SELECT 1 FROM share_snapshot_instances x WHERE x.id = r.share_snapshot_instance_id
                AND x.status IN ({", ".join(f"'{status}'" for status in SNAPSHOTS.ends)}))""",
    "state",
)
ALL = (
    SERVERS, SERVER_MIGRATIONS, NETWORKS, BACKUPS, INSTANCES, MIGRATIONS, SNAPSHOTS, GROUPS, GROUP_SNAPSHOTS, RULES,
    RULES_STATUS, SNAPSHOT_RULES,
)  # fmt: skip
"""In this order: what follows from another row's status comes after it."""


async def end(conn: Conn, older_than: float) -> list[Row]:
    """Give rows unchanged for ``older_than`` seconds their final status; ``table``, ``id``, ``was`` and ``now``."""
    found = []
    for one in ALL:
        table, column = one.table, one.column
        rows = await conn.all(
            f"""
            WITH stuck AS (
                SELECT r.id, r.{column} AS was FROM {table} r
                WHERE r.{column} = ANY(%(statuses)s) AND {live("r", table)}
                  AND coalesce(r.updated_at, r.created_at) < {NOW} - %(age)s * interval '1 second'
                  AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t WHERE t.state IN ('queued', 'running')
                                    AND t.resource IN ({one.resources}))
                  AND ({one.unless}) IS NOT TRUE
                FOR UPDATE OF r SKIP LOCKED)
            UPDATE {table} r SET {column} = %(ends)s::json ->> stuck.was, updated_at = {NOW}
            FROM stuck WHERE r.id = stuck.id RETURNING r.id, stuck.was, r.{column} AS now
            """,
            {"statuses": list(one.ends), "age": older_than, "ends": json.dumps(one.ends), "busy": list(INSTANCES.ends)},
        )
        found += [{"table": table, **row} for row in rows]
    return found
