"""The operations of ``handlers.share_backups_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareBackupsAction(Protocol[C, R]):
    """Handlers behind /share-backups/{id}/action."""

    async def reset_status(self, call: C) -> R:
        """POST /share-backups/{id}/action ``reset_status``: from 2.80 (experimental).

        Rules left to the handler: ``share_backup:reset_status`` (403).
        """

    async def restore(self, call: C) -> R:
        """POST /share-backups/{id}/action ``restore``: from 2.80 (experimental).

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Up to 2.90 the value is ignored; from 2.91 it is the id of the target share or null.
        """
