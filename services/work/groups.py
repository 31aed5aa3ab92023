"""Work on share groups and their snapshots."""

from __future__ import annotations

import dataclasses

from services.work.base import Job


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
