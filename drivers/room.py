"""Room of pools, and how it is reported."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drivers.base import BackendOptions
from generated.runtime import Row


@dataclass(frozen=True, slots=True)
class Capacity:
    """Room of a pool in GiB of shares: in all, still to be promised, and promised to shares and snapshots."""

    total: float
    free: float
    provisioned: float


def reserved(options: BackendOptions) -> dict[str, int]:
    """What is kept back of each pool, percent."""
    least = options.reserved_share_percentage
    return {
        "reserved_percentage": least,
        "reserved_snapshot_percentage": options.reserved_share_from_snapshot_percentage or least,
        "reserved_share_extend_percentage": options.reserved_share_extend_percentage or least,
    }


def told(options: BackendOptions, room: Capacity) -> dict[str, Any]:
    """The part of a capability report that speaks of room."""
    return {
        "total_capacity_gb": _said(room.total),
        "free_capacity_gb": _said(room.free),
        "provisioned_capacity_gb": room.provisioned,
        "thin_provisioning": False,
        **reserved(options),
    }


def _said(gib: float) -> float | str:
    """A size, or the word that the scheduler knows for storage that tells none: JSON has no infinity."""
    return gib if math.isfinite(gib) else "unknown"


def pools(options: BackendOptions, rooms: Mapping[str, Capacity]) -> list[dict[str, Any]]:
    """The pools of a capability report, by name."""
    return [{"pool_name": name, **told(options, room)} for name, room in rooms.items()]


def pool_of(share: Row) -> str | None:
    """The pool that the scheduler chose for a share; None when its host names none."""
    return str(share.get("host") or "").partition("#")[2] or None
