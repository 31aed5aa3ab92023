"""The operations of ``handlers.share_group_snapshots_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupSnapshotsAction(Protocol[C, R]):
    """Handlers behind /share-group-snapshots/{id}/action."""

    async def force_delete(self, call: C) -> R:
        """POST /share-group-snapshots/{id}/action ``force_delete``: 2.31-2.54 (experimental), from 2.55.

        Rules left to the handler: ``context_is_admin`` (403); ``share_group_snapshot:force_delete`` (403).
        """

    async def reset_status(self, call: C) -> R:
        """POST /share-group-snapshots/{id}/action ``reset_status``: 2.31-2.54 (experimental), from 2.55.

        Rules left to the handler: ``share_group_snapshot:reset_status`` (403).
        """
