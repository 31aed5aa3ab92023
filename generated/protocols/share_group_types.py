"""The operations of ``handlers.share_group_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupTypes(Protocol[C, R]):
    """Handlers behind /share-group-types."""

    async def list(self, call: C) -> R:
        """GET /share-group-types: 2.31-2.54 (experimental), from 2.55."""
