"""The operations of ``handlers.resource_locks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ResourceLocks(Protocol[C, R]):
    """Handlers behind /resource-locks, /resource-locks/{id}."""

    async def create(self, call: C) -> R:
        """POST /resource-locks: from 2.81.

        Rules left to the handler: ``resource_lock:create`` (403).
        """

    async def delete(self, call: C) -> R:
        """DELETE /resource-locks/{id}: from 2.81.

        Rules left to the handler: ``resource_lock:delete`` (403).
        """

    async def list(self, call: C) -> R:
        """GET /resource-locks: from 2.81.

        Rules left to the handler: ``resource_lock:get_all_projects`` (changes the answer only, on some
        paths).
        """

    async def show(self, call: C) -> R:
        """GET /resource-locks/{id}: from 2.81."""

    async def update(self, call: C) -> R:
        """PUT /resource-locks/{id}: from 2.81.

        Rules left to the handler: ``resource_lock:get_all_projects`` (changes the answer only, on some
        paths); ``resource_lock:update`` (403).
        """
