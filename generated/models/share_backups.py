"""Request bodies of ``share_backups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any
from pydantic import BaseModel, ConfigDict, Field

from generated.models.common import ResetStatus


class ShareBackupCreate(BaseModel):
    backup_options: dict[str, Any] | None = None
    description: str | None = None
    name: str | None = None
    share_id: str


class ShareBackupCreateRequest(BaseModel):
    share_backup: ShareBackupCreate


class ShareBackupResetStatus(BaseModel):
    status: ResetStatus


class ShareBackupResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareBackupResetStatus


class ShareBackupUpdate(BaseModel):
    description: str | None = None
    name: str | None = None


class ShareBackupUpdateRequest(BaseModel):
    share_backup: ShareBackupUpdate


class ShareBackupsRestoreRequestV280(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    restore: Annotated[Any | None, Field(...)]


class ShareBackupsRestoreRequestV291(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    restore: Annotated[str | None, Field(...)]
