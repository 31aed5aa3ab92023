"""The operations of ``handlers.share_group_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupTypes(Protocol[C, R]):
    """Handlers behind /share-group-types, /share-group-types/default, /share-group-types/{id}, /share-group-
    types/{id}/access.
    """

    async def create(self, call: C) -> R:
        """POST /share-group-types: 2.31-2.54 (experimental), from 2.55."""

    async def default(self, call: C) -> R:
        """GET /share-group-types/default: 2.31-2.54 (experimental), from 2.55."""

    async def delete(self, call: C) -> R:
        """DELETE /share-group-types/{id}: 2.31-2.54 (experimental), from 2.55."""

    async def list(self, call: C) -> R:
        """GET /share-group-types: 2.31-2.54 (experimental), from 2.55."""

    async def list_access(self, call: C) -> R:
        """GET /share-group-types/{id}/access: 2.31-2.54 (experimental), from 2.55."""

    async def show(self, call: C) -> R:
        """GET /share-group-types/{id}: 2.31-2.54 (experimental), from 2.55."""
