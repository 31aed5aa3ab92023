"""Work on backups of shares."""

from __future__ import annotations

import dataclasses

from db.connection import Row
from services.work.base import Job


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
