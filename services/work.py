"""The kinds of work that requests and workers leave for a worker: one class each, its fields are the task's payload.

Producers build one and ``enqueue`` it in the transaction that changes the rows; the operation of the same kind reads it
with ``Work.job``. Fields are JSON values. A field that is added needs a default: tasks of the release before may wait.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self, TypeVar

from db import tasks
from db.connection import Conn, Row
from services.capabilities import backend_of

J = TypeVar("J", bound="Job")
SCHEDULER, DATA = "scheduler", "data"
"""Queues of the scheduler and of the data service; every back end's host is one, too."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    """A piece of work. ``KIND`` names the worker's operation and is kept in the database."""

    KIND: ClassVar[str]

    @property
    def resource(self) -> str | None:
        """Jobs with one text here run one after the other, in the order in which they were left."""
        return None

    @classmethod
    def read(cls, payload: Row) -> Self:
        """The job of a task's payload; what another release wrote besides is left out."""
        names = {one.name for one in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in payload.items() if name in names})

    @property
    def payload(self) -> Row:
        """The fields as the task keeps them."""
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}


async def enqueue(conn: Conn, job: Job, queue: str, *, request_id: str | None = None, delay: float = 0) -> None:
    """Leave a job in the caller's transaction; workers wake when it commits.

    Args:
        queue: ``SCHEDULER``, ``DATA``, or the host of a back end or of one of its pools.
        request_id: of the request that led here.
        delay: seconds before the first run.
    """
    await tasks.enqueue(conn, job.KIND, backend_of(queue), job.payload, job.resource, delay, request_id)


async def hasten(conn: Conn, job: ShareJob, *, request_id: str | None = None) -> bool:
    """Run the waiting job of the same kind and share instance now, with the fields of ``job``; whether one waited.

    Args:
        request_id: of the request that asks for it again.
    """
    same = {"instance_id": job.instance_id}
    return await tasks.hasten(conn, job.KIND, job.resource, same, job.payload, request_id)


# ---- shares


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareJob(Job):
    """Work on one instance of a share."""

    share_id: str
    instance_id: str

    @property
    def resource(self) -> str:
        return f"share:{self.share_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareCreate(ShareJob):
    """Make a share on the back end that was chosen. ``snapshot_id``: of the snapshot it is copied from."""

    KIND = "share_create"
    project_id: str | None = None
    snapshot_id: str | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SharePlace(ShareCreate):
    """Choose a pool for a new share.

    ``zones``: names that are allowed, none for all. ``several_subnets``: zone id -> whether it has several subnets.
    ``snapshot_host``: where the source is. ``same_host`` and ``different_host``: share ids, comma-separated.
    """

    KIND = "share_place"
    zones: list[str] | None = None
    several_subnets: dict[str, Any] | None = None
    snapshot_host: str | None = None
    same_host: str | None = None
    different_host: str | None = None
    only_host: str | None = None

    def placed(self) -> ShareCreate:
        """The job for the back end that was chosen."""
        return ShareCreate.read(self.payload)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareExtend(ShareJob):
    """Grow a share to ``size`` GiB, by ``increase`` GiB in each of its ``replicas`` (0: it is not replicated)."""

    KIND = "share_extend"
    size: int
    increase: int
    replicas: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareExtendPlace(ShareExtend):
    """Ask whether the pool has room for the growth."""

    KIND = "share_extend_place"

    def placed(self) -> ShareExtend:
        """The job for the share's back end."""
        return ShareExtend.read(self.payload)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareShrink(ShareJob):
    """Shrink a share to ``size`` GiB."""

    KIND = "share_shrink"
    size: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareDelete(ShareJob):
    """Remove a share instance; ``force``: even if its back end refuses."""

    KIND = "share_delete"
    force: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareEnsure(ShareJob):
    """Export a share instance again, as it should be, after its back end has started."""

    KIND = "share_ensure"


@dataclasses.dataclass(frozen=True, kw_only=True)
class AccessUpdate(ShareJob):
    """Enforce the access rules that the rows say."""

    KIND = "access_update"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareManage(ShareJob):
    """Take over a share that is on its back end already; ``driver_options`` are the driver's."""

    KIND = "share_manage"
    driver_options: Any = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareManagePlace(ShareManage):
    """Ask whether the pool takes such shares."""

    KIND = "share_manage_place"

    def placed(self) -> ShareManage:
        """The job for the share's back end."""
        return ShareManage.read(self.payload)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareUnmanage(ShareJob):
    """Let go of a share that stays on its back end."""

    KIND = "share_unmanage"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareTransfer(ShareJob):
    """Tell the back end that a share belongs to another project and user; the old ones get it back if it refuses."""

    KIND = "share_transfer"
    transfer_id: str
    project_id: str
    user_id: str
    old_project_id: str
    old_user_id: str


# ---- snapshots


@dataclasses.dataclass(frozen=True, kw_only=True)
class SnapshotJob(Job):
    """Work on one instance of a snapshot, in turn with the work on its share."""

    share_id: str
    snapshot_id: str
    snapshot_instance_id: str

    @property
    def resource(self) -> str:
        return f"share:{self.share_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SnapshotCreate(SnapshotJob):
    """Take a snapshot."""

    KIND = "snapshot_create"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SnapshotDelete(SnapshotJob):
    """Remove a snapshot; ``force``: even if its back end refuses. ``tried``: how often it has refused so far."""

    KIND = "snapshot_delete"
    force: bool = False
    tried: int = 0

    @property
    def resource(self) -> str:
        """A refused removal is tried again by itself, so that the share is not kept waiting for it."""
        return f"snapshot:{self.snapshot_instance_id}" if self.tried else f"share:{self.share_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SnapshotManage(SnapshotJob):
    """Take over a snapshot that is on its back end already; ``driver_options`` are the driver's."""

    KIND = "snapshot_manage"
    driver_options: Any = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SnapshotUnmanage(SnapshotJob):
    """Let go of a snapshot that stays on its back end."""

    KIND = "snapshot_unmanage"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SnapshotAccess(SnapshotJob):
    """Enforce the access rules of a mountable snapshot."""

    KIND = "snapshot_access"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareRevert(SnapshotJob):
    """Put a share instance back to a snapshot; ``taken``: GiB of quota that were taken for it."""

    KIND = "share_revert"
    instance_id: str
    taken: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicatedSnapshotJob(Job):
    """Work on a snapshot on every replica of its share."""

    share_id: str
    snapshot_id: str

    @property
    def resource(self) -> str:
        return f"share:{self.share_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicatedSnapshotCreate(ReplicatedSnapshotJob):
    """Take a snapshot on every replica."""

    KIND = "replicated_snapshot_create"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicatedSnapshotDelete(ReplicatedSnapshotJob):
    """Remove a snapshot from every replica; ``force``: even if a back end refuses."""

    KIND = "replicated_snapshot_delete"
    force: bool = False


# ---- replicas; ``instance_id`` is the replica's


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicaCreate(ShareJob):
    """Make a replica on the back end that was chosen."""

    KIND = "replica_create"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicaPlace(ReplicaCreate):
    """Choose a pool for a new replica; fields as those of ``SharePlace``. ``active_host``: of the active replica."""

    KIND = "replica_place"
    active_host: str
    project_id: str | None = None
    zones: list[str] | None = None
    several_subnets: dict[str, Any] | None = None
    only_host: str | None = None

    def placed(self) -> ReplicaCreate:
        """The job for the back end that was chosen."""
        return ReplicaCreate.read(self.payload)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicaDelete(ShareJob):
    """Remove a replica; ``force``: even if its back end refuses."""

    KIND = "replica_delete"
    force: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicaPromote(ShareJob):
    """Make a replica the active one; ``quiesce_wait_time``: seconds that the one before may take to become quiet."""

    KIND = "replica_promote"
    quiesce_wait_time: int | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicaUpdate(ShareJob):
    """Ask how a replica is."""

    KIND = "replica_update"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReplicaSnapshotUpdate(SnapshotJob):
    """Ask how a snapshot is on a replica."""

    KIND = "replica_snapshot_update"


# ---- migration of shares


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMove(ShareJob):
    """What a request wants of the migration of a share; ``instance_id`` is the instance that is left.

    ``host``: the pool it goes to, in the zone ``zone_id``. ``force_host``: copied by the data service, whatever the
    driver can do. The other flags are conditions: without them the migration ends in error.
    """

    host: str
    zone_id: str | None = None
    share_type_id: str
    share_network_id: str | None = None
    force_host: bool = False
    preserve_metadata: bool = False
    writable: bool = False
    nondisruptive: bool = False
    preserve_snapshots: bool = False

    def next(self, kind: type[J], **more: Any) -> J:
        """The job of another kind for the same migration."""
        return kind.read(self.payload | more)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigratePlace(ShareMove):
    """Ask whether the pool may take the share."""

    KIND = "share_migrate_place"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrate(ShareMove):
    """Begin on the back end that the share leaves."""

    KIND = "share_migrate"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateServe(ShareMove):
    """Have a share server ready for the instance ``destination_id``, on the back end that the share goes to."""

    KIND = "share_migrate_serve"
    destination_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateStart(ShareMove):
    """Let the driver of the back end that the share leaves begin to move it."""

    KIND = "share_migrate_start"
    destination_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateHost(ShareMove):
    """Begin a migration that the data service does, since the driver can't or shall not."""

    KIND = "share_migrate_host"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateMake(ShareMove):
    """Make the empty share that is copied into. ``source_mount``: how the data service mounts the other one."""

    KIND = "share_migrate_make"
    destination_id: str
    source_mount: Row


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMoving(ShareJob):
    """Work on a migration under way, from ``instance_id`` to ``destination_id``."""

    destination_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateContinue(ShareMoving):
    """Let the driver go on, and note how far it is."""

    KIND = "share_migrate_continue"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateComplete(ShareMoving):
    """The second phase; ``copied``: the data service has moved the data, not the driver."""

    KIND = "share_migrate_complete"
    copied: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateFinish(ShareMoving):
    """Let clients in at the destination, and make it the share."""

    KIND = "share_migrate_finish"
    copied: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMigrateCancel(ShareMoving):
    """Stop, and leave the share where it was."""

    KIND = "share_migrate_cancel"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareCopy(ShareMoving):
    """Copy the data of a share as a client of both instances; beside the work on the share, which it waits for.

    ``source_mount`` and ``destination_mount``: ``mount``, ``unmount`` and ``access_mapping`` of the drivers.
    """

    KIND = "share_copy"
    source_mount: Row
    destination_mount: Row
    ignore: list[str]

    @property
    def resource(self) -> str:
        return f"share_copy:{self.share_id}"


# ---- share backups


@dataclasses.dataclass(frozen=True, kw_only=True)
class BackupJob(Job):
    """Work on a backup by the back end of a share; ``instance_id``: of the share that is read or written."""

    backup_id: str
    share_id: str
    instance_id: str | None

    @property
    def resource(self) -> str:
        return f"share:{self.share_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class BackupCreate(BackupJob):
    """Start a backup; ``options``: what the request tells the back end."""

    KIND = "backup_create"
    options: Row = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True)
class BackupRestore(BackupJob):
    """Start to overwrite a share with a backup."""

    KIND = "backup_restore"


@dataclasses.dataclass(frozen=True, kw_only=True)
class BackupDelete(BackupJob):
    """Remove a backup."""

    KIND = "backup_delete"


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataJob(BackupJob):
    """Work on a backup by the data service, whose rules on the share are the share's own tasks meanwhile.

    ``rules``: ids of the rules that let the data service in. ``copied``: an earlier run has copied everything.
    """

    rules: list[str] = dataclasses.field(default_factory=list)
    copied: bool = False

    @property
    def resource(self) -> str:
        return f"backup:{self.backup_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataBackupCreate(DataJob):
    """Copy a share to the backup export."""

    KIND = "data_backup_create"


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataBackupRestore(DataJob):
    """Copy a backup over a share."""

    KIND = "data_backup_restore"


@dataclasses.dataclass(frozen=True, kw_only=True)
class DataBackupDelete(DataJob):
    """Remove a backup from the backup export."""

    KIND = "data_backup_delete"


# ---- share servers and networks


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerJob(Job):
    """Work on a share server."""

    server_id: str

    @property
    def resource(self) -> str:
        return f"share_server:{self.server_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerDelete(ServerJob):
    """Remove a share server if nothing is on it."""

    KIND = "server_delete"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerUnmanage(ServerJob):
    """Forget a share server; ``force``: even if the driver can't let go of it."""

    KIND = "server_unmanage"
    force: bool = False


# ---- migration of share servers


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMove(ServerJob):
    """What a request wants of the migration of a share server to the back end ``host``, in the zone ``zone_id``."""

    host: str
    zone_id: str | None = None
    share_network_id: str
    writable: bool = False
    nondisruptive: bool = False
    preserve_snapshots: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateCheck(ServerMove):
    """Ask the driver whether it could; a client waits for the answer under ``key``."""

    KIND = "server_migrate_check"
    key: str

    @property
    def resource(self) -> str:
        """A question need not wait for other work."""
        return f"share_server:{self.server_id}:{self.key}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrate(ServerMove):
    """Begin on the back end that the server goes to."""

    KIND = "server_migrate"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateStart(ServerMove):
    """Make the new server ``destination_id`` and let the driver begin; ``reused``: nothing is to be made."""

    KIND = "server_migrate_start"
    destination_id: str
    reused: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMoving(ServerJob):
    """Work on a migration under way, from ``server_id`` to ``destination_id``."""

    destination_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateContinue(ServerMoving):
    """Let the driver go on, and note how far it is."""

    KIND = "server_migrate_continue"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateComplete(ServerMoving):
    """Let the driver cut over, and put everything on the new server."""

    KIND = "server_migrate_complete"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateCancel(ServerMoving):
    """Stop, and leave the server where it was."""

    KIND = "server_migrate_cancel"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerManage(ServerJob):
    """Take over a share server that the back end knows by ``identifier``; ``driver_options`` are the driver's."""

    KIND = "server_manage"
    identifier: str
    driver_options: Row | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkJob(Job):
    """Work on all servers of a share network that one back end has. Either a subnet or a security service changes."""

    share_network_id: str
    host: str
    new_service_id: str | None = None
    current_service_id: str | None = None

    @property
    def resource(self) -> str:
        return f"share_network:{self.share_network_id}:{self.host}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkCheck(NetworkJob):
    """Ask the driver whether it could change the servers; the answer is kept under ``key``."""

    KIND = "network_check"
    key: str
    subnet: Row | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkApply(NetworkJob):
    """Change the servers."""

    KIND = "network_apply"
    subnet_id: str | None = None


# ---- share groups


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupJob(Job):
    """Work on a share group, in turn with the work on its snapshots."""

    group_id: str

    @property
    def resource(self) -> str:
        return f"share_group:{self.group_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupPlace(ShareGroupJob):
    """Choose a pool for a new group of shares of these types. ``zones``: names that are allowed, none for all."""

    KIND = "share_group_place"
    project_id: str | None = None
    type_ids: list[str]
    zones: list[str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupCreate(ShareGroupJob):
    """Make a group, with its shares when it is the copy of a group snapshot."""

    KIND = "share_group_create"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupDelete(ShareGroupJob):
    """Remove an empty group."""

    KIND = "share_group_delete"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupSnapshotJob(ShareGroupJob):
    """Work on a snapshot of a group."""

    group_snapshot_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupSnapshotCreate(ShareGroupSnapshotJob):
    """Take a group snapshot."""

    KIND = "share_group_snapshot_create"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareGroupSnapshotDelete(ShareGroupSnapshotJob):
    """Remove a group snapshot."""

    KIND = "share_group_snapshot_delete"


def kinds() -> dict[str, type[Job]]:
    """Every kind of work by its name."""
    found = [one for one in globals().values() if isinstance(one, type) and issubclass(one, Job)]
    return {one.KIND: one for one in found if "KIND" in vars(one)}
