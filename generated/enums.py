"""Closed sets of words: statuses, access levels, protocols.

Generated from spec/constants; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

SHARE: tuple[str, ...] = (
    "creating", "creating_from_snapshot", "deleting", "deferred_deleting", "deleted", "error", "error_deleting",
    "error_deferred_deleting", "available", "manage_starting", "manage_error", "unmanage_starting",
    "manage_error_unmanage_starting", "unmanage_error", "unmanaged", "extending", "extending_error", "shrinking",
    "shrinking_error", "migrating", "migrating_to", "shrinking_possible_data_loss_error", "replication_change",
    "restoring", "reverting", "reverting_error", "awaiting_transfer", "backup_creating", "backup_restoring",
    "backup_restoring_error", "ensuring", "server_migrating", "server_migrating_to", "reverting_to_snapshot",
    "inactive",
)
SHARE_ADMIN_RESET: tuple[str, ...] = (
    "creating", "available", "deleting", "error", "error_deleting", "migrating", "migrating_to", "server_migrating",
)
TRANSITIONAL: tuple[str, ...] = (
    "creating", "deleting", "manage_starting", "unmanage_starting", "extending", "shrinking", "migrating",
    "migrating_to", "restoring", "reverting", "server_migrating", "server_migrating_to", "backup_restoring",
    "backup_creating", "ensuring", "reverting_to_snapshot",
)
SNAPSHOT: tuple[str, ...] = (
    "available", "error", "error_deleting", "deleting", "creating", "manage_starting", "unmanage_starting",
    "unmanage_error", "manage_error", "migrating", "migrating_to", "restoring",
)
SNAPSHOT_DEFERRED: tuple[str, ...] = ("deferred_deleting", "error_deferred_deleting")
ACCESS_RULE_STATE: tuple[str, ...] = (
    "queued_to_apply", "queued_to_deny", "queued_to_update", "applying", "denying", "updating", "active", "error",
    "deleted",
)
ACCESS_RULE_STATE_BEFORE_2_28: tuple[str, ...] = ("new", "active", "error", "out_of_sync")
SHARE_ACCESS_RULES_STATUS: tuple[str, ...] = ("active", "syncing", "error")
SHARE_ACCESS_RULES_STATUS_BEFORE_2_28: tuple[str, ...] = ("active", "out_of_sync", "error")
SHARE_SERVER: tuple[str, ...] = (
    "active", "error", "deleting", "creating", "manage_starting", "unmanage_starting", "unmanage_error", "manage_error",
    "inactive", "server_migrating", "server_migrating_to", "network_change",
)
SHARE_NETWORK: tuple[str, ...] = ("active", "error", "network_change")
REPLICA_STATE: tuple[str, ...] = ("active", "in_sync", "out_of_sync", "error")
REPLICATION_TYPE: tuple[str, ...] = ("writable", "readable", "dr")
BACKUP: tuple[str, ...] = (
    "creating", "available", "deleting", "error", "error_deleting", "restoring", "backup_creating", "backup_restoring",
)
SHARE_DURING_BACKUP: tuple[str, ...] = ("backup_creating", "backup_restoring", "backup_restoring_error")
SHARE_DURING_TRANSFER: tuple[str, ...] = ("awaiting_transfer",)
SHARE_GROUP: tuple[str, ...] = ("creating", "available", "deleting", "error", "error_deleting")
SHARE_GROUP_SNAPSHOT: tuple[str, ...] = ("creating", "available", "deleting", "error", "error_deleting")
SHARE_TASK_STATE: tuple[str, ...] = (
    "migration_starting", "migration_in_progress", "migration_completing", "migration_success", "migration_error",
    "migration_cancelled", "migration_driver_in_progress", "migration_driver_phase1_done", "data_copying_starting",
    "data_copying_in_progress", "data_copying_completing", "data_copying_completed", "data_copying_cancelled",
    "data_copying_error", None,
)
SERVER_TASK_STATE: tuple[str, ...] = (
    "migration_starting", "migration_in_progress", "migration_completing", "migration_success", "migration_error",
    "migration_cancel_in_progress", "migration_cancelled", "migration_driver_in_progress",
    "migration_driver_phase1_done", None,
)
BUSY_TASK_STATE: tuple[str, ...] = (
    "migration_starting", "migration_in_progress", "migration_completing", "migration_driver_starting",
    "migration_driver_in_progress", "migration_driver_phase1_done", "data_copying_starting", "data_copying_in_progress",
    "data_copying_completing", "data_copying_completed",
)
BUSY_COPYING: tuple[str, ...] = ("data_copying_starting", "data_copying_in_progress", "data_copying_completing")
SECURITY_SERVICE: tuple[str, ...] = ("new",)
STATUS_TRANSLATION: tuple[str, ...] = (
   
    {"field": "status of shares and share instances", "stored": "creating_from_snapshot", "shown": "creating", "until": "2.53"},
    {"field": "access_rules_status of shares", "stored": "syncing", "shown": "out_of_sync", "until": "2.27"},
    {"field": "state of access rules", "stored": "any", "shown": "new while the share's rules are syncing, else the rules status of the share", "until": "2.27"},
)
ACCESS_LEVELS: tuple[str, ...] = ("rw", "ro")
SHARE_PROTOCOLS: tuple[str, ...] = ("NFS", "CIFS", "GLUSTERFS", "HDFS", "CEPHFS", "MAPRFS", "LUSTRE", "WEKAFS")
SECURITY_SERVICE_TYPES: tuple[str, ...] = ("active_directory", "ldap", "kerberos")
TRUE_WORDS: tuple[str, ...] = ("true", "1", "on", "yes", "y", "t")
FALSE_WORDS: tuple[str, ...] = ("false", "0", "off", "no", "n", "f")
