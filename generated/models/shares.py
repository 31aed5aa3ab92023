"""Request bodies of ``shares``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from pydantic import BaseModel, ConfigDict, Field, RootModel

from generated.models.common import AccessLevel, AccessTypeBase, BooleanString, IntegerString


class AccessTypeCephx(RootModel[Literal["ip", "user", "cert", "cephx"]]):
    root: Literal["ip", "user", "cert", "cephx"]


class NonNegativeInteger(RootModel[int]):
    root: Annotated[int, Field(ge=0, le=2147483647)]


class NonNegativeIntegerString(RootModel[str]):
    root: Annotated[str, Field(min_length=1, pattern="^[0-9]*$")]


class ShareAccessListRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    access_list: Annotated[Any | None, Field(...)]


class ShareAllowAccessV213(BaseModel):
    access_level: AccessLevel | None = None
    access_to: str
    access_type: AccessTypeCephx


class ShareAllowAccessV245(BaseModel):
    access_level: AccessLevel | None = None
    access_to: str
    access_type: AccessTypeCephx
    metadata: dict[str, str] | None = None


class ShareAllowAccessV27(BaseModel):
    access_level: AccessLevel | None = None
    access_to: str
    access_type: AccessTypeBase


class ShareAllowAccessV282(BaseModel):
    access_level: AccessLevel | None = None
    access_to: str
    access_type: AccessTypeCephx
    lock_deletion: bool | BooleanString | None = None
    lock_reason: Annotated[str | None, Field(max_length=1023)] = None
    lock_visibility: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None


class ShareCreateV20(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    is_public: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_network_id: str | None = None
    share_proto: str
    share_type: str | None = None
    size: int | IntegerString
    snapshot_id: str | None = None
    volume_type: str | None = None


class ShareCreateV231(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    is_public: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_group_id: str | None = None
    share_network_id: str | None = None
    share_proto: str
    share_type: str | None = None
    size: int | IntegerString
    snapshot_id: str | None = None
    volume_type: str | None = None


class ShareDenyAccess(BaseModel):
    access_id: str
    unrestrict: bool | BooleanString | None = None


class ShareDenyAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    deny_access: ShareDenyAccess


class ShareExtendV264(BaseModel):
    force: bool | BooleanString | None = None
    new_size: NonNegativeInteger | NonNegativeIntegerString


class ShareExtendV27(BaseModel):
    new_size: NonNegativeInteger | NonNegativeIntegerString


class ShareForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force_delete: Annotated[Any | None, Field(...)]


class ShareManageV249(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    export_path: Annotated[Any | None, Field(...)]
    is_public: bool | BooleanString | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    protocol: str
    service_host: str
    share_server_id: str | None = None
    share_type: str | None = None


class ShareManageV27(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    export_path: Annotated[Any | None, Field(...)]
    name: Annotated[str | None, Field(max_length=255)] = None
    protocol: str
    service_host: str
    share_type: str | None = None


class ShareManageV28(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    export_path: Annotated[Any | None, Field(...)]
    is_public: bool | BooleanString | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    protocol: str
    service_host: str
    share_type: str | None = None


class ShareManageV292(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    export_path: Annotated[Any | None, Field(...)]
    is_public: bool | BooleanString | None = None
    mount_point_name: str | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    protocol: str
    service_host: str
    share_server_id: str | None = None
    share_type: str | None = None


class ShareMetadataItemUpdate(BaseModel):
    meta: dict[str, str]
    metadata: dict[str, str]


class ShareMigrationCancelRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_cancel: Annotated[Any | None, Field(...)]


class ShareMigrationCompleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_complete: Annotated[Any | None, Field(...)]


class ShareMigrationGetProgressRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_get_progress: Annotated[Any | None, Field(...)]


class ShareMigrationStart(BaseModel):
    force_host_assisted_migration: bool | BooleanString | None = None
    host: str
    new_share_network_id: str | None = None
    new_share_type_id: str | None = None
    nondisruptive: bool | BooleanString
    preserve_metadata: bool | BooleanString
    preserve_snapshots: bool | BooleanString
    writable: bool | BooleanString


class ShareMigrationStartRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    migration_start: ShareMigrationStart


class ShareOsAccessListRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_access_list: Annotated[Any | None, Field(alias="os-access_list")]


class ShareOsAllowAccess(BaseModel):
    access_level: AccessLevel | None = None
    access_to: str
    access_type: AccessTypeBase


class ShareOsAllowAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_allow_access: Annotated[ShareOsAllowAccess, Field(alias="os-allow_access")]


class ShareOsDenyAccess(BaseModel):
    access_id: str


class ShareOsDenyAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_deny_access: Annotated[ShareOsDenyAccess, Field(alias="os-deny_access")]


class ShareOsExtend(BaseModel):
    new_size: NonNegativeInteger | NonNegativeIntegerString


class ShareOsExtendRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_extend: Annotated[ShareOsExtend, Field(alias="os-extend")]


class ShareOsForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_force_delete: Annotated[Any | None, Field(alias="os-force_delete")]


class ShareOsResetStatus(BaseModel):
    os_status: Annotated[
        Literal[
            "creating",
            "creating_from_snapshot",
            "deleting",
            "deferred_deleting",
            "deleted",
            "error",
            "error_deleting",
            "error_deferred_deleting",
            "available",
            "manage_starting",
            "manage_error",
            "unmanage_starting",
            "manage_error_unmanage_starting",
            "unmanage_error",
            "unmanaged",
            "extending",
            "extending_error",
            "shrinking",
            "shrinking_error",
            "migrating",
            "migrating_to",
            "shrinking_possible_data_loss_error",
            "replication_change",
            "restoring",
            "reverting",
            "reverting_error",
            "awaiting_transfer",
            "backup_creating",
            "backup_restoring",
            "backup_restoring_error",
            "ensuring",
            "server_migrating",
            "server_migrating_to",
            "reverting_to_snapshot",
        ]
        | None,
        Field(alias="os-status"),
    ] = None
    status: (
        Literal[
            "creating",
            "creating_from_snapshot",
            "deleting",
            "deferred_deleting",
            "deleted",
            "error",
            "error_deleting",
            "error_deferred_deleting",
            "available",
            "manage_starting",
            "manage_error",
            "unmanage_starting",
            "manage_error_unmanage_starting",
            "unmanage_error",
            "unmanaged",
            "extending",
            "extending_error",
            "shrinking",
            "shrinking_error",
            "migrating",
            "migrating_to",
            "shrinking_possible_data_loss_error",
            "replication_change",
            "restoring",
            "reverting",
            "reverting_error",
            "awaiting_transfer",
            "backup_creating",
            "backup_restoring",
            "backup_restoring_error",
            "ensuring",
            "server_migrating",
            "server_migrating_to",
            "reverting_to_snapshot",
        ]
        | None
    ) = None


class ShareOsResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_reset_status: Annotated[ShareOsResetStatus, Field(alias="os-reset_status")]


class ShareOsShrink(BaseModel):
    new_size: NonNegativeInteger | NonNegativeIntegerString


class ShareOsShrinkRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    os_shrink: Annotated[ShareOsShrink, Field(alias="os-shrink")]


class ShareResetStatus(BaseModel):
    os_status: Annotated[
        Literal[
            "creating",
            "creating_from_snapshot",
            "deleting",
            "deferred_deleting",
            "deleted",
            "error",
            "error_deleting",
            "error_deferred_deleting",
            "available",
            "manage_starting",
            "manage_error",
            "unmanage_starting",
            "manage_error_unmanage_starting",
            "unmanage_error",
            "unmanaged",
            "extending",
            "extending_error",
            "shrinking",
            "shrinking_error",
            "migrating",
            "migrating_to",
            "shrinking_possible_data_loss_error",
            "replication_change",
            "restoring",
            "reverting",
            "reverting_error",
            "awaiting_transfer",
            "backup_creating",
            "backup_restoring",
            "backup_restoring_error",
            "ensuring",
            "server_migrating",
            "server_migrating_to",
            "reverting_to_snapshot",
        ]
        | None,
        Field(alias="os-status"),
    ] = None
    status: (
        Literal[
            "creating",
            "creating_from_snapshot",
            "deleting",
            "deferred_deleting",
            "deleted",
            "error",
            "error_deleting",
            "error_deferred_deleting",
            "available",
            "manage_starting",
            "manage_error",
            "unmanage_starting",
            "manage_error_unmanage_starting",
            "unmanage_error",
            "unmanaged",
            "extending",
            "extending_error",
            "shrinking",
            "shrinking_error",
            "migrating",
            "migrating_to",
            "shrinking_possible_data_loss_error",
            "replication_change",
            "restoring",
            "reverting",
            "reverting_error",
            "awaiting_transfer",
            "backup_creating",
            "backup_restoring",
            "backup_restoring_error",
            "ensuring",
            "server_migrating",
            "server_migrating_to",
            "reverting_to_snapshot",
        ]
        | None
    ) = None


class ShareResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareResetStatus


class ShareResetTaskState(BaseModel):
    os_task_state: Annotated[
        Literal[
            "migration_starting",
            "migration_in_progress",
            "migration_completing",
            "migration_success",
            "migration_error",
            "migration_cancelled",
            "migration_driver_in_progress",
            "migration_driver_phase1_done",
            "data_copying_starting",
            "data_copying_in_progress",
            "data_copying_completing",
            "data_copying_completed",
            "data_copying_cancelled",
            "data_copying_error",
        ]
        | None,
        Field(alias="os-task_state"),
    ] = None
    task_state: (
        Literal[
            "migration_starting",
            "migration_in_progress",
            "migration_completing",
            "migration_success",
            "migration_error",
            "migration_cancelled",
            "migration_driver_in_progress",
            "migration_driver_phase1_done",
            "data_copying_starting",
            "data_copying_in_progress",
            "data_copying_completing",
            "data_copying_completed",
            "data_copying_cancelled",
            "data_copying_error",
        ]
        | None
    ) = None


class ShareResetTaskStateRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_task_state: ShareResetTaskState


class ShareRestoreRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    restore: Annotated[Any | None, Field(...)]


class ShareRevert(BaseModel):
    snapshot_id: str


class ShareRevertRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    revert: ShareRevert


class ShareSchedulerHintsV20(BaseModel):
    different_host: str | None = None
    same_host: str | None = None


class ShareSchedulerHintsV267(BaseModel):
    different_host: str | None = None
    only_host: str | None = None
    same_host: str | None = None


class ShareShrink(BaseModel):
    new_size: NonNegativeInteger | NonNegativeIntegerString


class ShareShrinkRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    shrink: ShareShrink


class ShareSoftDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    soft_delete: Annotated[Any | None, Field(...)]


class ShareUnmanageRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    unmanage: Annotated[Any | None, Field(...)]


class ShareUpdate(BaseModel):
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    is_public: bool | BooleanString | None = None


class ShareUpdateRequest(BaseModel):
    share: ShareUpdate


class ShareAllowAccessRequestV213(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    allow_access: ShareAllowAccessV213


class ShareAllowAccessRequestV245(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    allow_access: ShareAllowAccessV245


class ShareAllowAccessRequestV27(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    allow_access: ShareAllowAccessV27


class ShareAllowAccessRequestV282(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    allow_access: ShareAllowAccessV282


class ShareCreateRequestV20(BaseModel):
    share: ShareCreateV20


class ShareCreateRequestV231(BaseModel):
    share: ShareCreateV231


class ShareCreateV265(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    is_public: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    scheduler_hints: ShareSchedulerHintsV20 | None = None
    share_group_id: str | None = None
    share_network_id: str | None = None
    share_proto: str
    share_type: str | None = None
    size: int | IntegerString
    snapshot_id: str | None = None
    volume_type: str | None = None


class ShareCreateV267(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    is_public: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    scheduler_hints: ShareSchedulerHintsV267 | None = None
    share_group_id: str | None = None
    share_network_id: str | None = None
    share_proto: str
    share_type: str | None = None
    size: int | IntegerString
    snapshot_id: str | None = None
    volume_type: str | None = None


class ShareCreateV284(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    is_public: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    mount_point_name: str | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    scheduler_hints: ShareSchedulerHintsV267 | None = None
    share_group_id: str | None = None
    share_network_id: str | None = None
    share_proto: str
    share_type: str | None = None
    size: int | IntegerString
    snapshot_id: str | None = None
    volume_type: str | None = None


class ShareCreateV290(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    encryption_key_ref: str | None = None
    is_public: bool | BooleanString | None = None
    metadata: dict[str, str] | None = None
    mount_point_name: str | None = None
    name: Annotated[str | None, Field(max_length=255)] = None
    scheduler_hints: ShareSchedulerHintsV267 | None = None
    share_group_id: str | None = None
    share_network_id: str | None = None
    share_proto: str
    share_type: str | None = None
    size: int | IntegerString
    snapshot_id: str | None = None
    volume_type: str | None = None


class ShareExtendRequestV264(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    extend: ShareExtendV264


class ShareExtendRequestV27(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    extend: ShareExtendV27


class ShareManageRequestV249(BaseModel):
    share: ShareManageV249


class ShareManageRequestV27(BaseModel):
    share: ShareManageV27


class ShareManageRequestV28(BaseModel):
    share: ShareManageV28


class ShareManageRequestV292(BaseModel):
    share: ShareManageV292


class ShareCreateRequestV265(BaseModel):
    share: ShareCreateV265


class ShareCreateRequestV267(BaseModel):
    share: ShareCreateV267


class ShareCreateRequestV284(BaseModel):
    share: ShareCreateV284


class ShareCreateRequestV290(BaseModel):
    share: ShareCreateV290
