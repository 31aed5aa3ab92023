"""The operations of ``handlers.snapshot_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SnapshotInstances(Protocol[C, R]):
    """Handlers behind /snapshot-instances, /snapshot-instances/detail, /snapshot-instances/{id}."""

    async def detail(self, call: C) -> R:
        """GET /snapshot-instances/detail: from 2.19."""

    async def list(self, call: C) -> R:
        """GET /snapshot-instances: from 2.19."""

    async def show(self, call: C) -> R:
        """GET /snapshot-instances/{id}: from 2.19."""
