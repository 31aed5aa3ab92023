"""Request bodies of ``share_group_snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any
from pydantic import BaseModel, ConfigDict, Field

from generated.models.common import ResetStatus


class ShareGroupSnapshotCreate(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_group_id: str


class ShareGroupSnapshotCreateRequest(BaseModel):
    share_group_snapshot: ShareGroupSnapshotCreate


class ShareGroupSnapshotResetStatus(BaseModel):
    status: ResetStatus


class ShareGroupSnapshotResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareGroupSnapshotResetStatus


class ShareGroupSnapshotUpdate(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None


class ShareGroupSnapshotUpdateRequest(BaseModel):
    share_group_snapshot: ShareGroupSnapshotUpdate


class ShareGroupSnapshotsForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force_delete: Annotated[Any | None, Field(...)]
