"""The place of a share group: a pool that takes shares of all its types and has what the group type asks for.

Pure, as ``scheduler.choose``: the caller reads the pools and writes the outcome in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from generated.errors import InvalidParameterValue
from scheduler.choose import Rules, passing, ranked
from scheduler.filters import FILTERS
from scheduler.request import Pool, Request

CONSISTENT = "consistent_snapshot_support"


@dataclass(frozen=True, slots=True)
class GroupRequest:
    """A group to place: one request of size 0 for each of its share types, and the group type's specs."""

    types: Sequence[Request]
    zone_id: str | None = None
    zones: tuple[str, ...] = ()
    group_specs: Mapping[str, str] = field(default_factory=dict)


def consistent_snapshot(pool: Pool, request: GroupRequest) -> bool:
    """Whether the pool takes snapshots of groups as consistently as the group type asks for."""
    wanted = request.group_specs.get(CONSISTENT)
    return wanted is None or wanted == pool.capabilities.get("sg_consistent_snapshot_support")


GROUP_FILTERS: Mapping[str, Callable[[Pool, GroupRequest], bool]] = {"ConsistentSnapshotFilter": consistent_snapshot}
DEFAULT = ("AvailabilityZoneFilter", "ConsistentSnapshotFilter")


def choose_for_group(
    pools: Sequence[Pool], request: GroupRequest, rules: Rules, filters: Sequence[str] = DEFAULT
) -> str | None:
    """Host of the best pool (``node1@alpha#pool``), None when no pool will do.

    The pools are weighed for the first share type; those that cannot take the other types are left out.

    Args:
        filters: names of the filters of the group as a whole.

    Raises:
        InvalidParameterValue: a filter's name is not known.
    """
    unknown = [name for name in filters if name not in FILTERS and name not in GROUP_FILTERS]
    if unknown:
        raise InvalidParameterValue(err=f"unknown scheduler filters of share groups: {', '.join(unknown)}")
    for number, one in enumerate(map(rules.of, request.types)):
        left, _ = passing(pools, one, rules.filters)
        pools = ranked(left, one, rules) if number == 0 else [pool for pool in pools if pool in left]
    whole = Request(size=0, zone_id=request.zone_id, zones=request.zones)
    for name in filters:
        if name in FILTERS:
            pools, _ = passing(pools, whole, [name])
        else:
            pools = [pool for pool in pools if GROUP_FILTERS[name](pool, request)]
    return pools[0].host if pools else None
