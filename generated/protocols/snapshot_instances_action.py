"""The operations of ``handlers.snapshot_instances_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SnapshotInstancesAction(Protocol[C, R]):
    """Handlers behind /snapshot-instances/{id}/action."""

    async def reset_status(self, call: C) -> R:
        """POST /snapshot-instances/{id}/action ``reset_status``: from 2.19.

        Rules left to the handler: ``share_snapshot_instance:reset_status`` (403).
        """
