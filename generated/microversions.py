"""The microversions of the v2 API and what each one brought.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

MICROVERSIONS: tuple[tuple[int, str], ...] = (
    (0, "First version reachable under /v2; used when the request carries no version header."),
    (1, "availability_zone counts in a share create. On this branch it counts in 2.0 too."),
    (2, "Shares show snapshot_support; snapshots depend on it."),
    (
        3,
        (
            "Share instances appear for administrators (list, show, instances of a share, os-reset_status, "
            "os-force_delete)."
        ),
    ),
    (4, "Consistency groups existed from here; they are gone, nothing is left on the wire."),
    (5, "Share migration appears for administrators; shares show task_state."),
    (6, "share_type of a share becomes the id of the type; share_type_name holds the name."),
    (
        7,
        (
            "Extension-style URLs and action keys (os-...) end at 2.6; the plain spellings start. The type "
            "field os-share-type-access:is_public becomes share_type_access:is_public. Manage and unmanage "
            "of shares move to POST /shares/manage and the action unmanage."
        ),
    ),
    (8, "is_public may be given when a share is brought under management."),
    (
        9,
        (
            "Export locations get resources of their own; the export_location and export_locations fields "
            "leave shares and share instances."
        ),
    ),
    (10, "Shares and share instances show access_rules_status."),
    (
        11,
        (
            "Replicas appear (experimental). Shares show replication_type and has_replicas, instances show "
            "replica_state."
        ),
    ),
    (12, "Snapshots can be managed and unmanaged; administrators see provider_location."),
    (13, "Access type cephx is admitted."),
    (14, ("Export locations show preferred; list entries lose the timestamps, which stay in the single view.")),
    (
        15,
        (
            "Second generation of the migration actions; on this branch they start at 2.22 (migration_start "
            "at 2.29), so nothing answers here."
        ),
    ),
    (16, "Shares show user_id."),
    (17, "Snapshots show user_id and project_id."),
    (18, "Share networks show gateway."),
    (19, "Snapshot instances appear for administrators."),
    (20, "Share networks show mtu."),
    (21, "Access rules show access_key."),
    (
        22,
        (
            "Third generation of the migration actions (experimental): migration_complete, migration_cancel, "
            "migration_get_progress, reset_task_state (null allowed). Share instances show share_type_id."
        ),
    ),
    (23, "Pool lists can be filtered by share_type."),
    (
        24,
        (
            "snapshot_support is optional in a type and no longer defaulted; "
            "create_share_from_snapshot_support exists and is shown on shares; non-admins see absent "
            "optional boolean specs as false; snapshot_support can be deleted from a type."
        ),
    ),
    (25, "Quotas can be read with usage (GET /quota-sets/{id}/detail)."),
    (26, "nova_net_id leaves the share networks."),
    (27, "Action revert; shares show revert_to_snapshot_support."),
    (
        28,
        (
            "Access rules show their own states (queued_to_apply, applying, queued_to_deny, denying, ...); "
            "syncing replaces out_of_sync; rules may be added while others are in error."
        ),
    ),
    (
        29,
        (
            "migration_start exists in its final form: preserve_metadata, preserve_snapshots, writable and "
            "nondisruptive are mandatory (experimental)."
        ),
    ),
    (30, "Share instances show cast_rules_to_readonly; replicas show it to administrators."),
    (
        31,
        (
            "Share groups, group types with specs and access, and group snapshots appear (experimental). "
            "Shares show share_group_id and source_share_group_snapshot_member_id; share_group_id counts in "
            "a share create."
        ),
    ),
    (
        32,
        (
            "Mountable snapshots: snapshot actions allow_access and deny_access, GET access-list, export "
            "locations of snapshots and snapshot instances; shares show mount_snapshot_support."
        ),
    ),
    (33, "Access rules show created_at and updated_at."),
    (34, "Share groups show availability_zone and consistent_snapshot_support."),
    (35, "Shares and share instances can be filtered by export_location_id and export_location_path."),
    (
        36,
        (
            "Inexact filters name~ and description~ for shares, snapshots, share networks and share groups; "
            "filter description for shares and snapshots."
        ),
    ),
    (37, "User messages appear (list, show, delete)."),
    (38, "IPv6 addresses are admitted in ip rules."),
    (39, "Quotas per share type (query share_type)."),
    (40, "Quotas share_groups and share_group_snapshots."),
    (41, "Share types have a description."),
    (42, "with_count in the share list adds count."),
    (43, "Share types can be filtered by extra_specs; before, the filter is refused."),
    (44, "Security services show ou."),
    (
        45,
        (
            "Resource /share-access-rules (list, show, metadata); rules have metadata; the action "
            "access_list ends at 2.44."
        ),
    ),
    (46, "Types and group types show is_default."),
    (
        47,
        (
            "Export locations of a share no longer include those of non-active replicas; replicas get export "
            "locations of their own (experimental)."
        ),
    ),
    (48, "The spec availability_zones of a type restricts where its shares may be created."),
    (
        49,
        (
            "Share servers can be managed, unmanaged and reset; they show is_auto_deletable and identifier. "
            "Manage and unmanage of shares and snapshots work with share servers (share_server_id)."
        ),
    ),
    (50, "Share types can be updated (PUT)."),
    (
        51,
        (
            "Subnets of share networks appear; the network fields move from the network to its subnets; "
            "availability_zone in a network create; share servers show share_network_subnet_id."
        ),
    ),
    (52, "Messages can be filtered by created_since and created_before."),
    (53, "Quotas and limits for replicas (share_replicas, replica_gigabytes)."),
    (54, "Shares and instances show progress; creating_from_snapshot is shown as it is."),
    (55, "Share groups are no longer experimental."),
    (56, "Replicas are no longer experimental."),
    (
        57,
        (
            "Share server migration actions appear (experimental) with reset_task_state; servers show "
            "task_state and source_share_server_id."
        ),
    ),
    (58, "Limits show share groups and group snapshots."),
    (59, "Migration progress shows details."),
    (60, "The project id in URLs is optional. On this branch that holds in every version."),
    (61, "Specs provisioning:min_share_size and provisioning:max_share_size bound the size."),
    (62, "Quota per_share_gigabytes."),
    (
        63,
        (
            "Security services can be added to and replaced in share networks in use; check actions; "
            "networks show status and security_service_update_support and can be reset; servers show "
            "security_service_update_support."
        ),
    ),
    (64, "extend takes force, which skips the scheduler."),
    (65, "Share create takes scheduler_hints same_host and different_host."),
    (66, "Group types can be filtered by group_specs; before, the filter is refused."),
    (67, "scheduler_hints only_host for share and replica creates."),
    (68, ("Some share metadata keys are reserved to administrators. The check is not version-gated on this branch.")),
    (
        69,
        (
            "Recycle bin: actions soft_delete and restore, filter is_soft_deleted, fields is_soft_deleted "
            "and scheduled_to_be_deleted_at."
        ),
    ),
    (
        70,
        (
            "Several subnets per zone of a share network; action share_network_subnet_create_check; networks "
            "and servers show network_allocation_update_support; servers show share_network_subnet_ids "
            "instead of share_network_subnet_id."
        ),
    ),
    (71, "Share instances show updated_at."),
    (72, "Replica create takes share_network_id; before, the key is refused."),
    (73, "Snapshots have metadata (resource, field, create, manage, filter)."),
    (74, "Access rules can be added and removed while a replica is in error."),
    (75, "promote takes quiesce_wait_time."),
    (76, "Security services have default_ad_site; before, a value is refused."),
    (77, "Share transfers appear."),
    (78, "Share network subnets have metadata."),
    (79, "with_count in the snapshot list."),
    (80, "Share backups appear (experimental) with quotas and limits; shares show source_backup_id."),
    (81, "Resource locks appear."),
    (
        82,
        (
            "allow_access takes lock_visibility, lock_deletion and lock_reason; hidden values are shown as "
            "asterisks; filters for access rules."
        ),
    ),
    (83, "Services show disabled_reason; disable takes it; before, it is refused."),
    (84, "Share create takes mount_point_name."),
    (85, "Backups show backup_type."),
    (86, "POST /services/ensure-shares; services show ensuring."),
    (87, "Export locations have metadata (resource and field)."),
    (88, "The level of an access rule can be changed (PUT)."),
    (89, "Subnet metadata is passed to the back end for configured keys; nothing new on the wire."),
    (90, "Share create takes encryption_key_ref; shares and servers show it; quota encryption_keys."),
    (91, "Backup restore takes the id of a target share."),
    (92, "Share manage takes mount_point_name."),
    (93, "Services can be filtered by ensuring."),
    (94, "QoS types and their specs appear."),
    (95, "Replicas have metadata (resource, field, create)."),
    (96, "Share migration actions are no longer experimental."),
    (97, "Shares can be filtered by availability_zone."),
    (98, "GET /shares/{id}/migration-progress; the action migration_get_progress ends at 2.97."),
    (99, ("Shares show snapshot_inherit_share_access_support; non-admins see the spec as false when a type lacks it.")),
)
"""Minor number and statement, oldest first."""

MIN_MINOR = MICROVERSIONS[0][0]
MAX_MINOR = MICROVERSIONS[-1][0]
MIN_VERSION = f"2.{MIN_MINOR}"
MAX_VERSION = f"2.{MAX_MINOR}"

# The first minor version that has it, by the names of spec/own-version-names.
PUBLIC_MANAGED_SHARES = 8
EXPORT_LOCATION_RESOURCES = 9
SHARE_TYPES_OF_POOLS = 23
SNAPSHOT_SUPPORT_OPTIONAL = 24
ACCESS_RULE_STATES = 28
SHARE_GROUPS = 31
EXPORT_LOCATION_FILTERS = 35
LIKE_FILTERS = 36
IPV6_ACCESS = 38
SHARE_TYPE_QUOTAS = 39
TYPE_DESCRIPTIONS = 41
SHARE_COUNT = 42
TYPE_FILTERS = 43
REPLICA_EXPORT_LOCATIONS = 47
ZONES_OF_TYPES = 48
MANAGED_SERVERS = 49
SUBNETS = 51
MESSAGE_TIME_FILTERS = 52
MIGRATION_DETAILS = 59
CHANGES_OF_USED_NETWORKS = 63
FORCED_EXTEND = 64
SCHEDULER_HINTS = 65
GROUP_TYPE_FILTERS = 66
ONLY_HOST_HINT = 67
RECYCLE_BIN = 69
SEVERAL_SUBNETS = 70
REPLICA_NETWORKS = 72
SNAPSHOT_METADATA = 73
PROMOTE_QUIESCE_WAIT = 75
DEFAULT_AD_SITE = 76
SUBNET_METADATA = 78
SNAPSHOT_COUNT = 79
ACCESS_RULE_LOCKS = 82
DISABLED_REASON = 83
MOUNT_POINT_NAMES = 84
ENSURING = 86
SUBNET_METADATA_FOR_DRIVERS = 89
ENCRYPTION_KEYS = 90
TARGETED_RESTORE = 91
MOUNT_POINTS_OF_MANAGED_SHARES = 92
ENSURING_FILTER = 93
REPLICA_METADATA = 95
ZONE_FILTER = 97
