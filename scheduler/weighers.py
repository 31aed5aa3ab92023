"""The weighers: each gives every candidate a raw weight; the sum of the normalised ones decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import structlog

from scheduler import capacity, expression
from scheduler.request import Pool, Request
from services.capabilities import backend_of, split_host

LOG = structlog.get_logger("scheduler")

Weigher = Callable[[Sequence[Pool], Request, float], list[float]]
"""Candidates, request, multiplier -> one raw weight each."""


def by_capacity(pools: Sequence[Pool], request: Request, multiplier: float) -> list[float]:
    """Free space; an unknown one counts so that it comes last whatever the sign of the multiplier."""
    rooms = [capacity.room(pool, request) for pool in pools]
    known = [value for value in rooms if value is not None] or [0.0]
    last = min(known) - 1 if multiplier > 0 else max(known) + 1
    return [last if value is None else value for value in rooms]


def by_goodness(pools: Sequence[Pool], request: Request, multiplier: float) -> list[float]:
    """The pool's goodness function, 0 to 100; anything else counts as 0."""
    return [_goodness(pool, request) for pool in pools]


def _goodness(pool: Pool, request: Request) -> float:
    text = pool.capabilities.get("goodness_function")
    if text is None:
        return 0
    try:
        value = expression.evaluate(str(text), expression.variables(pool, request))
    except expression.BadExpression as error:
        LOG.warning("the goodness function failed", host=pool.host, error=str(error))
        return 0
    if isinstance(value, bool):
        return 100 if value else 0
    return float(value) if isinstance(value, (int, float)) and 0 <= value <= 100 else 0


def by_host_affinity(pools: Sequence[Pool], request: Request, multiplier: float) -> list[float]:
    """Copies of a snapshot: the same pool before the same back end before the same zone."""
    if request.snapshot_id is None or request.snapshot_host is None:
        return [0.0] * len(pools)
    return [_nearness(pool, request, request.snapshot_host) for pool in pools]


def _nearness(pool: Pool, request: Request, source: str) -> float:
    if pool.backend == backend_of(source):
        return 100 if split_host(source)[2] and pool.host == source else 75
    return 50 if request.snapshot_zone and request.zone_id and request.snapshot_zone == pool.zone else 25


WEIGHERS: Mapping[str, Weigher] = {
    "CapacityWeigher": by_capacity,
    "GoodnessWeigher": by_goodness,
    "HostAffinityWeigher": by_host_affinity,
}
DEFAULT = tuple(WEIGHERS)


def normalised(weights: Sequence[float]) -> list[float]:
    """Weights mapped to 0..1 over the candidates; all equal gives 0."""
    low, high = min(weights), max(weights)
    if low == high:
        return [0.0] * len(weights)
    return [(weight - low) / (high - low) for weight in weights]
