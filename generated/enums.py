"""Closed sets of the contract: statuses, access levels, protocols, limits.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from enum import StrEnum


class Share(StrEnum):
    """Values of the contract's set 'share'."""

    CREATING = "creating"
    CREATING_FROM_SNAPSHOT = "creating_from_snapshot"
    DELETING = "deleting"
    DEFERRED_DELETING = "deferred_deleting"
    DELETED = "deleted"
    ERROR = "error"
    ERROR_DELETING = "error_deleting"
    ERROR_DEFERRED_DELETING = "error_deferred_deleting"
    AVAILABLE = "available"
    MANAGE_STARTING = "manage_starting"
    MANAGE_ERROR = "manage_error"
    UNMANAGE_STARTING = "unmanage_starting"
    MANAGE_ERROR_UNMANAGE_STARTING = "manage_error_unmanage_starting"
    UNMANAGE_ERROR = "unmanage_error"
    UNMANAGED = "unmanaged"
    EXTENDING = "extending"
    EXTENDING_ERROR = "extending_error"
    SHRINKING = "shrinking"
    SHRINKING_ERROR = "shrinking_error"
    MIGRATING = "migrating"
    MIGRATING_TO = "migrating_to"
    SHRINKING_POSSIBLE_DATA_LOSS_ERROR = "shrinking_possible_data_loss_error"
    REPLICATION_CHANGE = "replication_change"
    RESTORING = "restoring"
    REVERTING = "reverting"
    REVERTING_ERROR = "reverting_error"
    AWAITING_TRANSFER = "awaiting_transfer"
    BACKUP_CREATING = "backup_creating"
    BACKUP_RESTORING = "backup_restoring"
    BACKUP_RESTORING_ERROR = "backup_restoring_error"
    ENSURING = "ensuring"
    SERVER_MIGRATING = "server_migrating"
    SERVER_MIGRATING_TO = "server_migrating_to"
    REVERTING_TO_SNAPSHOT = "reverting_to_snapshot"
    INACTIVE = "inactive"


class ShareAdminReset(StrEnum):
    """Values of the contract's set 'share admin reset'."""

    CREATING = "creating"
    AVAILABLE = "available"
    DELETING = "deleting"
    ERROR = "error"
    ERROR_DELETING = "error_deleting"
    MIGRATING = "migrating"
    MIGRATING_TO = "migrating_to"
    SERVER_MIGRATING = "server_migrating"


class Transitional(StrEnum):
    """Values of the contract's set 'transitional'."""

    CREATING = "creating"
    DELETING = "deleting"
    MANAGE_STARTING = "manage_starting"
    UNMANAGE_STARTING = "unmanage_starting"
    EXTENDING = "extending"
    SHRINKING = "shrinking"
    MIGRATING = "migrating"
    MIGRATING_TO = "migrating_to"
    RESTORING = "restoring"
    REVERTING = "reverting"
    SERVER_MIGRATING = "server_migrating"
    SERVER_MIGRATING_TO = "server_migrating_to"
    BACKUP_RESTORING = "backup_restoring"
    BACKUP_CREATING = "backup_creating"
    ENSURING = "ensuring"
    REVERTING_TO_SNAPSHOT = "reverting_to_snapshot"


class Snapshot(StrEnum):
    """Values of the contract's set 'snapshot'."""

    AVAILABLE = "available"
    ERROR = "error"
    ERROR_DELETING = "error_deleting"
    DELETING = "deleting"
    CREATING = "creating"
    MANAGE_STARTING = "manage_starting"
    UNMANAGE_STARTING = "unmanage_starting"
    UNMANAGE_ERROR = "unmanage_error"
    MANAGE_ERROR = "manage_error"
    MIGRATING = "migrating"
    MIGRATING_TO = "migrating_to"
    RESTORING = "restoring"


class SnapshotDeferred(StrEnum):
    """Values of the contract's set 'snapshot deferred'."""

    DEFERRED_DELETING = "deferred_deleting"
    ERROR_DEFERRED_DELETING = "error_deferred_deleting"


class AccessRuleState(StrEnum):
    """Values of the contract's set 'access rule state'."""

    QUEUED_TO_APPLY = "queued_to_apply"
    QUEUED_TO_DENY = "queued_to_deny"
    QUEUED_TO_UPDATE = "queued_to_update"
    APPLYING = "applying"
    DENYING = "denying"
    UPDATING = "updating"
    ACTIVE = "active"
    ERROR = "error"
    DELETED = "deleted"


class AccessRuleStateBefore228(StrEnum):
    """Values of the contract's set 'access rule state before 2 28'."""

    NEW = "new"
    ACTIVE = "active"
    ERROR = "error"
    OUT_OF_SYNC = "out_of_sync"


class ShareAccessRulesStatus(StrEnum):
    """Values of the contract's set 'share access rules status'."""

    ACTIVE = "active"
    SYNCING = "syncing"
    ERROR = "error"


class ShareAccessRulesStatusBefore228(StrEnum):
    """Values of the contract's set 'share access rules status before 2 28'."""

    ACTIVE = "active"
    OUT_OF_SYNC = "out_of_sync"
    ERROR = "error"


class ShareServer(StrEnum):
    """Values of the contract's set 'share server'."""

    ACTIVE = "active"
    ERROR = "error"
    DELETING = "deleting"
    CREATING = "creating"
    MANAGE_STARTING = "manage_starting"
    UNMANAGE_STARTING = "unmanage_starting"
    UNMANAGE_ERROR = "unmanage_error"
    MANAGE_ERROR = "manage_error"
    INACTIVE = "inactive"
    SERVER_MIGRATING = "server_migrating"
    SERVER_MIGRATING_TO = "server_migrating_to"
    NETWORK_CHANGE = "network_change"


class ShareNetwork(StrEnum):
    """Values of the contract's set 'share network'."""

    ACTIVE = "active"
    ERROR = "error"
    NETWORK_CHANGE = "network_change"


class ReplicaState(StrEnum):
    """Values of the contract's set 'replica state'."""

    ACTIVE = "active"
    IN_SYNC = "in_sync"
    OUT_OF_SYNC = "out_of_sync"
    ERROR = "error"


class ReplicationType(StrEnum):
    """Values of the contract's set 'replication type'."""

    WRITABLE = "writable"
    READABLE = "readable"
    DR = "dr"


class Backup(StrEnum):
    """Values of the contract's set 'backup'."""

    CREATING = "creating"
    AVAILABLE = "available"
    DELETING = "deleting"
    ERROR = "error"
    ERROR_DELETING = "error_deleting"
    RESTORING = "restoring"
    BACKUP_CREATING = "backup_creating"
    BACKUP_RESTORING = "backup_restoring"


class ShareDuringBackup(StrEnum):
    """Values of the contract's set 'share during backup'."""

    BACKUP_CREATING = "backup_creating"
    BACKUP_RESTORING = "backup_restoring"
    BACKUP_RESTORING_ERROR = "backup_restoring_error"


class ShareDuringTransfer(StrEnum):
    """Values of the contract's set 'share during transfer'."""

    AWAITING_TRANSFER = "awaiting_transfer"


class ShareGroup(StrEnum):
    """Values of the contract's set 'share group'."""

    CREATING = "creating"
    AVAILABLE = "available"
    DELETING = "deleting"
    ERROR = "error"
    ERROR_DELETING = "error_deleting"


class ShareGroupSnapshot(StrEnum):
    """Values of the contract's set 'share group snapshot'."""

    CREATING = "creating"
    AVAILABLE = "available"
    DELETING = "deleting"
    ERROR = "error"
    ERROR_DELETING = "error_deleting"


class ShareTaskState(StrEnum):
    """Values of the contract's set 'share task state'."""

    MIGRATION_STARTING = "migration_starting"
    MIGRATION_IN_PROGRESS = "migration_in_progress"
    MIGRATION_COMPLETING = "migration_completing"
    MIGRATION_SUCCESS = "migration_success"
    MIGRATION_ERROR = "migration_error"
    MIGRATION_CANCELLED = "migration_cancelled"
    MIGRATION_DRIVER_IN_PROGRESS = "migration_driver_in_progress"
    MIGRATION_DRIVER_PHASE1_DONE = "migration_driver_phase1_done"
    DATA_COPYING_STARTING = "data_copying_starting"
    DATA_COPYING_IN_PROGRESS = "data_copying_in_progress"
    DATA_COPYING_COMPLETING = "data_copying_completing"
    DATA_COPYING_COMPLETED = "data_copying_completed"
    DATA_COPYING_CANCELLED = "data_copying_cancelled"
    DATA_COPYING_ERROR = "data_copying_error"


class ServerTaskState(StrEnum):
    """Values of the contract's set 'server task state'."""

    MIGRATION_STARTING = "migration_starting"
    MIGRATION_IN_PROGRESS = "migration_in_progress"
    MIGRATION_COMPLETING = "migration_completing"
    MIGRATION_SUCCESS = "migration_success"
    MIGRATION_ERROR = "migration_error"
    MIGRATION_CANCEL_IN_PROGRESS = "migration_cancel_in_progress"
    MIGRATION_CANCELLED = "migration_cancelled"
    MIGRATION_DRIVER_IN_PROGRESS = "migration_driver_in_progress"
    MIGRATION_DRIVER_PHASE1_DONE = "migration_driver_phase1_done"


class BusyTaskState(StrEnum):
    """Values of the contract's set 'busy task state'."""

    MIGRATION_STARTING = "migration_starting"
    MIGRATION_IN_PROGRESS = "migration_in_progress"
    MIGRATION_COMPLETING = "migration_completing"
    MIGRATION_DRIVER_STARTING = "migration_driver_starting"
    MIGRATION_DRIVER_IN_PROGRESS = "migration_driver_in_progress"
    MIGRATION_DRIVER_PHASE1_DONE = "migration_driver_phase1_done"
    DATA_COPYING_STARTING = "data_copying_starting"
    DATA_COPYING_IN_PROGRESS = "data_copying_in_progress"
    DATA_COPYING_COMPLETING = "data_copying_completing"
    DATA_COPYING_COMPLETED = "data_copying_completed"


class BusyCopying(StrEnum):
    """Values of the contract's set 'busy copying'."""

    DATA_COPYING_STARTING = "data_copying_starting"
    DATA_COPYING_IN_PROGRESS = "data_copying_in_progress"
    DATA_COPYING_COMPLETING = "data_copying_completing"


class SecurityService(StrEnum):
    """Values of the contract's set 'security service'."""

    NEW = "new"


SERVICE_STATUSES = ("enabled", "disabled")
SERVICE_STATES = ("up", "down")

ACCESS_LEVELS = ("rw", "ro")
ACCESS_TYPES: dict[str, int] = {"ip": 0, "user": 0, "cert": 0, "cephx": 13}
"""Access type -> the first minor version that admits it."""

RESTRICTED_FIELDS = ("access_key", "access_to")
RESTRICTED_TEXT = "******"

SHARE_PROTOCOLS = ("NFS", "CIFS", "GLUSTERFS", "HDFS", "CEPHFS", "MAPRFS", "LUSTRE", "WEKAFS")
SECURITY_SERVICE_TYPES = ("active_directory", "ldap", "kerberos")
TRUE_WORDS = ("true", "1", "on", "yes", "y", "t")
FALSE_WORDS = ("false", "0", "off", "no", "n", "f")
REQUIRED_EXTRA_SPECS = ("driver_handles_share_servers",)
OPTIONAL_EXTRA_SPECS = (
    "snapshot_support",
    "create_share_from_snapshot_support",
    "revert_to_snapshot_support",
    "replication_type",
    "mount_snapshot_support",
    "mount_point_name_support",
    "snapshot_inherit_share_access_support",
    "availability_zones",
    "encryption_support",
    "provisioning:max_share_size",
    "provisioning:min_share_size",
    "provisioning:max_share_extend_size",
    "provisioning:mount_point_prefix",
    "default_qos_type",
)
TENANT_VISIBLE_EXTRA_SPECS = (
    "driver_handles_share_servers",
    "snapshot_support",
    "create_share_from_snapshot_support",
    "revert_to_snapshot_support",
    "replication_type",
    "mount_snapshot_support",
    "mount_point_name_support",
    "snapshot_inherit_share_access_support",
    "availability_zones",
    "encryption_support",
    "provisioning:max_share_size",
    "provisioning:min_share_size",
    "provisioning:max_share_extend_size",
    "provisioning:mount_point_prefix",
    "default_qos_type",
)
BOOLEAN_EXTRA_SPECS = (
    "driver_handles_share_servers",
    "snapshot_support",
    "create_share_from_snapshot_support",
    "revert_to_snapshot_support",
    "mount_snapshot_support",
    "snapshot_inherit_share_access_support",
)
INFERRED_EXTRA_SPECS: dict[str, bool] = {
    "snapshot_support": False,
    "create_share_from_snapshot_support": False,
    "revert_to_snapshot_support": False,
    "mount_snapshot_support": False,
    "snapshot_inherit_share_access_support": False,
}
LIMITS = {
    "db_max_int": 2147483647,
    "name": 255,
    "description": 255,
    "type_description": 255,
    "lock_reason": 1023,
    "max_request_body": 114688,
}
