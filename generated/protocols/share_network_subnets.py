"""The operations of ``handlers.share_network_subnets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareNetworkSubnets(Protocol[C, R]):
    """Handlers behind /share-networks/{share_network_id}/subnets, /share-
    networks/{share_network_id}/subnets/{share_network_subnet_id}.
    """

    async def create(self, call: C) -> R:
        """POST /share-networks/{share_network_id}/subnets: from 2.51."""

    async def delete(self, call: C) -> R:
        """DELETE /share-networks/{share_network_id}/subnets/{share_network_subnet_id}: from 2.51."""

    async def list(self, call: C) -> R:
        """GET /share-networks/{share_network_id}/subnets: from 2.51."""

    async def show(self, call: C) -> R:
        """GET /share-networks/{share_network_id}/subnets/{share_network_subnet_id}: from 2.51."""
