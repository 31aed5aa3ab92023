"""The operations of ``handlers.share_groups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroups(Protocol[C, R]):
    """Handlers behind /share-groups, /share-groups/detail."""

    async def detail(self, call: C) -> R:
        """GET /share-groups/detail: 2.31-2.54 (experimental), from 2.55."""

    async def list(self, call: C) -> R:
        """GET /share-groups: 2.31-2.54 (experimental), from 2.55."""
