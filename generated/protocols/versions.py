"""The operations of ``handlers.versions``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Versions(Protocol[C, R]):
    """Handlers behind /."""

    async def list(self, call: C) -> R:
        """GET /: from 2.0.

        Inside /v2 and therefore behind authentication; one element, never an own v1 entry.
        """
