"""Request bodies of ``snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from pydantic import BaseModel, ConfigDict, Field, RootModel

from generated.models.common import AccessTypeBase, BooleanString


class SnapshotAllowAccess(BaseModel):
    access_to: str
    access_type: AccessTypeBase


class SnapshotAllowAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    allow_access: SnapshotAllowAccess


class SnapshotCreateV20(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    force: bool | BooleanString | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_id: str


class SnapshotCreateV273(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    force: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_id: str


class SnapshotDenyAccess(BaseModel):
    access_id: str


class SnapshotDenyAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    deny_access: SnapshotDenyAccess


class SnapshotForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force_delete: Annotated[Any | None, Field(...)]


class SnapshotManageV212(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    provider_location: str
    share_id: str


class SnapshotManageV273(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    metadata: dict[str, str] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    provider_location: str
    share_id: str


class SnapshotOsForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_force_delete: Annotated[Any | None, Field(alias="os-force_delete")]


class SnapshotStatus(
    RootModel[
        Literal[
            "available",
            "error",
            "error_deleting",
            "deleting",
            "creating",
            "manage_starting",
            "unmanage_starting",
            "unmanage_error",
            "manage_error",
            "migrating",
            "migrating_to",
            "restoring",
        ]
    ]
):
    root: Literal[
        "available",
        "error",
        "error_deleting",
        "deleting",
        "creating",
        "manage_starting",
        "unmanage_starting",
        "unmanage_error",
        "manage_error",
        "migrating",
        "migrating_to",
        "restoring",
    ]


class SnapshotUnmanageRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    unmanage: Annotated[Any | None, Field(...)]


class SnapshotUpdate(BaseModel):
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None


class SnapshotUpdateRequest(BaseModel):
    snapshot: SnapshotUpdate


class SnapshotCreateRequestV20(BaseModel):
    snapshot: SnapshotCreateV20


class SnapshotCreateRequestV273(BaseModel):
    snapshot: SnapshotCreateV273


class SnapshotManageRequestV212(BaseModel):
    snapshot: SnapshotManageV212


class SnapshotManageRequestV273(BaseModel):
    snapshot: SnapshotManageV273


class SnapshotOsResetStatus(BaseModel):
    status: SnapshotStatus


class SnapshotOsResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_reset_status: Annotated[SnapshotOsResetStatus, Field(alias="os-reset_status")]


class SnapshotResetStatus(BaseModel):
    status: SnapshotStatus


class SnapshotResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: SnapshotResetStatus
