"""The operations of ``handlers.messages``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Messages(Protocol[C, R]):
    """Handlers behind /messages, /messages/{id}."""

    async def delete(self, call: C) -> R:
        """DELETE /messages/{id}: from 2.37."""

    async def list(self, call: C) -> R:
        """GET /messages: from 2.37."""

    async def show(self, call: C) -> R:
        """GET /messages/{id}: from 2.37."""
