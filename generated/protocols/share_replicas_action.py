"""The operations of ``handlers.share_replicas_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareReplicasAction(Protocol[C, R]):
    """Handlers behind /share-replicas/{id}/action."""

    async def force_delete(self, call: C) -> R:
        """POST /share-replicas/{id}/action ``force_delete``: 2.11-2.55 (experimental), from 2.56.

        Rules left to the handler: ``share_replica:force_delete`` (403).
        """

    async def promote(self, call: C) -> R:
        """POST /share-replicas/{id}/action ``promote``: 2.11-2.55 (experimental), from 2.56.

        202 with the replica; 200 without body when the replica already is active.
        """

    async def reset_replica_state(self, call: C) -> R:
        """POST /share-replicas/{id}/action ``reset_replica_state``: 2.11-2.55 (experimental), from 2.56.

        Rules left to the handler: ``share_replica:reset_status`` (403).
        """

    async def reset_status(self, call: C) -> R:
        """POST /share-replicas/{id}/action ``reset_status``: 2.11-2.55 (experimental), from 2.56.

        Rules left to the handler: ``share_replica:reset_status`` (403).
        """

    async def resync(self, call: C) -> R:
        """POST /share-replicas/{id}/action ``resync``: 2.11-2.55 (experimental), from 2.56.

        202 without body; 200 when the replica is active.
        """
