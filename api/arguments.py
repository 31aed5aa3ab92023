"""Which operations take a body, and when a body too many or too few is noticed.

The original finds out when it calls the method: a missing or an unexpected body is 400 with the default text. Most
methods check their policy before that; those below don't (measured on the original with a token without roles).
"""

from __future__ import annotations

from generated.runtime import Route

BODY_BEFORE_POLICY = frozenset({
    "availability_zones.list", "os_availability_zones.list", "os_quota_class_sets.show", "os_quota_class_sets.update",
    "os_quota_sets.defaults", "os_quota_sets.delete", "os_quota_sets.show", "os_quota_sets.update", "os_services.list",
    "os_services.update", "quota_class_sets.show", "quota_class_sets.update", "quota_sets.defaults",
    "quota_sets.delete", "quota_sets.detail", "quota_sets.show", "quota_sets.update", "resource_locks.delete",
    "resource_locks.update", "services.list", "services.update", "share_access_rules.list", "share_backups.detail",
    "share_backups.list", "share_export_locations.list", "share_export_locations.show", "share_group_snapshots.create",
    "share_group_snapshots.delete", "share_group_snapshots.detail", "share_group_snapshots.list",
    "share_group_snapshots.members", "share_group_snapshots.show", "share_group_snapshots.update",
    "share_group_type_specs.delete", "share_group_type_specs.list", "share_group_type_specs.show",
    "share_group_types.create", "share_group_types.default", "share_group_types.delete", "share_group_types.list",
    "share_group_types.list_access", "share_group_types.show", "share_groups.create", "share_groups.delete",
    "share_groups.detail", "share_groups.list", "share_groups.show", "share_groups.update",
    "share_replica_export_locations.list", "share_replica_export_locations.show", "share_replicas.create",
    "share_replicas.delete", "share_replicas.detail", "share_replicas.list", "share_replicas.show",
    "share_servers.manage", "share_transfers.detail", "share_transfers.list", "share_types.create", "shares.create",
    "shares.manage", "snapshots.manage",
})  # fmt: skip

BODY_OPTIONAL = frozenset({"qos_type_specs.update", "share_group_type_specs.update", "share_type_extra_specs.update"})
"""The handler has its own word for a missing body."""


_LISTS_REFUSED_UNTIL = {"shares.create": 30}


def lists_refused(route: Route, minor: int) -> bool:
    """Whether a list in place of the body's object is 400, as old versions of creating a share have it, and not 422."""
    return minor <= _LISTS_REFUSED_UNTIL.get(route.operation, -1)


def body_fits(route: Route, sent: bool) -> bool:
    """Whether the operation can be called with a body (``sent``) or without one."""
    if route.action is not None or route.operation in BODY_OPTIONAL:
        return True
    takes = route.method not in ("GET", "DELETE") and (route.body is not None or route.schema is not None)
    return takes == sent
