"""The operations of ``handlers.limits``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Limits(Protocol[C, R]):
    """Handlers behind /limits."""

    async def list(self, call: C) -> R:
        """GET /limits: from 2.0."""
