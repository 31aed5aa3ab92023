"""The operations of ``handlers.share_instance_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareInstanceExportLocations(Protocol[C, R]):
    """Handlers behind /share_instances/{share_instance_id}/export_locations,
    /share_instances/{share_instance_id}/export_locations/{export_location_uuid}.
    """

    async def list(self, call: C) -> R:
        """GET /share_instances/{share_instance_id}/export_locations: from 2.9.

        Rules left to the handler: ``share_instance:show`` (403, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /share_instances/{share_instance_id}/export_locations/{export_location_uuid}: from 2.9.

        Rules left to the handler: ``share_instance:show`` (403, on some paths).
        """
