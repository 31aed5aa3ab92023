"""Request bodies of ``share_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any
from pydantic import BaseModel, ConfigDict, Field

from generated.models.common import ResetStatus


class ShareInstanceOsResetStatus(BaseModel):
    status: ResetStatus


class ShareInstanceOsResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_reset_status: Annotated[ShareInstanceOsResetStatus, Field(alias="os-reset_status")]


class ShareInstanceResetStatus(BaseModel):
    status: ResetStatus


class ShareInstanceResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareInstanceResetStatus


class ShareInstancesForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force_delete: Annotated[Any | None, Field(...)]


class ShareInstancesOsForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_force_delete: Annotated[Any | None, Field(alias="os-force_delete")]
