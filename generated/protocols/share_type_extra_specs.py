"""The operations of ``handlers.share_type_extra_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareTypeExtraSpecs(Protocol[C, R]):
    """Handlers behind /types/{type_id}/extra_specs, /types/{type_id}/extra_specs/{id}."""

    async def create(self, call: C) -> R:
        """POST /types/{type_id}/extra_specs: from 2.0."""

    async def delete(self, call: C) -> R:
        """DELETE /types/{type_id}/extra_specs/{id}: from 2.0.

        Snapshot_support can not be deleted up to 2.23, driver_handles_share_servers never: 403.
        """

    async def list(self, call: C) -> R:
        """GET /types/{type_id}/extra_specs: from 2.0."""

    async def show(self, call: C) -> R:
        """GET /types/{type_id}/extra_specs/{id}: from 2.0."""

    async def update(self, call: C) -> R:
        """PUT /types/{type_id}/extra_specs/{id}: from 2.0."""
