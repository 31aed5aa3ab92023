"""The operations of ``handlers.share_replicas_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareReplicasMetadata(Protocol[C, R]):
    """Handlers behind /share-replicas/{resource_id}/metadata, /share-replicas/{resource_id}/metadata/{key}."""

    async def create(self, call: C) -> R:
        """POST /share-replicas/{resource_id}/metadata: from 2.95.

        Rules left to the handler: ``share_replica:show`` (403, on some paths).
        """

    async def delete_item(self, call: C) -> R:
        """DELETE /share-replicas/{resource_id}/metadata/{key}: from 2.95.

        Rules left to the handler: ``share_replica:show`` (403, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /share-replicas/{resource_id}/metadata: from 2.95.

        Rules left to the handler: ``share_replica:show`` (403, on some paths).
        """

    async def show_item(self, call: C) -> R:
        """GET /share-replicas/{resource_id}/metadata/{key}: from 2.95.

        Rules left to the handler: ``share_replica:show`` (403, on some paths).
        """

    async def update_all(self, call: C) -> R:
        """PUT /share-replicas/{resource_id}/metadata: from 2.95.

        Rules left to the handler: ``share_replica:show`` (403, on some paths).
        """

    async def update_item(self, call: C) -> R:
        """POST /share-replicas/{resource_id}/metadata/{key}: from 2.95.

        Rules left to the handler: ``share_replica:show`` (403, on some paths).
        """
