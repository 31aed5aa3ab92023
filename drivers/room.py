"""Room of a pool."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Capacity:
    """Room of a pool in GiB of shares: in all, still to be promised, and promised to shares and snapshots."""

    total: float
    free: float
    provisioned: float
