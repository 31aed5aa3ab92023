"""The type checker proves here that every handler module implements its operations.

Written by the generator.
"""

from __future__ import annotations

from generated.protocols.availability_zones import AvailabilityZones
from generated.protocols.extensions import Extensions
from generated.protocols.limits import Limits
from generated.protocols.messages import Messages
from generated.protocols.os_availability_zones import OsAvailabilityZones
from generated.protocols.os_quota_class_sets import OsQuotaClassSets
from generated.protocols.os_quota_sets import OsQuotaSets
from generated.protocols.os_services import OsServices
from generated.protocols.os_share_manage import OsShareManage
from generated.protocols.os_share_unmanage import OsShareUnmanage
from generated.protocols.qos_type_specs import QosTypeSpecs
from generated.protocols.qos_types import QosTypes
from generated.protocols.quota_class_sets import QuotaClassSets
from generated.protocols.quota_sets import QuotaSets
from generated.protocols.resource_locks import ResourceLocks
from generated.protocols.scheduler_stats import SchedulerStats
from generated.protocols.security_services import SecurityServices
from generated.protocols.services import Services
from generated.protocols.share_access_rule_metadata import ShareAccessRuleMetadata
from generated.protocols.share_access_rules import ShareAccessRules
from generated.protocols.share_backups import ShareBackups
from generated.protocols.share_backups_action import ShareBackupsAction
from generated.protocols.share_export_locations import ShareExportLocations
from generated.protocols.share_export_locations_metadata import ShareExportLocationsMetadata
from generated.protocols.share_group_snapshots import ShareGroupSnapshots
from generated.protocols.share_group_snapshots_action import ShareGroupSnapshotsAction
from generated.protocols.share_group_type_specs import ShareGroupTypeSpecs
from generated.protocols.share_group_types import ShareGroupTypes
from generated.protocols.share_group_types_action import ShareGroupTypesAction
from generated.protocols.share_groups import ShareGroups
from generated.protocols.share_groups_action import ShareGroupsAction
from generated.protocols.share_instance_export_locations import ShareInstanceExportLocations
from generated.protocols.share_instances import ShareInstances
from generated.protocols.share_instances_action import ShareInstancesAction
from generated.protocols.share_network_subnets import ShareNetworkSubnets
from generated.protocols.share_network_subnets_metadata import ShareNetworkSubnetsMetadata
from generated.protocols.share_networks import ShareNetworks
from generated.protocols.share_networks_action import ShareNetworksAction
from generated.protocols.share_replica_export_locations import ShareReplicaExportLocations
from generated.protocols.share_replicas import ShareReplicas
from generated.protocols.share_replicas_action import ShareReplicasAction
from generated.protocols.share_replicas_metadata import ShareReplicasMetadata
from generated.protocols.share_servers import ShareServers
from generated.protocols.share_servers_action import ShareServersAction
from generated.protocols.share_transfers import ShareTransfers
from generated.protocols.share_type_extra_specs import ShareTypeExtraSpecs
from generated.protocols.share_types import ShareTypes
from generated.protocols.share_types_action import ShareTypesAction
from generated.protocols.shares import Shares
from generated.protocols.shares_action import SharesAction
from generated.protocols.shares_metadata import SharesMetadata
from generated.protocols.snapshot_export_locations import SnapshotExportLocations
from generated.protocols.snapshot_instance_export_locations import SnapshotInstanceExportLocations
from generated.protocols.snapshot_instances import SnapshotInstances
from generated.protocols.snapshot_instances_action import SnapshotInstancesAction
from generated.protocols.snapshots import Snapshots
from generated.protocols.snapshots_action import SnapshotsAction
from generated.protocols.snapshots_metadata import SnapshotsMetadata
from generated.protocols.versions import Versions
from handlers import (
    availability_zones,
    extensions,
    limits,
    messages,
    os_availability_zones,
    os_quota_class_sets,
    os_quota_sets,
    os_services,
    os_share_manage,
    os_share_unmanage,
    qos_type_specs,
    qos_types,
    quota_class_sets,
    quota_sets,
    resource_locks,
    scheduler_stats,
    security_services,
    services,
    share_access_rule_metadata,
    share_access_rules,
    share_backups,
    share_backups_action,
    share_export_locations,
    share_export_locations_metadata,
    share_group_snapshots,
    share_group_snapshots_action,
    share_group_type_specs,
    share_group_types,
    share_group_types_action,
    share_groups,
    share_groups_action,
    share_instance_export_locations,
    share_instances,
    share_instances_action,
    share_network_subnets,
    share_network_subnets_metadata,
    share_networks,
    share_networks_action,
    share_replica_export_locations,
    share_replicas,
    share_replicas_action,
    share_replicas_metadata,
    share_servers,
    share_servers_action,
    share_transfers,
    share_type_extra_specs,
    share_types,
    share_types_action,
    shares,
    shares_action,
    shares_metadata,
    snapshot_export_locations,
    snapshot_instance_export_locations,
    snapshot_instances,
    snapshot_instances_action,
    snapshots,
    snapshots_action,
    snapshots_metadata,
    versions,
)
from handlers.call import Call, Reply

AVAILABILITY_ZONES: AvailabilityZones[Call, Reply] = availability_zones
EXTENSIONS: Extensions[Call, Reply] = extensions
LIMITS: Limits[Call, Reply] = limits
MESSAGES: Messages[Call, Reply] = messages
OS_AVAILABILITY_ZONES: OsAvailabilityZones[Call, Reply] = os_availability_zones
OS_QUOTA_CLASS_SETS: OsQuotaClassSets[Call, Reply] = os_quota_class_sets
OS_QUOTA_SETS: OsQuotaSets[Call, Reply] = os_quota_sets
OS_SERVICES: OsServices[Call, Reply] = os_services
OS_SHARE_MANAGE: OsShareManage[Call, Reply] = os_share_manage
OS_SHARE_UNMANAGE: OsShareUnmanage[Call, Reply] = os_share_unmanage
QOS_TYPE_SPECS: QosTypeSpecs[Call, Reply] = qos_type_specs
QOS_TYPES: QosTypes[Call, Reply] = qos_types
QUOTA_CLASS_SETS: QuotaClassSets[Call, Reply] = quota_class_sets
QUOTA_SETS: QuotaSets[Call, Reply] = quota_sets
RESOURCE_LOCKS: ResourceLocks[Call, Reply] = resource_locks
SCHEDULER_STATS: SchedulerStats[Call, Reply] = scheduler_stats
SECURITY_SERVICES: SecurityServices[Call, Reply] = security_services
SERVICES: Services[Call, Reply] = services
SHARE_ACCESS_RULE_METADATA: ShareAccessRuleMetadata[Call, Reply] = share_access_rule_metadata
SHARE_ACCESS_RULES: ShareAccessRules[Call, Reply] = share_access_rules
SHARE_BACKUPS: ShareBackups[Call, Reply] = share_backups
SHARE_BACKUPS_ACTION: ShareBackupsAction[Call, Reply] = share_backups_action
SHARE_EXPORT_LOCATIONS: ShareExportLocations[Call, Reply] = share_export_locations
SHARE_EXPORT_LOCATIONS_METADATA: ShareExportLocationsMetadata[Call, Reply] = share_export_locations_metadata
SHARE_GROUP_SNAPSHOTS: ShareGroupSnapshots[Call, Reply] = share_group_snapshots
SHARE_GROUP_SNAPSHOTS_ACTION: ShareGroupSnapshotsAction[Call, Reply] = share_group_snapshots_action
SHARE_GROUP_TYPE_SPECS: ShareGroupTypeSpecs[Call, Reply] = share_group_type_specs
SHARE_GROUP_TYPES: ShareGroupTypes[Call, Reply] = share_group_types
SHARE_GROUP_TYPES_ACTION: ShareGroupTypesAction[Call, Reply] = share_group_types_action
SHARE_GROUPS: ShareGroups[Call, Reply] = share_groups
SHARE_GROUPS_ACTION: ShareGroupsAction[Call, Reply] = share_groups_action
SHARE_INSTANCE_EXPORT_LOCATIONS: ShareInstanceExportLocations[Call, Reply] = share_instance_export_locations
SHARE_INSTANCES: ShareInstances[Call, Reply] = share_instances
SHARE_INSTANCES_ACTION: ShareInstancesAction[Call, Reply] = share_instances_action
SHARE_NETWORK_SUBNETS: ShareNetworkSubnets[Call, Reply] = share_network_subnets
SHARE_NETWORK_SUBNETS_METADATA: ShareNetworkSubnetsMetadata[Call, Reply] = share_network_subnets_metadata
SHARE_NETWORKS: ShareNetworks[Call, Reply] = share_networks
SHARE_NETWORKS_ACTION: ShareNetworksAction[Call, Reply] = share_networks_action
SHARE_REPLICA_EXPORT_LOCATIONS: ShareReplicaExportLocations[Call, Reply] = share_replica_export_locations
SHARE_REPLICAS: ShareReplicas[Call, Reply] = share_replicas
SHARE_REPLICAS_ACTION: ShareReplicasAction[Call, Reply] = share_replicas_action
SHARE_REPLICAS_METADATA: ShareReplicasMetadata[Call, Reply] = share_replicas_metadata
SHARE_SERVERS: ShareServers[Call, Reply] = share_servers
SHARE_SERVERS_ACTION: ShareServersAction[Call, Reply] = share_servers_action
SHARE_TRANSFERS: ShareTransfers[Call, Reply] = share_transfers
SHARE_TYPE_EXTRA_SPECS: ShareTypeExtraSpecs[Call, Reply] = share_type_extra_specs
SHARE_TYPES: ShareTypes[Call, Reply] = share_types
SHARE_TYPES_ACTION: ShareTypesAction[Call, Reply] = share_types_action
SHARES: Shares[Call, Reply] = shares
SHARES_ACTION: SharesAction[Call, Reply] = shares_action
SHARES_METADATA: SharesMetadata[Call, Reply] = shares_metadata
SNAPSHOT_EXPORT_LOCATIONS: SnapshotExportLocations[Call, Reply] = snapshot_export_locations
SNAPSHOT_INSTANCE_EXPORT_LOCATIONS: SnapshotInstanceExportLocations[Call, Reply] = snapshot_instance_export_locations
SNAPSHOT_INSTANCES: SnapshotInstances[Call, Reply] = snapshot_instances
SNAPSHOT_INSTANCES_ACTION: SnapshotInstancesAction[Call, Reply] = snapshot_instances_action
SNAPSHOTS: Snapshots[Call, Reply] = snapshots
SNAPSHOTS_ACTION: SnapshotsAction[Call, Reply] = snapshots_action
SNAPSHOTS_METADATA: SnapshotsMetadata[Call, Reply] = snapshots_metadata
VERSIONS: Versions[Call, Reply] = versions
