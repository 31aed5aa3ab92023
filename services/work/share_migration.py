"""Work on shares that move to another back end, type or network."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from db.connection import Row
from services.work.base import Charged, Job
from services.work.shares import ShareJob

J = TypeVar("J", bound=Job)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShareMove(Charged, ShareJob):
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
