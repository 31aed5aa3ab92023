"""Request bodies of ``share_servers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from pydantic import BaseModel, ConfigDict, Field, RootModel

from generated.models.common import BooleanString


class ServerTaskState(
    RootModel[
        Literal[
            "migration_starting",
            "migration_in_progress",
            "migration_completing",
            "migration_success",
            "migration_error",
            "migration_cancel_in_progress",
            "migration_cancelled",
            "migration_driver_in_progress",
            "migration_driver_phase1_done",
        ]
    ]
):
    root: Literal[
        "migration_starting",
        "migration_in_progress",
        "migration_completing",
        "migration_success",
        "migration_error",
        "migration_cancel_in_progress",
        "migration_cancelled",
        "migration_driver_in_progress",
        "migration_driver_phase1_done",
    ]


class ShareServerManageV249(BaseModel):
    driver_options: dict[str, Any] | None = None
    host: str
    identifier: str
    share_network_id: str


class ShareServerManageV251(BaseModel):
    driver_options: dict[str, Any] | None = None
    host: str
    identifier: str
    share_network_id: str
    share_network_subnet_id: str | None = None


class ShareServerMigrationCheckParams(BaseModel):
    host: str
    new_share_network_id: Annotated[str | None, Field(...)]
    nondisruptive: bool | BooleanString
    preserve_snapshots: bool | BooleanString
    writable: bool | BooleanString


class ShareServerMigrationCheckParamsRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_check: ShareServerMigrationCheckParams


class ShareServerMigrationStart(BaseModel):
    host: str
    new_share_network_id: str | None = None
    nondisruptive: bool | BooleanString
    preserve_snapshots: bool | BooleanString
    writable: bool | BooleanString


class ShareServerMigrationStartRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_start: ShareServerMigrationStart


class ShareServerResetTaskState(BaseModel):
    task_state: Annotated[ServerTaskState | None, Field(...)]


class ShareServerResetTaskStateRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_task_state: ShareServerResetTaskState


class ShareServerStatus(
    RootModel[
        Literal[
            "active",
            "error",
            "deleting",
            "creating",
            "manage_starting",
            "unmanage_starting",
            "unmanage_error",
            "manage_error",
            "inactive",
            "server_migrating",
            "server_migrating_to",
            "network_change",
        ]
    ]
):
    root: Literal[
        "active",
        "error",
        "deleting",
        "creating",
        "manage_starting",
        "unmanage_starting",
        "unmanage_error",
        "manage_error",
        "inactive",
        "server_migrating",
        "server_migrating_to",
        "network_change",
    ]


class ShareServerUnmanage(BaseModel):
    force: bool | None = None


class ShareServerUnmanageRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    unmanage: Annotated[ShareServerUnmanage | None, Field(...)]


class ShareServersMigrationCancelRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_cancel: Annotated[Any | None, Field(...)]


class ShareServersMigrationCompleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_complete: Annotated[Any | None, Field(...)]


class ShareServersMigrationGetProgressRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_get_progress: Annotated[Any | None, Field(...)]


class ShareServerManageRequestV249(BaseModel):
    share_server: ShareServerManageV249


class ShareServerManageRequestV251(BaseModel):
    share_server: ShareServerManageV251


class ShareServerResetStatus(BaseModel):
    status: ShareServerStatus


class ShareServerResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareServerResetStatus
