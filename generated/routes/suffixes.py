"""Paths that can't end in ``.json`` or ``.xml``.

After any other path either says nothing; after these it is a part of the last parameter, or of no path.
"""

from __future__ import annotations

WITHOUT: tuple[str, ...] = (
    "/qos-types/{id}/specs",
    "/qos-types/{id}/specs/{key}",
    "/scheduler-stats/pools",
    "/scheduler-stats/pools/detail",
    "/services/ensure-shares",
    "/share-access-rules/{access_id}/metadata",
    "/share-access-rules/{access_id}/metadata/{key}",
    "/share-group-types/{id}/access",
    "/share-group-types/{id}/group-specs",
    "/share-group-types/{id}/group-specs/{key}",
    "/share-groups/{id}/action",
    "/share-networks/{share_network_id}/subnets",
    "/share-networks/{share_network_id}/subnets/{resource_id}/metadata",
    "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}",
    "/share-networks/{share_network_id}/subnets/{share_network_subnet_id}",
    "/share-replicas/{resource_id}/metadata",
    "/share-replicas/{resource_id}/metadata/{key}",
    "/share-replicas/{share_replica_id}/export-locations",
    "/share-replicas/{share_replica_id}/export-locations/{export_location_uuid}",
    "/share-servers/manage",
    "/share-servers/{id}/details",
    "/share_instances/{share_instance_id}/export_locations",
    "/share_instances/{share_instance_id}/export_locations/{export_location_uuid}",
    "/shares/manage",
    "/shares/{id}/migration-progress",
    "/shares/{resource_id}/metadata",
    "/shares/{resource_id}/metadata/{key}",
    "/shares/{share_id}/export_locations",
    "/shares/{share_id}/export_locations/{export_location_uuid}",
    "/shares/{share_id}/export_locations/{resource_id}/metadata",
    "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}",
    "/shares/{share_id}/instances",
    "/snapshot-instances/{snapshot_instance_id}/export-locations",
    "/snapshot-instances/{snapshot_instance_id}/export-locations/{export_location_id}",
    "/snapshots/manage",
    "/snapshots/{resource_id}/metadata",
    "/snapshots/{resource_id}/metadata/{key}",
    "/snapshots/{snapshot_id}/access-list",
    "/snapshots/{snapshot_id}/export-locations",
    "/snapshots/{snapshot_id}/export-locations/{export_location_id}",
)
