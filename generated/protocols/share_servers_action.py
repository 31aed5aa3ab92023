"""The operations of ``handlers.share_servers_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareServersAction(Protocol[C, R]):
    """Handlers behind /share-servers/{id}/action."""

    async def reset_status(self, call: C) -> R:
        """POST /share-servers/{id}/action ``reset_status``: from 2.49.

        Rules left to the handler: ``share_server:reset_status`` (403).
        """

    async def reset_task_state(self, call: C) -> R:
        """POST /share-servers/{id}/action ``reset_task_state``: from 2.57 (experimental).

        Rules left to the handler: ``share_server:reset_status`` (403).
        """

    async def unmanage(self, call: C) -> R:
        """POST /share-servers/{id}/action ``unmanage``: from 2.49."""
