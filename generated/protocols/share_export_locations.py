"""The operations of ``handlers.share_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareExportLocations(Protocol[C, R]):
    """Handlers behind /shares/{share_id}/export_locations,
    /shares/{share_id}/export_locations/{export_location_uuid}.
    """

    async def list(self, call: C) -> R:
        """GET /shares/{share_id}/export_locations: from 2.9.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /shares/{share_id}/export_locations/{export_location_uuid}: from 2.9.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """
