"""The operations of ``handlers.share_groups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroups(Protocol[C, R]):
    """Handlers behind /share-groups, /share-groups/detail, /share-groups/{id}."""

    async def create(self, call: C) -> R:
        """POST /share-groups: 2.31-2.54 (experimental), from 2.55.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:get_snapshot`` (refused as 404, on some paths);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        Unknown keys: 400; share_types or source_share_group_snapshot_id, not both.
        """

    async def delete(self, call: C) -> R:
        """DELETE /share-groups/{id}: 2.31-2.54 (experimental), from 2.55."""

    async def detail(self, call: C) -> R:
        """GET /share-groups/detail: 2.31-2.54 (experimental), from 2.55."""

    async def list(self, call: C) -> R:
        """GET /share-groups: 2.31-2.54 (experimental), from 2.55."""

    async def show(self, call: C) -> R:
        """GET /share-groups/{id}: 2.31-2.54 (experimental), from 2.55."""

    async def update(self, call: C) -> R:
        """PUT /share-groups/{id}: 2.31-2.54 (experimental), from 2.55."""
