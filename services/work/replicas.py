"""Work on replicas; ``instance_id`` is the replica's."""

from __future__ import annotations

import dataclasses
from typing import Any

from services.work.shares import ShareJob
from services.work.snapshots import SnapshotJob


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
