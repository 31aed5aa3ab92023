"""The operations of ``handlers.share_transfers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareTransfers(Protocol[C, R]):
    """Handlers behind /share-transfers, /share-transfers/detail."""

    async def detail(self, call: C) -> R:
        """GET /share-transfers/detail: from 2.77.

        Rules left to the handler: ``share_transfer:get_all_tenant`` (403, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /share-transfers: from 2.77.

        Rules left to the handler: ``share_transfer:get_all_tenant`` (403, on some paths).
        """
