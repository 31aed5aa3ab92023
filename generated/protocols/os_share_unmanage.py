"""The operations of ``handlers.os_share_unmanage``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class OsShareUnmanage(Protocol[C, R]):
    """Handlers behind /os-share-unmanage/{id}/unmanage."""

    async def unmanage(self, call: C) -> R:
        """POST /os-share-unmanage/{id}/unmanage: 2.0-2.6.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths); ``share:unmanage``
        (403).
        Must be sent without a JSON body (a body is an unexpected argument: 400).
        """
