"""The operations of ``handlers.share_instances_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareInstancesAction(Protocol[C, R]):
    """Handlers behind /share_instances/{id}/action."""

    async def force_delete(self, call: C) -> R:
        """POST /share_instances/{id}/action ``force_delete``: from 2.7.

        Rules left to the handler: ``share:delete`` (403); ``share_instance:force_delete`` (403).
        """

    async def os_force_delete(self, call: C) -> R:
        """POST /share_instances/{id}/action ``os-force_delete``: 2.3-2.6.

        Rules left to the handler: ``share:delete`` (403); ``share_instance:force_delete`` (403).
        The older spelling of ``share_instances.action.force_delete``.
        """

    async def os_reset_status(self, call: C) -> R:
        """POST /share_instances/{id}/action ``os-reset_status``: 2.3-2.6.

        Rules left to the handler: ``share_instance:reset_status`` (403).
        The older spelling of ``share_instances.action.reset_status``.
        """

    async def reset_status(self, call: C) -> R:
        """POST /share_instances/{id}/action ``reset_status``: from 2.7.

        Rules left to the handler: ``share_instance:reset_status`` (403).
        """
