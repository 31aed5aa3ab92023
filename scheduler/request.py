"""What is asked of the scheduler, and a pool as it sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generated.runtime import Row
from services.capabilities import backend_of

UNKNOWN = "unknown"
BOOLEAN_SPECS = (
    "driver_handles_share_servers",
    "snapshot_support",
    "create_share_from_snapshot_support",
    "revert_to_snapshot_support",
    "mount_snapshot_support",
    "mount_point_name_support",
    "snapshot_inherit_share_access_support",
)
"""Extra specs that are booleans: matched as such, however they are spelled."""


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool: where it is, what it can do, and what has been placed on it since its report.

    Sizes are GiB. ``consumed`` is the sum of sizes placed after the report; ``provisioned`` the sum of all sizes in
    the database, used when a thin pool does not report it.
    """

    host: str
    zone_id: str | None
    zone: str | None
    capabilities: Mapping[str, Any]
    consumed: float = 0
    provisioned: float = 0

    @property
    def backend(self) -> str:
        """``node1@alpha`` of ``node1@alpha#pool``."""
        return backend_of(self.host)

    @property
    def total(self) -> Any:
        return self.capabilities.get("total_capacity_gb", 0)

    @property
    def free(self) -> Any:
        """Reported free space less what was placed since; ``unknown`` or None stay so."""
        free = self.capabilities.get("free_capacity_gb")
        return free if free is None or free == UNKNOWN else float(free) - self.consumed

    @property
    def thin(self) -> bool:
        value = self.capabilities.get("thin_provisioning", False)
        return True in value if isinstance(value, list) else value is True

    @property
    def provisioned_total(self) -> float | None:
        """Granted sizes: as reported plus what was placed since, else from the database when the pool is thin."""
        reported = self.capabilities.get("provisioned_capacity_gb")
        if reported is not None:
            return float(reported) + self.consumed
        return self.provisioned if self.thin else None

    def ratio(self, default: float) -> float:
        value = self.capabilities.get("max_over_subscription_ratio")
        return default if value is None else float(value)

    def reserved(self, request: Request) -> float:
        """The reserved fraction that counts for this kind of request."""
        key = "reserved_percentage"
        if request.is_extend:
            key = "reserved_share_extend_percentage"
        elif request.snapshot_id:
            key = "reserved_snapshot_percentage"
        return float(self.capabilities.get(key) or 0) / 100


@dataclass(frozen=True, slots=True)
class Request:
    """A share to place, or to grow where it is.

    ``size`` is GiB: the share's, or by how much it grows. ``same_hosts`` and ``other_hosts`` are the hosts of the
    shares named in the hints (None: no such hint). ``only_host`` counts for host administrators alone, so the caller
    leaves it out for others.
    """

    size: float
    share_id: str | None = None
    share_proto: str | None = None
    extra_specs: Mapping[str, str] = field(default_factory=dict)
    zone_id: str | None = None
    zones: tuple[str, ...] = ()
    """Zone names the share type allows; empty: all."""
    several_subnets: Mapping[str, bool] = field(default_factory=dict)
    """Zone id -> whether the share network has more than one subnet there."""
    snapshot_id: str | None = None
    snapshot_host: str | None = None
    snapshot_zone: str | None = None
    is_extend: bool = False
    active_replica_host: str | None = None
    replica_hosts: tuple[str, ...] = ()
    replication_domain: str | None = None
    """Domain of the host of the snapshot or of the active replica."""
    same_hosts: frozenset[str] | None = None
    other_hosts: frozenset[str] | None = None
    only_host: str | None = None
    ratio: float = 20.0
    """``max_over_subscription_ratio`` of a pool that does not say it."""
    properties: Row = field(default_factory=dict)
    """The share's row, for filter and goodness functions."""

    @property
    def needs(self) -> dict[str, str]:
        """The extra specs as the capabilities are compared with: booleans marked, the protocol added.

        A copy of a snapshot or a replica may go to another back end, so their types' back end name does not count.
        """
        specs = dict(self.extra_specs)
        for key in BOOLEAN_SPECS:
            value = specs.get(key)
            if value is not None and not value.startswith("<is>"):
                specs[key] = f"<is> {value}"
        if specs.get("storage_protocol") is None and self.share_proto is not None:
            specs["storage_protocol"] = f"<in> {self.share_proto}"
        if self.active_replica_host or self.snapshot_host:
            specs.pop("share_backend_name", None)
        return specs
