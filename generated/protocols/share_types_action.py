"""The operations of ``handlers.share_types_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareTypesAction(Protocol[C, R]):
    """Handlers behind /types/{id}/action."""

    async def addProjectAccess(self, call: C) -> R:
        """POST /types/{id}/action ``addProjectAccess``: from 2.0."""

    async def create(self, call: C) -> R:
        """POST /types/{id}/action ``create``: from 2.0."""

    async def delete(self, call: C) -> R:
        """POST /types/{id}/action ``delete``: from 2.0."""

    async def removeProjectAccess(self, call: C) -> R:
        """POST /types/{id}/action ``removeProjectAccess``: from 2.0."""

    async def update(self, call: C) -> R:
        """POST /types/{id}/action ``update``: from 2.50."""
