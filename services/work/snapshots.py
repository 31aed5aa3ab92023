"""Work on snapshots."""

from __future__ import annotations

import dataclasses
from typing import Any

from services.work.base import Charged, Job


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
class SnapshotEnsure(SnapshotJob):
    """Make a snapshot be there again that is not as its row says."""

    KIND = "snapshot_ensure"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareRevert(Charged, SnapshotJob):
    """Put a share instance back to a snapshot."""

    KIND = "share_revert"
    instance_id: str


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
