"""The operations of ``handlers.extensions``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Extensions(Protocol[C, R]):
    """Handlers behind /extensions, /extensions/{id}."""

    async def list(self, call: C) -> R:
        """GET /extensions: from 2.0."""

    async def show(self, call: C) -> R:
        """GET /extensions/{id}: from 2.0."""
