"""Work on shares."""

from __future__ import annotations

import dataclasses
from typing import Any

from db import tasks
from db.connection import Conn
from services.work.base import Charged, Job


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareJob(Job):
    """Work on one instance of a share."""

    share_id: str
    instance_id: str

    @property
    def resource(self) -> str:
        return f"share:{self.share_id}"


async def hasten(conn: Conn, job: ShareJob, *, request_id: str | None = None) -> bool:
    """Run the waiting job of the same kind and share instance now, with the fields of ``job``; whether one waited.

    Args:
        request_id: of the request that asks for it again.
    """
    same = {"instance_id": job.instance_id}
    return await tasks.hasten(conn, job.KIND, job.resource, same, job.payload, request_id)


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
class ShareExtend(Charged, ShareJob):
    """Grow a share to ``size`` GiB, by ``increase`` GiB. ``begun``: the driver may have done it already."""

    KIND = "share_extend"
    size: int
    increase: int
    begun: bool = False


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
    """Remove a share instance; ``force``: even if its back end refuses.

    ``counted``: what it alone counts is given back; a migration has done that for the instance that it leaves behind.
    """

    KIND = "share_delete"
    force: bool = False
    counted: bool = True


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
