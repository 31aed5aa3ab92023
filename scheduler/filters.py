"""The filters: each says whether a pool may take a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import structlog

from generated.messages import Detail
from scheduler import capacity, expression
from scheduler.request import Pool, Request
from services.capabilities import backend_of, satisfies

LOG = structlog.get_logger("scheduler")

Filter = Callable[[Pool, Request], bool]


def only_host(pool: Pool, request: Request) -> bool:
    """The hint ``only_host`` names exactly one pool."""
    return request.only_host is None or pool.host == request.only_host


def availability_zone(pool: Pool, request: Request) -> bool:
    """Zone of the request, zones of the type; several subnets in the zone need a back end that can have them."""
    if request.zone_id is not None and request.zone_id != pool.zone_id:
        return False
    if request.zones and pool.zone not in request.zones:
        return False
    if pool.capabilities.get("share_server_multiple_subnet_support") or pool.zone_id is None:
        return True
    return not request.several_subnets.get(pool.zone_id, False)


def capabilities(pool: Pool, request: Request) -> bool:
    """Extra specs against capabilities; a type with a QoS type needs a pool that knows them."""
    specs = request.needs
    if specs.get("default_qos_type") and not pool.capabilities.get("qos_type_support", False):
        return False
    return satisfies(pool.capabilities, specs)


def driver(pool: Pool, request: Request) -> bool:
    """The pool's filter function; one that speaks of the share's size counts only for a share that exists."""
    text = pool.capabilities.get("filter_function")
    if text is None or ("share.size" in str(text) and not request.share_id):
        return True
    try:
        return bool(expression.evaluate(str(text), expression.variables(pool, request)))
    except expression.BadExpression as error:
        LOG.warning("the filter function failed", host=pool.host, error=str(error))
        return False


def share_replication(pool: Pool, request: Request) -> bool:
    """A replicated share needs a domain; a replica the domain of the active one, on a host without a replica."""
    if request.extra_specs.get("replication_type") is None:
        return True
    domain = pool.capabilities.get("replication_domain")
    if domain is None:
        return False
    if request.active_replica_host is None:
        return True
    return request.replication_domain == domain and pool.host not in request.replica_hosts


def create_from_snapshot(pool: Pool, request: Request) -> bool:
    """The snapshot's own back end, or one in its replication domain."""
    if request.snapshot_id is None or request.snapshot_host is None:
        return True
    if pool.backend == backend_of(request.snapshot_host):
        return True
    domain = request.replication_domain
    return bool(domain) and domain == pool.capabilities.get("replication_domain")


def affinity(pool: Pool, request: Request) -> bool:
    """The hint ``same_host``."""
    return request.same_hosts is None or pool.host in request.same_hosts


def anti_affinity(pool: Pool, request: Request) -> bool:
    """The hint ``different_host``."""
    return request.other_hosts is None or pool.host not in request.other_hosts


FILTERS: Mapping[str, Filter] = {
    "OnlyHostFilter": only_host,
    "AvailabilityZoneFilter": availability_zone,
    "CapacityFilter": capacity.fits,
    "CapabilitiesFilter": capabilities,
    "DriverFilter": driver,
    "ShareReplicationFilter": share_replication,
    "CreateFromSnapshotFilter": create_from_snapshot,
    "AffinityFilter": affinity,
    "AntiAffinityFilter": anti_affinity,
}
DEFAULT = tuple(FILTERS)
DEFAULT_EXTEND = ("CapacityFilter", "DriverFilter")

DETAILS: Mapping[str, Detail] = {
    "AvailabilityZoneFilter": Detail.FILTER_AVAILABILITY,
    "CapabilitiesFilter": Detail.FILTER_CAPABILITIES,
    "CapacityFilter": Detail.FILTER_CAPACITY,
    "DriverFilter": Detail.FILTER_DRIVER,
    "ShareReplicationFilter": Detail.FILTER_REPLICATION,
    "CreateFromSnapshotFilter": Detail.FILTER_CREATE_FROM_SNAPSHOT,
}


def detail_of(name: str | None) -> Detail:
    """The user message's detail for the filter that left no pool."""
    return DETAILS.get(name or "", Detail.NO_VALID_HOST)
