"""The operations of ``handlers.share_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareTypes(Protocol[C, R]):
    """Handlers behind /types, /types/default, /types/{id}, /types/{id}/os-share-type-access,
    /types/{id}/share_type_access.
    """

    async def create(self, call: C) -> R:
        """POST /types: from 2.0.

        The envelope may be volume_type; both is_public spellings are accepted in every version; up to 2.23
        snapshot_support is added as True when missing.
        """

    async def default(self, call: C) -> R:
        """GET /types/default: from 2.0."""

    async def delete(self, call: C) -> R:
        """DELETE /types/{id}: from 2.0."""

    async def list(self, call: C) -> R:
        """GET /types: from 2.0."""

    async def list_access(self, call: C) -> R:
        """GET /types/{id}/share_type_access: from 2.0."""

    async def os_list_access(self, call: C) -> R:
        """GET /types/{id}/os-share-type-access: from 2.0.

        Same answer as list_access, no version limit.
        """

    async def show(self, call: C) -> R:
        """GET /types/{id}: from 2.0."""

    async def update(self, call: C) -> R:
        """PUT /types/{id}: from 2.50."""
