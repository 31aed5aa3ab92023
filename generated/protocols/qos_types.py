"""The operations of ``handlers.qos_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class QosTypes(Protocol[C, R]):
    """Handlers behind /qos-types, /qos-types/{id}."""

    async def create(self, call: C) -> R:
        """POST /qos-types: from 2.94."""

    async def delete(self, call: C) -> R:
        """DELETE /qos-types/{id}: from 2.94."""

    async def list(self, call: C) -> R:
        """GET /qos-types: from 2.94."""

    async def show(self, call: C) -> R:
        """GET /qos-types/{id}: from 2.94."""

    async def update(self, call: C) -> R:
        """PUT /qos-types/{id}: from 2.94."""
