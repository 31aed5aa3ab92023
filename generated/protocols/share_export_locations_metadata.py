"""The operations of ``handlers.share_export_locations_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareExportLocationsMetadata(Protocol[C, R]):
    """Handlers behind /shares/{share_id}/export_locations/{resource_id}/metadata,
    /shares/{share_id}/export_locations/{resource_id}/metadata/{key}.
    """

    async def create(self, call: C) -> R:
        """POST /shares/{share_id}/export_locations/{resource_id}/metadata: from 2.87.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_export_location:update_admin_only_metadata`` (403, on some paths).
        """

    async def delete_item(self, call: C) -> R:
        """DELETE /shares/{share_id}/export_locations/{resource_id}/metadata/{key}: from 2.87.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /shares/{share_id}/export_locations/{resource_id}/metadata: from 2.87.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Upstream's own response schema for this operation requires the key meta while the answer holds
        metadata, so the service rejects its answer with 400 (measured at every version); do not reproduce.
        """

    async def show_item(self, call: C) -> R:
        """GET /shares/{share_id}/export_locations/{resource_id}/metadata/{key}: from 2.87.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def update_all(self, call: C) -> R:
        """PUT /shares/{share_id}/export_locations/{resource_id}/metadata: from 2.87.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_export_location:update_admin_only_metadata`` (403, on some paths).
        """

    async def update_item(self, call: C) -> R:
        """POST /shares/{share_id}/export_locations/{resource_id}/metadata/{key}: from 2.87.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_export_location:update_admin_only_metadata`` (403, on some paths).
        Upstream merges the metadata the export location already has into the body before it counts the
        entries, so any other existing key gives 400 "Request body contains too many items" (measured); do not
        reproduce.
        """
