"""Tasks and rows to requests of the scheduler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db import placement
from db.connection import Conn
from generated.runtime import Row
from generated.settings import Settings
from scheduler.choose import Rules
from scheduler.request import Pool, Request
from services.share_hints import KEYS
from services.work import ReplicaPlace, SharePlace


def rules_of(settings: Settings) -> Rules:
    """The filters and weighers that the configuration names."""
    default = settings.default
    return Rules(
        filters=tuple(default.scheduler_default_filters),
        extend_filters=tuple(default.scheduler_default_extend_filters),
        weighers=tuple(default.scheduler_default_weighers),
        capacity_multiplier=default.capacity_weight_multiplier,
        ratio=default.max_over_subscription_ratio,
    )


async def of_new_share(conn: Conn, subject: Row, wanted: SharePlace, pools: Sequence[Pool]) -> Request:
    """The request of a new share.

    Args:
        subject: row of ``db.placement.subject`` with a share type.
    """
    same, other = await _affinity(conn, wanted.same_host, wanted.different_host)
    source = wanted.snapshot_host
    return Request(
        size=subject["size"],
        share_id=subject["share_id"],
        share_proto=subject["share_proto"],
        extra_specs=subject["extra_specs"],
        zone_id=subject["availability_zone_id"],
        zones=tuple(wanted.zones or ()),
        several_subnets=wanted.several_subnets or {},
        snapshot_id=wanted.snapshot_id,
        snapshot_host=source,
        replication_domain=_domain(pools, source),
        same_hosts=same,
        other_hosts=other,
        only_host=wanted.only_host,
        properties=subject,
    )


def of_growth(subject: Row, increase: int) -> Request:
    """The request of a share that grows by ``increase`` GiB where it is."""
    return Request(
        size=increase,
        share_id=subject["share_id"],
        share_proto=subject["share_proto"],
        extra_specs=subject["extra_specs"] or {},
        snapshot_id=subject["snapshot_id"],
        is_extend=True,
        properties=subject,
    )


def of_managed(subject: Row) -> Request:
    """The request of a share that is on its pool already: it takes no more room there."""
    return Request(
        size=0,
        share_id=subject["share_id"],
        share_proto=subject["share_proto"],
        extra_specs=subject["extra_specs"] or {},
        properties=subject,
    )


async def of_move(conn: Conn, subject: Row, extra_specs: Mapping[str, str]) -> Request:
    """The request of a share that moves, perhaps to a type with other ``extra_specs``; its first hints still hold."""
    same, other = await _affinity(conn, *_noted(subject))
    return Request(
        size=subject["size"],
        share_id=subject["share_id"],
        share_proto=subject["share_proto"],
        extra_specs=extra_specs,
        same_hosts=same,
        other_hosts=other,
        properties=subject,
    )


def _noted(subject: Row) -> list[str | None]:
    """The hints same_host and different_host that a share was made with, or that later ones named it in."""
    return [subject["metadata"].get(KEYS[hint]) or None for hint in ("same_host", "different_host")]


async def _affinity(
    conn: Conn, same_host: str | None, different_host: str | None
) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    """The hosts that alone will do, and those that will not; None without the hint."""
    if "" in (same_host, different_host):
        return frozenset(), None  # either names no share, and no pool will do
    same, other = await _hosts(conn, same_host), await _hosts(conn, different_host)
    return (
        None if same is None else frozenset.intersection(*same),
        None if other is None else frozenset.union(*other),
    )


async def _hosts(conn: Conn, hint: str | None) -> list[frozenset[str]] | None:
    """Hosts of each share that a hint names; a share that is gone has none. None without the hint."""
    if hint is None:
        return None
    named = hint.split(",")
    found = await placement.hosts_of(conn, named)
    return [frozenset(found.get(one, ())) for one in named]


def _domain(pools: Sequence[Pool], host: str | None) -> str | None:
    """Replication domain of the pool of a snapshot's share."""
    return next((pool.capabilities.get("replication_domain") for pool in pools if pool.host == host), None)


async def of_new_replica(
    conn: Conn, subject: Row, wanted: ReplicaPlace, hosts: Sequence[str], pools: Sequence[Pool]
) -> Request:
    """The request of a new replica; the hints of its share hold unless it has one of its own.

    Args:
        subject: row of ``db.placement.subject`` with a share type.
        hosts: pools that have a replica of the share.
    """
    same, other = await _affinity(conn, *([None, None] if wanted.only_host else _noted(subject)))
    return Request(
        size=subject["size"],
        share_id=subject["share_id"],
        share_proto=subject["share_proto"],
        extra_specs=subject["extra_specs"],
        zone_id=subject["availability_zone_id"],
        zones=tuple(wanted.zones or ()),
        several_subnets=wanted.several_subnets or {},
        snapshot_id=subject["snapshot_id"],
        active_replica_host=wanted.active_host,
        replica_hosts=tuple(hosts),
        replication_domain=_domain(pools, wanted.active_host),
        same_hosts=same,
        other_hosts=other,
        only_host=wanted.only_host,
        properties=subject,
    )
