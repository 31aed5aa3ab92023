"""The operations of ``handlers.os_availability_zones``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class OsAvailabilityZones(Protocol[C, R]):
    """Handlers behind /os-availability-zone."""

    async def list(self, call: C) -> R:
        """GET /os-availability-zone: 2.0-2.6."""
