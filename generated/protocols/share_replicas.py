"""The operations of ``handlers.share_replicas``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareReplicas(Protocol[C, R]):
    """Handlers behind /share-replicas, /share-replicas/detail, /share-replicas/{id}."""

    async def create(self, call: C) -> R:
        """POST /share-replicas: 2.11-2.55 (experimental), from 2.56.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Share_network_id below 2.72: 400.
        """

    async def delete(self, call: C) -> R:
        """DELETE /share-replicas/{id}: 2.11-2.55 (experimental), from 2.56."""

    async def detail(self, call: C) -> R:
        """GET /share-replicas/detail: 2.11-2.55 (experimental), from 2.56."""

    async def list(self, call: C) -> R:
        """GET /share-replicas: 2.11-2.55 (experimental), from 2.56."""

    async def show(self, call: C) -> R:
        """GET /share-replicas/{id}: 2.11-2.55 (experimental), from 2.56."""
