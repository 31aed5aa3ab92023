"""The operations of ``handlers.share_networks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareNetworks(Protocol[C, R]):
    """Handlers behind /share-networks, /share-networks/detail, /share-networks/{id}."""

    async def create(self, call: C) -> R:
        """POST /share-networks: from 2.0.

        Rules left to the handler: ``share_network:create`` (403).
        Nova_net_id: 400; neutron_net_id without neutron_subnet_id or the reverse: 400; availability_zone
        below 2.51 is dropped.
        """

    async def delete(self, call: C) -> R:
        """DELETE /share-networks/{id}: from 2.0.

        Rules left to the handler: ``share_network:delete`` (403).
        """

    async def detail(self, call: C) -> R:
        """GET /share-networks/detail: from 2.0.

        Rules left to the handler: ``share_network:detail`` (403); ``share_network:show_network_details``
        (changes the answer only).
        """

    async def list(self, call: C) -> R:
        """GET /share-networks: from 2.0.

        Rules left to the handler: ``share_network:index`` (403); ``share_network:show_network_details``
        (changes the answer only).
        """

    async def show(self, call: C) -> R:
        """GET /share-networks/{id}: from 2.0.

        Rules left to the handler: ``share_network:show`` (403).
        """

    async def update(self, call: C) -> R:
        """PUT /share-networks/{id}: from 2.0.

        Rules left to the handler: ``share_network:update`` (403).
        While share servers use the network only name and description may change, else 403.
        """
