"""The operations of ``handlers.share_group_type_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareGroupTypeSpecs(Protocol[C, R]):
    """Handlers behind /share-group-types/{id}/group-specs, /share-group-types/{id}/group-specs/{key}."""

    async def create(self, call: C) -> R:
        """POST /share-group-types/{id}/group-specs: 2.31-2.54 (experimental), from 2.55."""

    async def delete(self, call: C) -> R:
        """DELETE /share-group-types/{id}/group-specs/{key}: 2.31-2.54 (experimental), from 2.55."""

    async def list(self, call: C) -> R:
        """GET /share-group-types/{id}/group-specs: 2.31-2.54 (experimental), from 2.55."""

    async def show(self, call: C) -> R:
        """GET /share-group-types/{id}/group-specs/{key}: 2.31-2.54 (experimental), from 2.55."""

    async def update(self, call: C) -> R:
        """PUT /share-group-types/{id}/group-specs/{key}: 2.31-2.54 (experimental), from 2.55."""
