"""The operations of ``handlers.share_backups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareBackups(Protocol[C, R]):
    """Handlers behind /share-backups, /share-backups/detail, /share-backups/{id}."""

    async def create(self, call: C) -> R:
        """POST /share-backups: from 2.80 (experimental).

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def delete(self, call: C) -> R:
        """DELETE /share-backups/{id}: from 2.80 (experimental)."""

    async def detail(self, call: C) -> R:
        """GET /share-backups/detail: from 2.80 (experimental).

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_backup:get_all_project`` (changes the answer only, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /share-backups: from 2.80 (experimental).

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_backup:get_all_project`` (changes the answer only, on some paths).
        Experimental in every version.
        """

    async def show(self, call: C) -> R:
        """GET /share-backups/{id}: from 2.80 (experimental)."""

    async def update(self, call: C) -> R:
        """PUT /share-backups/{id}: from 2.80 (experimental)."""
