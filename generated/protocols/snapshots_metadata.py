"""The operations of ``handlers.snapshots_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SnapshotsMetadata(Protocol[C, R]):
    """Handlers behind /snapshots/{resource_id}/metadata, /snapshots/{resource_id}/metadata/{key}."""

    async def create(self, call: C) -> R:
        """POST /snapshots/{resource_id}/metadata: from 2.73.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (403, on some paths).
        """

    async def delete_item(self, call: C) -> R:
        """DELETE /snapshots/{resource_id}/metadata/{key}: from 2.73.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (403, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /snapshots/{resource_id}/metadata: from 2.73.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (403, on some paths).
        """

    async def show_item(self, call: C) -> R:
        """GET /snapshots/{resource_id}/metadata/{key}: from 2.73.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (403, on some paths).
        """

    async def update_all(self, call: C) -> R:
        """PUT /snapshots/{resource_id}/metadata: from 2.73.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (403, on some paths).
        """

    async def update_item(self, call: C) -> R:
        """POST /snapshots/{resource_id}/metadata/{key}: from 2.73.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (403, on some paths).
        """
