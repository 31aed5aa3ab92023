"""Capacity arithmetic: does a request fit into a pool, and how much room is left in it. All sizes are GiB."""

from __future__ import annotations

import math

from scheduler.request import UNKNOWN, Pool, Request
from services.capabilities import match
from services.values import FALSE, TRUE


def thick(request: Request) -> bool:
    """Whether the share type asks for space set aside in full."""
    spec = request.extra_specs.get("thin_provisioning", request.extra_specs.get("capabilities:thin_provisioning"))
    if spec is None:
        return False
    text = spec.strip().lower()
    return text in FALSE if text in TRUE | FALSE else not match(True, spec)


def fits(pool: Pool, request: Request) -> bool:
    """Whether the pool can take the request's size."""
    free, total, reserved = pool.free, pool.total, pool.reserved(request)
    if free is None:
        return False
    if free == UNKNOWN:
        return True
    if total == UNKNOWN:
        return bool(reserved == 0 and request.size <= free)
    total = float(total)
    if total <= 0:
        return False
    usable = math.floor(free - total * reserved)
    if pool.thin and not thick(request):
        ratio = pool.ratio(request.ratio)
        granted = (pool.provisioned_total or 0) + request.size
        return bool(ratio >= 1 and granted / total <= ratio and usable * ratio >= request.size)
    return bool(usable >= request.size)


def room(pool: Pool, request: Request) -> float | None:
    """Free space for the weigher: virtual when thin; None when it is not known."""
    free, total, reserved = pool.free, pool.total, pool.reserved(request)
    if free is None or UNKNOWN in (free, total):
        return None
    total = float(total)
    if pool.thin and not thick(request):
        granted = pool.provisioned_total
        return None if granted is None else math.floor(total * pool.ratio(request.ratio) - granted - total * reserved)
    return float(math.floor(free - total * reserved))
