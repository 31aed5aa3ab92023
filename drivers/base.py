"""The share-driver contract, with types.

A driver is what a back end's worker calls. It knows neither HTTP nor SQL: it is given rows (plain dicts with the
column names of the database) and answers with plain values; the worker writes them down. Every method may be called
again with the same arguments after a crash, so each one makes the world match its arguments.

Keys a driver may rely on:

* share: ``id`` (of the share instance), ``share_id``, ``size`` (GiB), ``share_proto``, ``share_server_id``, ``host``,
  ``share_type_id``, ``snapshot_id``, ``export_locations`` (list of ``{path, is_admin_only}``), ``extra_specs`` (dict,
  the share type's), ``metadata`` (dict), ``access_rules`` (list of rules; only in ``ensure_shares``).
* rule: ``id``, ``access_type``, ``access_to``, ``access_level`` (``rw`` or ``ro``), ``access_key``, ``state``.
* snapshot: ``id`` (of the snapshot instance), ``snapshot_id``, ``share_id``, ``share_instance_id``, ``size`` (GiB),
  ``share`` (the share instance), ``provider_location``.
* share server: ``id``, ``identifier``, ``status``, ``share_network_subnet_ids``, ``backend_details`` (dict of text, as
  ``setup_server`` answered).
* share group: columns of the row, ``share_types`` (ids), ``shares`` (share instances in the group).
* share group snapshot: columns of the row, ``share_group``, and ``share_group_snapshot_members``, each in the form of a
  snapshot whose ``snapshot_id`` is that of the group snapshot.
* network_info, one entry per subnet: ``server_id``, ``segmentation_id``, ``cidr``, ``neutron_net_id``,
  ``neutron_subnet_id``, ``security_services``, ``network_allocations``, ``admin_network_allocations``,
  ``subnet_metadata``, ``backend_details``, ``network_type`` and, of a new server, ``project_id``; an allocation has
  ``id``, ``ip_address``,
  ``mac_address``, ``label``, ``ip_version``, ``cidr``, ``gateway``, ``mtu``, ``network_type``, ``segmentation_id``.

Errors are those of ``generated.errors``. What an error does to the row is said at each method; any other exception is
treated alike. ``share_server`` is None for a back end that does not handle servers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NotRequired, TypedDict

from drivers import groups
from drivers.client_counts import Seen
from drivers.optional import OptionalOperations
from drivers.reconciling import Reconciling
from drivers.storage import MemoryStorage, PrivateStorage
from drivers.tenant_ports import Borrowed
from generated.errors import ShareBackendException, ShareGroupSnapshotNotSupported
from generated.runtime import Row


class Transient(ConnectionError):
    """The storage, or what it needs, can't be asked right now: the same call is made again later, with growing pauses.

    It says nothing about the resource, whose row stays as it is.
    """


class Unfinished(ShareBackendException):
    """The storage is still at it, as with a copy: the same call is made again in a while, and other work done between.

    Only where a method says so; elsewhere it is an error like others.
    """


class ExportLocation(TypedDict):
    """Where a client mounts a share."""

    path: str
    is_admin_only: bool
    preferred: NotRequired[bool]
    metadata: NotRequired[dict[str, str]]


class RuleUpdate(TypedDict, total=False):
    """What became of one access rule. ``state`` is ``active`` or ``error``; absent means active.

    ``refused`` tells the owner why it is in error: ``unsupported`` (type or level) or ``forbidden`` (this client).
    """

    access_key: str | None
    state: str
    refused: str


class ShareUpdate(TypedDict, total=False):
    """What ``ensure_shares`` found for one share instance."""

    export_locations: list[ExportLocation]
    status: str
    reapply_access_rules: bool


class SnapshotUpdate(TypedDict, total=False):
    """What the worker writes to a snapshot instance after ``create_snapshot``."""

    provider_location: str
    export_locations: list[ExportLocation]
    size: int
    status: str


class ShareStatus(TypedDict, total=False):
    """State of a share that is made or reverted in the background; ``size`` in GiB, of one that is reverted."""

    status: str
    export_locations: list[ExportLocation]
    progress: str
    size: int


Stats = dict[str, Any]
"""A capability report: see ``ShareDriver.get_share_stats``."""
WITHOUT_SNAPSHOTS: Final = {
    "snapshot_support": False,
    "create_share_from_snapshot_support": False,
    "revert_to_snapshot_support": False,
    "mount_snapshot_support": False,
}
"""In the report of a back end that is configured to take none."""


@dataclass(frozen=True, slots=True)
class BackendOptions:
    """What every driver is told about its back end: the original's options of one back end section.

    ``name`` is the section's name; capacities are GiB, -1 means no limit.
    """

    name: str
    share_backend_name: str = "Generic_NFS"
    driver_handles_share_servers: bool = True
    filter_function: str | None = None
    goodness_function: str | None = None
    replication_domain: str | None = None
    reserved_share_percentage: int = 0
    reserved_share_from_snapshot_percentage: int = 0
    reserved_share_extend_percentage: int = 0
    max_over_subscription_ratio: float = 20.0
    max_shares_per_share_server: int = -1
    max_share_server_size: int = -1


class ShareDriver(OptionalOperations, Reconciling):
    """Base of all drivers: the operations of a share's life, its snapshots, its rules and its server.

    Operations a back end may lack (replication, migration, manage, backup) are in ``OptionalOperations``.
    """

    security_service_update_support: ClassVar[bool] = False
    network_allocation_update_support: ClassVar[bool] = False
    share_replicas_migration_support: ClassVar[bool] = False
    qos_type_support: ClassVar[bool] = False
    encryption_support: ClassVar[list[str] | None] = None
    restore_to_target_support: ClassVar[bool] = False
    """Whether a backup can be restored to another share than the one it was made of."""
    tells_clients: ClassVar[bool] = False
    """Whether the driver tells ``tenant_ports`` whom the access rules let in."""

    def __init__(self, options: BackendOptions) -> None:
        self.options = options
        self.network_ip_versions: Collection[int] = (4, 6)
        self._stats: Stats = {}
        self.private_storage: PrivateStorage = MemoryStorage()
        """What the driver keeps between calls; the worker puts one behind it that all workers share."""
        self.tenant_ports = Borrowed()
        """The ports of share servers; the worker puts the network's behind it, where the driver has a use for them."""
        self.binds_ports = False
        """Whether the driver itself binds the ports of its servers to hosts."""

    @property
    def driver_handles_share_servers(self) -> bool:
        """Whether the driver makes a share server per share network subnet."""
        return self.options.driver_handles_share_servers

    # ---- life cycle

    async def do_setup(self) -> None:
        """Connect. An exception disables the back end: it is not ready and sends no capability report."""

    async def check_for_setup_error(self) -> None:
        """Verify that the back end can serve; errors as ``do_setup``."""

    async def get_backend_info(self) -> dict[str, Any]:
        """Plain values whose change makes ``ensure_shares`` run at start; a hash of them is kept.

        Raises:
            NotImplementedError: ``ensure_shares`` runs at every start. Anything else: as ``do_setup``.
        """
        raise NotImplementedError

    async def ensure_shares(self, shares: Sequence[Row]) -> Mapping[str, ShareUpdate]:
        """Re-establish the exports of ``shares`` after a start or on request.

        Each share carries ``access_rules``, ``share_server`` (or None) besides its own keys. The answer is keyed by
        share instance id; a share not named in it stays as it is.
        """
        raise NotImplementedError

    async def get_share_stats(self, refresh: bool = False) -> Stats:
        """The capability report (keys: ``stats`` of the driver contract); with ``refresh`` it is gathered anew."""
        if refresh or not self._stats:
            await self._update_share_stats()
        return self._stats

    async def _update_share_stats(self, data: Stats | None = None) -> None:
        """Gather the statistics: the defaults of every back end, overlaid with ``data`` of the driver."""
        given = data or {}
        options = self.options
        stats: Stats = {
            "share_backend_name": options.share_backend_name,
            "driver_handles_share_servers": options.driver_handles_share_servers,
            "vendor_name": "Open Source",
            "driver_version": "1.0",
            "storage_protocol": None,
            "total_capacity_gb": "unknown",
            "free_capacity_gb": "unknown",
            "reserved_percentage": 0,
            "reserved_snapshot_percentage": 0,
            "reserved_share_extend_percentage": 0,
            "qos": False,
            "pools": None,
            "snapshot_support": self._redefines("create_snapshot", "delete_snapshot"),
            "create_share_from_snapshot_support": self._redefines(
                "create_share_from_snapshot", "create_snapshot", "delete_snapshot"
            ),
            "revert_to_snapshot_support": False,
            "mount_snapshot_support": False,
            "replication_domain": options.replication_domain,
            "filter_function": self.get_filter_function(),
            "goodness_function": self.get_goodness_function(),
            "security_service_update_support": self.security_service_update_support,
            "network_allocation_update_support": self.network_allocation_update_support,
            "share_server_multiple_subnet_support": False,
            "mount_point_name_support": False,
            "share_replicas_migration_support": self.share_replicas_migration_support,
            "encryption_support": self.encryption_support,
            "qos_type_support": self.qos_type_support,
            "snapshot_inherit_share_access_support": False,
        } | given
        if options.driver_handles_share_servers:
            stats["max_shares_per_share_server"] = options.max_shares_per_share_server
            stats["max_share_server_size"] = options.max_share_server_size
        of_groups = given.get("share_group_stats", {})
        stats["share_group_stats"] = {"consistent_snapshot_support": of_groups.get("consistent_snapshot_support")}
        self.add_ip_version_capability(stats)
        self._stats = stats

    async def clients_seen(self) -> Sequence[Seen]:
        """What clients do on the shares of this back end, for whoever gathers figures; it takes at most a second.

        Projects and shares need not be told, where the database knows them. A server that does not answer is left out.
        """
        return ()

    def _redefines(self, *methods: str) -> bool:
        return all(getattr(type(self), name) is not getattr(ShareDriver, name) for name in methods)

    def get_filter_function(self, pool: str | None = None) -> str | None:
        """Expression for DriverFilter."""
        return self.options.filter_function or self.get_default_filter_function(pool)

    def get_goodness_function(self) -> str | None:
        """Expression for GoodnessWeigher."""
        return self.options.goodness_function or self.get_default_goodness_function()

    def get_default_filter_function(self, pool: str | None = None) -> str | None:
        """The driver's own expression for DriverFilter."""
        return None

    def get_default_goodness_function(self) -> str | None:
        """The driver's own expression for GoodnessWeigher."""
        return None

    def get_configured_ip_versions(self) -> Collection[int]:
        """IP versions (4, 6) the exports can have."""
        return (4,)

    def add_ip_version_capability(self, data: Stats) -> None:
        """Set ``ipv4_support`` and ``ipv6_support``; with servers the network plugin limits them."""
        versions = set(self.get_configured_ip_versions())
        if self.driver_handles_share_servers:
            versions &= set(self.network_ip_versions)
        data["ipv4_support"] = 4 in versions
        data["ipv6_support"] = 6 in versions

    async def get_pool(self, share: Row) -> str | None:
        """Pool of a share whose host names none; it is asked when the share is exported again, and kept."""
        return None

    # ---- shares

    async def create_share(self, share: Row, share_server: Row | None = None) -> list[ExportLocation]:
        """Make the share on the given server; answers its export locations.

        Any exception: status error; ``detail_data["export_locations"]`` of a ManilaError is kept.
        """
        raise NotImplementedError

    async def create_share_from_snapshot(
        self, share: Row, snapshot: Row, share_server: Row | None = None, parent_share: Row | None = None
    ) -> list[ExportLocation] | ShareStatus:
        """Make a share with the data of a snapshot.

        Answers export locations, or a status: ``creating_from_snapshot`` (then ``get_share_status`` is polled) or
        ``available``. Errors as ``create_share``.
        """
        raise NotImplementedError

    async def get_share_status(self, share: Row, share_server: Row | None = None) -> ShareStatus:
        """Poll a share in ``creating_from_snapshot`` or ``reverting_to_snapshot``.

        Raises:
            ShareBackendException: status error (creating); a failed revert gives a user message.
        """
        raise NotImplementedError

    async def delete_share(self, share: Row, share_server: Row | None = None) -> None:
        """Remove the share; a missing one is success.

        Raises:
            ShareResourceNotFound: treated as success; any other exception: error_deleting.
        """
        raise NotImplementedError

    async def extend_share(self, share: Row, new_size: int, share_server: Row | None = None) -> None:
        """Grow to ``new_size`` GiB. Any exception: extending_error."""
        raise NotImplementedError

    async def shrink_share(self, share: Row, new_size: int, share_server: Row | None = None) -> None:
        """Shrink to ``new_size`` GiB.

        Raises:
            ShareShrinkingPossibleDataLoss: the share is available again, with a user message.
            NotImplementedError: the same with another message. Any other exception: shrinking_error.
        """
        raise NotImplementedError

    async def get_optional_share_creation_data(self, share: Row, share_server: Row | None = None) -> Row:
        """Metadata of a newly created share: ``{"metadata": {...}}`` or an empty dict."""
        return {}

    async def update_share_usage_size(self, shares: Sequence[Row]) -> list[Row]:
        """Used sizes: ``{id, used_size (GiB), gathered_at}`` per share."""
        raise NotImplementedError

    # ---- access

    async def update_access(
        self,
        share: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        update_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        """Make the back end enforce exactly ``access_rules``.

        The other lists are the difference to the last call; all empty means: make everything match. The answer is
        keyed by rule id. One bad rule is reported there as ``error``, never raised: an exception puts every rule being
        applied or denied in error. Deleting an unknown rule is success.
        """
        raise NotImplementedError

    # ---- snapshots

    async def create_snapshot(self, snapshot: Row, share_server: Row | None = None) -> SnapshotUpdate | None:
        """Take a snapshot. Any exception: status error."""
        raise NotImplementedError

    async def delete_snapshot(self, snapshot: Row, share_server: Row | None = None) -> None:
        """Delete it; a missing one is success.

        Raises:
            ShareSnapshotIsBusy: the snapshot is available again. SnapshotResourceNotFound: success.
            Any other exception: error_deleting.
        """
        raise NotImplementedError

    async def revert_to_snapshot(
        self,
        snapshot: Row,
        share_access_rules: Sequence[Row],
        snapshot_access_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> int | ShareStatus | None:
        """Put the share back to the snapshot in place.

        Answers None, the new size in GiB, or ``{status: reverting_to_snapshot}`` when it goes on in the background.
        Any exception: share reverting_error, snapshot available.
        """
        raise NotImplementedError

    async def snapshot_update_access(
        self,
        snapshot: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        """``update_access`` for a mountable snapshot.

        Raises:
            Unfinished: called again, the rules wait; any other exception: its rules in error.
        """
        raise NotImplementedError

    # ---- share servers

    def get_network_allocations_number(self) -> int:
        """Tenant ports per share server. A driver that handles servers must say it."""
        raise NotImplementedError

    def get_admin_network_allocations_number(self) -> int:
        """Admin network ports per share server."""
        return 0

    async def choose_share_server_compatible_with_share(
        self,
        share_servers: Sequence[Row],
        share: Row,
        snapshot: Row | None = None,
        share_group: Row | None = None,
        encryption_key_ref: str | None = None,
    ) -> Row | None:
        """Pick one of the active servers of the subnets, or None for a new one.

        Default: the server of the share's group if it is in one, else the first.
        """
        if share_group is not None:
            share_servers = [one for one in share_servers if one["id"] == share_group["share_server_id"]]
        return share_servers[0] if share_servers else None

    async def choose_share_server_compatible_with_share_group(
        self, share_servers: Sequence[Row], share_group_ref: Row, share_group_snapshot: Row | None = None
    ) -> Row | None:
        """The same for a new share group. Default: the first."""
        return share_servers[0] if share_servers else None

    async def setup_server(self, network_info: Sequence[Row], metadata: Row | None = None) -> dict[str, str]:
        """Make the server on the allocated ports; answers the backend details.

        ``network_info`` has one entry per subnet, ``metadata`` holds ``request_host``. The key ``identifier`` of the
        answer becomes the server's identifier (default: its id). Any exception: server error, ports released;
        ``detail_data["server_details"]`` of a ManilaError is kept for the teardown.

        Raises:
            SecurityServiceFailedAuth: a user message says so.
        """
        raise NotImplementedError

    async def teardown_server(
        self, server_details: Mapping[str, str], security_services: Sequence[Row] | None = None
    ) -> None:
        """Delete what ``setup_server`` made; partial details are tolerated. Any exception: server error."""
        raise NotImplementedError

    # ---- share groups

    async def create_share_group(self, share_group_dict: Row, share_server: Row | None = None) -> Row | None:
        """Make an empty group; answers columns of the group to write. Any exception: group in error."""
        return None

    async def create_share_group_from_share_group_snapshot(
        self, share_group_dict: Row, share_group_snapshot_dict: Row, share_server: Row | None = None
    ) -> tuple[Row | None, Sequence[Row] | None]:
        """Make a group whose shares are copies of the snapshot's members.

        Answers columns of the group, and for each share instance ``{id, export_locations, status?}`` (``available`` or
        ``creating_from_snapshot``). Any exception: group and shares in error. Default: each share is copied alone.
        """
        return await groups.copy(self, share_group_dict, share_group_snapshot_dict, share_server)

    async def delete_share_group(self, share_group_dict: Row, share_server: Row | None = None) -> Row | None:
        """Remove an empty group; answers columns of the group to write. Any exception: group in error."""
        return None

    async def create_share_group_snapshot(
        self, snap_dict: Row, share_server: Row | None = None
    ) -> tuple[Row | None, Sequence[Row] | None]:
        """Take a snapshot of all shares of a group.

        Answers columns of the group snapshot, and members ``{id, status?, provider_location?, size?}``. Default: a
        snapshot of each share. Any exception: group snapshot in error.

        Raises:
            ShareGroupSnapshotNotSupported: the back end has no snapshots.
        """
        if not (await self.get_share_stats()).get("snapshot_support"):
            raise ShareGroupSnapshotNotSupported(share_group=snap_dict["share_group_id"])
        return await groups.take(self, snap_dict, share_server)

    async def delete_share_group_snapshot(
        self, snap_dict: Row, share_server: Row | None = None
    ) -> tuple[Row | None, Sequence[Row] | None]:
        """Remove a group snapshot; answers as above. Default: each member alone. Any exception: snapshot in error."""
        return await groups.remove(self, snap_dict, share_server)
