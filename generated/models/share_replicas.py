"""Request bodies of ``share_replicas``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from pydantic import BaseModel, ConfigDict, Field, RootModel

from generated.models.common import IntegerString, ResetStatus


class ReplicaSchedulerHints(BaseModel):
    only_host: str | None = None


class ReplicaState(RootModel[Literal["active", "in_sync", "out_of_sync", "error"]]):
    root: Literal["active", "in_sync", "out_of_sync", "error"]


class ShareReplicaCreateV211(BaseModel):
    availability_zone: str | None = None
    share_id: str


class ShareReplicaCreateV267(BaseModel):
    availability_zone: str | None = None
    scheduler_hints: ReplicaSchedulerHints | None = None
    share_id: str


class ShareReplicaCreateV272(BaseModel):
    availability_zone: str | None = None
    scheduler_hints: ReplicaSchedulerHints | None = None
    share_id: str
    share_network_id: str | None = None


class ShareReplicaCreateV295(BaseModel):
    availability_zone: str | None = None
    metadata: dict[str, str] | None = None
    scheduler_hints: ReplicaSchedulerHints | None = None
    share_id: str
    share_network_id: str | None = None


class ShareReplicaPromoteV211(BaseModel):
    pass


class ShareReplicaPromoteV275(BaseModel):
    quiesce_wait_time: int | IntegerString | None = None


class ShareReplicaResetReplicaState(BaseModel):
    replica_state: ReplicaState


class ShareReplicaResetReplicaStateRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_replica_state: ShareReplicaResetReplicaState


class ShareReplicaResetStatus(BaseModel):
    status: ResetStatus


class ShareReplicaResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareReplicaResetStatus


class ShareReplicasForceDeleteRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force_delete: Annotated[Any | None, Field(...)]


class ShareReplicasResyncRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    resync: Annotated[Any | None, Field(...)]


class ShareReplicaCreateRequestV211(BaseModel):
    share_replica: ShareReplicaCreateV211


class ShareReplicaCreateRequestV267(BaseModel):
    share_replica: ShareReplicaCreateV267


class ShareReplicaCreateRequestV272(BaseModel):
    share_replica: ShareReplicaCreateV272


class ShareReplicaCreateRequestV295(BaseModel):
    share_replica: ShareReplicaCreateV295


class ShareReplicaPromoteRequestV211(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    promote: Annotated[ShareReplicaPromoteV211 | None, Field(...)]


class ShareReplicaPromoteRequestV275(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    promote: Annotated[ShareReplicaPromoteV275 | None, Field(...)]
