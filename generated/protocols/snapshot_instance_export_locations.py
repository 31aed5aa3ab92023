"""The operations of ``handlers.snapshot_instance_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SnapshotInstanceExportLocations(Protocol[C, R]):
    """Handlers behind /snapshot-instances/{snapshot_instance_id}/export-locations, /snapshot-
    instances/{snapshot_instance_id}/export-locations/{export_location_id}.
    """

    async def list(self, call: C) -> R:
        """GET /snapshot-instances/{snapshot_instance_id}/export-locations: from 2.32.

        Rules left to the handler: ``share:get`` (403, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /snapshot-instances/{snapshot_instance_id}/export-locations/{export_location_id}: from 2.32.

        Rules left to the handler: ``share:get`` (403, on some paths).
        """
