"""The operations of ``handlers.share_group_types_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupTypesAction(Protocol[C, R]):
    """Handlers behind /share-group-types/{id}/action."""

    async def addProjectAccess(self, call: C) -> R:
        """POST /share-group-types/{id}/action ``addProjectAccess``: 2.31-2.54 (experimental), from 2.55."""

    async def create(self, call: C) -> R:
        """POST /share-group-types/{id}/action ``create``: 2.31-2.54 (experimental), from 2.55."""

    async def delete(self, call: C) -> R:
        """POST /share-group-types/{id}/action ``delete``: 2.31-2.54 (experimental), from 2.55."""

    async def removeProjectAccess(self, call: C) -> R:
        """POST /share-group-types/{id}/action ``removeProjectAccess``: 2.31-2.54 (experimental), from 2.55."""
