"""The operations of ``handlers.qos_type_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class QosTypeSpecs(Protocol[C, R]):
    """Handlers behind /qos-types/{id}/specs, /qos-types/{id}/specs/{key}."""

    async def create(self, call: C) -> R:
        """POST /qos-types/{id}/specs: from 2.94.

        Rules left to the handler: ``context_is_admin`` (403).
        """

    async def delete(self, call: C) -> R:
        """DELETE /qos-types/{id}/specs/{key}: from 2.94.

        Rules left to the handler: ``context_is_admin`` (403).
        """

    async def list(self, call: C) -> R:
        """GET /qos-types/{id}/specs: from 2.94."""

    async def show(self, call: C) -> R:
        """GET /qos-types/{id}/specs/{key}: from 2.94."""

    async def update(self, call: C) -> R:
        """PUT /qos-types/{id}/specs/{key}: from 2.94.

        Rules left to the handler: ``context_is_admin`` (403).
        """
