"""The operations of ``handlers.share_groups_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupsAction(Protocol[C, R]):
    """Handlers behind /share-groups/{id}/action."""

    async def force_delete(self, call: C) -> R:
        """POST /share-groups/{id}/action ``force_delete``: 2.31-2.54 (experimental), from 2.55.

        Rules left to the handler: ``context_is_admin`` (403); ``context_is_admin`` (403, on some paths);
        ``share_group:force_delete`` (403).
        """

    async def reset_status(self, call: C) -> R:
        """POST /share-groups/{id}/action ``reset_status``: 2.31-2.54 (experimental), from 2.55.

        Rules left to the handler: ``share_group:reset_status`` (403).
        """
