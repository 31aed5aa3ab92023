"""The operations of ``handlers.share_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareInstances(Protocol[C, R]):
    """Handlers behind /share_instances, /share_instances/{id}, /shares/{share_id}/instances."""

    async def list(self, call: C) -> R:
        """GET /share_instances: from 2.3.

        Rules left to the handler: ``context_is_admin`` (403).
        """

    async def list_by_share(self, call: C) -> R:
        """GET /shares/{share_id}/instances: from 2.3.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /share_instances/{id}: from 2.3."""
