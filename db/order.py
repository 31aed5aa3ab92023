"""The order in which transactions take rows, so that two of them never wait for each other.

A transaction takes its own task's row first (the fence of ``worker.operation``), then the roots that it needs in the
order of ``ORDER``, and with a root it may take the root's parts in any order: whoever wants them too waits at the root.
A part alone is taken without its root only by a transaction that waits for nothing else. Several rows of one table are
taken in one statement, or by id. Quota comes last: its lock is one per project, so nobody who holds it may wait.

Rows that are only referred to are taken too: see ``db.uses``. A share network comes before all that is made in it: who
places a share or a group on a subnet, takes over a server there, or changes the subnets has the network's row first,
then the subnet's lock, then the servers. What removes a server begins with the subnet's lock.

New rows don't count, nobody knows of them yet; nor do rows that are taken with ``SKIP LOCKED``.
The tests watch every transaction (``tests.locks``).
"""

from __future__ import annotations

PARTS: dict[str, tuple[str, ...]] = {
    "shares": (
        "share_instances", "share_instance_metadata", "share_metadata", "share_instance_export_locations",
        "share_instance_export_locations_metadata", "share_access_map", "share_access_rules_metadata",
        "share_instance_access_map", "encryption_refs",
    ),
    "share_snapshots": (
        "share_snapshot_instances", "share_snapshot_metadata", "share_snapshot_access_map",
        "share_snapshot_instance_access_map", "share_snapshot_instance_export_locations",
    ),
    "share_groups": ("share_group_share_type_mappings",),
    "share_group_snapshots": ("share_group_snapshot_members", "share_snapshot_instances"),
    "share_backups": (),
    "share_networks": (
        "share_network_subnets", "share_network_subnet_metadata", "share_network_security_service_association",
    ),
    "share_servers": (
        "share_server_backend_details", "share_server_share_network_subnet_mappings", "network_allocations",
        "encryption_refs",
    ),
    "share_types": ("share_type_extra_specs", "share_type_projects"),
    "share_group_types": (
        "share_group_type_specs", "share_group_type_projects", "share_group_type_share_type_mappings",
    ),
    "qos_types": ("qos_type_specs",),
}  # fmt: skip
"""Root -> the tables whose rows belong to one of its rows. A part with two roots is taken with either."""

ORDER: tuple[str, ...] = (
    "openkeel_leases",
    "openkeel_tasks",
    "lock placement",
    "lock 11",  # registration of a service
    "lock 17",  # defaults of quotas
    "lock 37",  # private data of a driver
    "drivers_private_data",
    "lock 41",  # exports anew of a back end
    "availability_zones",
    "services",
    "backend_info",
    "openkeel_placements",
    "openkeel_reports",
    "share_networks",
    "security_services",
    "lock 29",  # servers of a subnet: whoever chooses, makes or removes one has the subnet's network before
    "lock 31",  # addresses of a network
    "share_servers",
    "share_groups",
    "share_group_snapshots",
    "share_backups",
    "shares",
    "lock 43",  # shares that name each other
    "share_snapshots",
    "share_types",  # held just before the quota, by who writes a reference
    "qos_types",
    "share_group_types",
    "resource_locks",
    "lock 7",  # quota of a project
    "quotas",
    "quota_classes",
    "project_user_quotas",
    "project_share_type_quotas",
    "reservations",
    "quota_usages",
    "transfers",
    "openkeel_copies",
    "openkeel_ports_left",
    "async_operation_data",
    "messages",
    "openkeel_notifications",
)
"""Roots, tables that are roots alone, and advisory locks by number."""
