"""The operations of ``handlers.share_transfers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareTransfers(Protocol[C, R]):
    """Handlers behind /share-transfers, /share-transfers/detail, /share-transfers/{id}, /share-
    transfers/{id}/accept.
    """

    async def accept(self, call: C) -> R:
        """POST /share-transfers/{id}/accept: from 2.77.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def create(self, call: C) -> R:
        """POST /share-transfers: from 2.77.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_transfer:create`` (403).
        """

    async def delete(self, call: C) -> R:
        """DELETE /share-transfers/{id}: from 2.77.

        Rules left to the handler: ``share_transfer:delete`` (403).
        """

    async def detail(self, call: C) -> R:
        """GET /share-transfers/detail: from 2.77.

        Rules left to the handler: ``share_transfer:get_all_tenant`` (403, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /share-transfers: from 2.77.

        Rules left to the handler: ``share_transfer:get_all_tenant`` (403, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /share-transfers/{id}: from 2.77.

        Share_transfer:get is never enforced (the check sits outside the version selection).
        """
