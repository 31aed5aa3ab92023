"""Request bodies of ``share_groups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any
from pydantic import BaseModel, ConfigDict, Field

from generated.models.common import ResetStatus


class ShareGroupCreate(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_group_type_id: str | None = None
    share_network_id: str | None = None
    share_types: list[str] | None = None
    source_share_group_snapshot_id: str | None = None


class ShareGroupCreateRequest(BaseModel):
    share_group: ShareGroupCreate


class ShareGroupResetStatus(BaseModel):
    status: ResetStatus


class ShareGroupResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareGroupResetStatus


class ShareGroupUpdate(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None


class ShareGroupUpdateRequest(BaseModel):
    share_group: ShareGroupUpdate


class ShareGroupsForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force_delete: Annotated[Any | None, Field(...)]
