"""The operations of ``handlers.snapshot_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SnapshotExportLocations(Protocol[C, R]):
    """Handlers behind /snapshots/{snapshot_id}/export-locations, /snapshots/{snapshot_id}/export-
    locations/{export_location_id}.
    """

    async def list(self, call: C) -> R:
        """GET /snapshots/{snapshot_id}/export-locations: from 2.32.

        Rules left to the handler: ``share:get`` (403, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /snapshots/{snapshot_id}/export-locations/{export_location_id}: from 2.32.

        Rules left to the handler: ``share:get`` (403, on some paths).
        """
