"""The operations of ``handlers.availability_zones``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class AvailabilityZones(Protocol[C, R]):
    """Handlers behind /availability-zones."""

    async def list(self, call: C) -> R:
        """GET /availability-zones: from 2.7."""
