"""The operations of ``handlers.snapshots_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SnapshotsAction(Protocol[C, R]):
    """Handlers behind /snapshots/{id}/action."""

    async def allow_access(self, call: C) -> R:
        """POST /snapshots/{id}/action ``allow_access``: from 2.32.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def deny_access(self, call: C) -> R:
        """POST /snapshots/{id}/action ``deny_access``: from 2.32.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def force_delete(self, call: C) -> R:
        """POST /snapshots/{id}/action ``force_delete``: from 2.7.

        Rules left to the handler: ``share:delete_snapshot`` (403); ``share_snapshot:force_delete`` (403);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def os_force_delete(self, call: C) -> R:
        """POST /snapshots/{id}/action ``os-force_delete``: 2.0-2.6.

        Rules left to the handler: ``share:delete_snapshot`` (403); ``share_snapshot:force_delete`` (403);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        The older spelling of ``snapshots.action.force_delete``.
        """

    async def os_reset_status(self, call: C) -> R:
        """POST /snapshots/{id}/action ``os-reset_status``: 2.0-2.6.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:reset_status`` (403).
        The older spelling of ``snapshots.action.reset_status``.
        """

    async def reset_status(self, call: C) -> R:
        """POST /snapshots/{id}/action ``reset_status``: from 2.7.

        Rules left to the handler: ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:reset_status`` (403).
        """

    async def unmanage(self, call: C) -> R:
        """POST /snapshots/{id}/action ``unmanage``: from 2.12.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """
