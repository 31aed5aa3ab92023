"""The operations of ``handlers.share_group_snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupSnapshots(Protocol[C, R]):
    """Handlers behind /share-group-snapshots, /share-group-snapshots/detail, /share-group-snapshots/{id},
    /share-group-snapshots/{id}/members.
    """

    async def create(self, call: C) -> R:
        """POST /share-group-snapshots: 2.31-2.54 (experimental), from 2.55."""

    async def delete(self, call: C) -> R:
        """DELETE /share-group-snapshots/{id}: 2.31-2.54 (experimental), from 2.55."""

    async def detail(self, call: C) -> R:
        """GET /share-group-snapshots/detail: 2.31-2.54 (experimental), from 2.55."""

    async def list(self, call: C) -> R:
        """GET /share-group-snapshots: 2.31-2.54 (experimental), from 2.55."""

    async def members(self, call: C) -> R:
        """GET /share-group-snapshots/{id}/members: 2.31-2.54 (experimental), from 2.55."""

    async def show(self, call: C) -> R:
        """GET /share-group-snapshots/{id}: 2.31-2.54 (experimental), from 2.55."""

    async def update(self, call: C) -> R:
        """PUT /share-group-snapshots/{id}: 2.31-2.54 (experimental), from 2.55."""
