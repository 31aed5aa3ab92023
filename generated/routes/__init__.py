"""The dispatch table: every variant of every operation.

Paths are relative to ``/v2`` or ``/v2/{project_id}``. A declared path whose method has no operation is in
``generated.routes.absent``.
"""

from __future__ import annotations

from generated.routes import availability_zones
from generated.routes import extensions
from generated.routes import limits
from generated.routes import messages
from generated.routes import os_availability_zones
from generated.routes import os_quota_class_sets
from generated.routes import os_quota_sets
from generated.routes import os_services
from generated.routes import os_share_manage
from generated.routes import os_share_unmanage
from generated.routes import qos_type_specs
from generated.routes import qos_types
from generated.routes import quota_class_sets
from generated.routes import quota_sets
from generated.routes import resource_locks
from generated.routes import scheduler_stats
from generated.routes import security_services
from generated.routes import services
from generated.routes import share_access_rule_metadata
from generated.routes import share_access_rules
from generated.routes import share_backups
from generated.routes import share_backups_action
from generated.routes import share_export_locations
from generated.routes import share_export_locations_metadata
from generated.routes import share_group_snapshots
from generated.routes import share_group_snapshots_action
from generated.routes import share_group_type_specs
from generated.routes import share_group_types
from generated.routes import share_group_types_action
from generated.routes import share_groups
from generated.routes import share_groups_action
from generated.routes import share_instance_export_locations
from generated.routes import share_instances
from generated.routes import share_instances_action
from generated.routes import share_network_subnets
from generated.routes import share_network_subnets_metadata
from generated.routes import share_networks
from generated.routes import share_networks_action
from generated.routes import share_replica_export_locations
from generated.routes import share_replicas
from generated.routes import share_replicas_action
from generated.routes import share_replicas_metadata
from generated.routes import share_servers
from generated.routes import share_servers_action
from generated.routes import share_transfers
from generated.routes import share_type_extra_specs
from generated.routes import share_types
from generated.routes import share_types_action
from generated.routes import shares
from generated.routes import shares_action
from generated.routes import shares_metadata
from generated.routes import snapshot_export_locations
from generated.routes import snapshot_instance_export_locations
from generated.routes import snapshot_instances
from generated.routes import snapshot_instances_action
from generated.routes import snapshots
from generated.routes import snapshots_action
from generated.routes import snapshots_metadata
from generated.routes import versions
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *availability_zones.ROUTES,
    *extensions.ROUTES,
    *limits.ROUTES,
    *messages.ROUTES,
    *os_availability_zones.ROUTES,
    *os_quota_class_sets.ROUTES,
    *os_quota_sets.ROUTES,
    *os_services.ROUTES,
    *os_share_manage.ROUTES,
    *os_share_unmanage.ROUTES,
    *qos_type_specs.ROUTES,
    *qos_types.ROUTES,
    *quota_class_sets.ROUTES,
    *quota_sets.ROUTES,
    *resource_locks.ROUTES,
    *scheduler_stats.ROUTES,
    *security_services.ROUTES,
    *services.ROUTES,
    *share_access_rule_metadata.ROUTES,
    *share_access_rules.ROUTES,
    *share_backups.ROUTES,
    *share_backups_action.ROUTES,
    *share_export_locations.ROUTES,
    *share_export_locations_metadata.ROUTES,
    *share_group_snapshots.ROUTES,
    *share_group_snapshots_action.ROUTES,
    *share_group_type_specs.ROUTES,
    *share_group_types.ROUTES,
    *share_group_types_action.ROUTES,
    *share_groups.ROUTES,
    *share_groups_action.ROUTES,
    *share_instance_export_locations.ROUTES,
    *share_instances.ROUTES,
    *share_instances_action.ROUTES,
    *share_network_subnets.ROUTES,
    *share_network_subnets_metadata.ROUTES,
    *share_networks.ROUTES,
    *share_networks_action.ROUTES,
    *share_replica_export_locations.ROUTES,
    *share_replicas.ROUTES,
    *share_replicas_action.ROUTES,
    *share_replicas_metadata.ROUTES,
    *share_servers.ROUTES,
    *share_servers_action.ROUTES,
    *share_transfers.ROUTES,
    *share_type_extra_specs.ROUTES,
    *share_types.ROUTES,
    *share_types_action.ROUTES,
    *shares.ROUTES,
    *shares_action.ROUTES,
    *shares_metadata.ROUTES,
    *snapshot_export_locations.ROUTES,
    *snapshot_instance_export_locations.ROUTES,
    *snapshot_instances.ROUTES,
    *snapshot_instances_action.ROUTES,
    *snapshots.ROUTES,
    *snapshots_action.ROUTES,
    *snapshots_metadata.ROUTES,
    *versions.ROUTES,
)
