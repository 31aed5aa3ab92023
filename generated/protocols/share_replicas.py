"""The operations of ``handlers.share_replicas``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareReplicas(Protocol[C, R]):
    """Handlers behind /share-replicas, /share-replicas/detail, /share-replicas/{id}."""

    async def detail(self, call: C) -> R:
        """GET /share-replicas/detail: 2.11-2.55 (experimental), from 2.56."""

    async def list(self, call: C) -> R:
        """GET /share-replicas: 2.11-2.55 (experimental), from 2.56."""

    async def show(self, call: C) -> R:
        """GET /share-replicas/{id}: 2.11-2.55 (experimental), from 2.56."""
