"""The operations of ``handlers.snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Snapshots(Protocol[C, R]):
    """Handlers behind /snapshots, /snapshots/detail, /snapshots/manage, /snapshots/{id},
    /snapshots/{snapshot_id}/access-list.
    """

    async def access_list(self, call: C) -> R:
        """GET /snapshots/{snapshot_id}/access-list: from 2.32.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def create(self, call: C) -> R:
        """POST /snapshots: from 2.0.

        Rules left to the handler: ``share:create_snapshot`` (403); ``share:get`` (refused as 404, on some
        paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def delete(self, call: C) -> R:
        """DELETE /snapshots/{id}: from 2.0.

        Rules left to the handler: ``share:delete_snapshot`` (403); ``share_snapshot:get_snapshot`` (refused
        as 404); ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some
        paths).
        """

    async def detail(self, call: C) -> R:
        """GET /snapshots/detail: from 2.0.

        Rules left to the handler: ``share_snapshot:get_all_snapshots`` (403, on some paths);
        ``share_snapshot:list_all_projects`` (changes the answer only, on some paths);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (403 or silently, as the request has it,
        on some paths).
        With_count is not version-gated here (documented from 2.79).
        """

    async def list(self, call: C) -> R:
        """GET /snapshots: from 2.0.

        Rules left to the handler: ``share_snapshot:get_all_snapshots`` (403, on some paths);
        ``share_snapshot:list_all_projects`` (changes the answer only, on some paths);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (403 or silently, as the request has it,
        on some paths).
        With_count is dropped below 2.79.
        The query schemas of all four version ranges carry the same properties upstream (a shallow copy shares
        one dict); the handler gates by version.
        Every remaining filter must be a non-empty string, else 400.
        """

    async def manage(self, call: C) -> R:
        """POST /snapshots/manage: from 2.12.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /snapshots/{id}: from 2.0.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def update(self, call: C) -> R:
        """PUT /snapshots/{id}: from 2.0.

        Rules left to the handler: ``share:snapshot_update`` (403); ``share_snapshot:get_snapshot`` (refused
        as 404); ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some
        paths).
        Only display_name and display_description are read; name and description are ignored.
        """
