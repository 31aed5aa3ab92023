"""The operations of ``handlers.share_network_subnets_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareNetworkSubnetsMetadata(Protocol[C, R]):
    """Handlers behind /share-networks/{share_network_id}/subnets/{resource_id}/metadata, /share-
    networks/{share_network_id}/subnets/{resource_id}/metadata/{key}.
    """

    async def create(self, call: C) -> R:
        """POST /share-networks/{share_network_id}/subnets/{resource_id}/metadata: from 2.78.

        Rules left to the handler: ``share_network_subnet:show`` (403, on some paths).
        """

    async def delete_item(self, call: C) -> R:
        """DELETE /share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}: from 2.78.

        Rules left to the handler: ``share_network_subnet:show`` (403, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /share-networks/{share_network_id}/subnets/{resource_id}/metadata: from 2.78.

        Rules left to the handler: ``share_network_subnet:show`` (403, on some paths).
        """

    async def show_item(self, call: C) -> R:
        """GET /share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}: from 2.78.

        Rules left to the handler: ``share_network_subnet:show`` (403, on some paths).
        """

    async def update_all(self, call: C) -> R:
        """PUT /share-networks/{share_network_id}/subnets/{resource_id}/metadata: from 2.78.

        Rules left to the handler: ``share_network_subnet:show`` (403, on some paths).
        """

    async def update_item(self, call: C) -> R:
        """POST /share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}: from 2.78.

        Rules left to the handler: ``share_network_subnet:show`` (403, on some paths).
        """
