"""The operations of ``handlers.share_servers_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareServersAction(Protocol[C, R]):
    """Handlers behind /share-servers/{id}/action."""

    async def migration_cancel(self, call: C) -> R:
        """POST /share-servers/{id}/action ``migration_cancel``: from 2.57 (experimental)."""

    async def migration_check(self, call: C) -> R:
        """POST /share-servers/{id}/action ``migration_check``: from 2.57 (experimental).

        The answer reads new_share_network_id unconditionally: without the key upstream fails with 500.
        """

    async def migration_complete(self, call: C) -> R:
        """POST /share-servers/{id}/action ``migration_complete``: from 2.57 (experimental)."""

    async def migration_get_progress(self, call: C) -> R:
        """POST /share-servers/{id}/action ``migration_get_progress``: from 2.57 (experimental)."""

    async def migration_start(self, call: C) -> R:
        """POST /share-servers/{id}/action ``migration_start``: from 2.57 (experimental)."""

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
