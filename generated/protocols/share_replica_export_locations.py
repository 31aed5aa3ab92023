"""The operations of ``handlers.share_replica_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareReplicaExportLocations(Protocol[C, R]):
    """Handlers behind /share-replicas/{share_replica_id}/export-locations, /share-
    replicas/{share_replica_id}/export-locations/{export_location_uuid}.
    """

    async def list(self, call: C) -> R:
        """GET /share-replicas/{share_replica_id}/export-locations: 2.47-2.55 (experimental), from 2.56."""

    async def show(self, call: C) -> R:
        """GET /share-replicas/{share_replica_id}/export-locations/{export_location_uuid}: 2.47-2.55
        (experimental), from 2.56.
        """
