"""Request bodies of ``quota_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from generated.models.common import BooleanString, IntegerString


class QuotaSetUpdateV240(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force: bool | BooleanString | None = None
    gigabytes: int | IntegerString | None = None
    id: str | None = None
    share_group_snapshots: int | IntegerString | None = None
    share_groups: int | IntegerString | None = None
    share_networks: int | IntegerString | None = None
    share_type: str | None = None
    shares: int | IntegerString | None = None
    snapshot_gigabytes: int | IntegerString | None = None
    snapshots: int | IntegerString | None = None
    tenant_id: str | None = None


class QuotaSetUpdateV253(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force: bool | BooleanString | None = None
    gigabytes: int | IntegerString | None = None
    id: str | None = None
    replica_gigabytes: int | IntegerString | None = None
    share_group_snapshots: int | IntegerString | None = None
    share_groups: int | IntegerString | None = None
    share_networks: int | IntegerString | None = None
    share_replicas: int | IntegerString | None = None
    share_type: str | None = None
    shares: int | IntegerString | None = None
    snapshot_gigabytes: int | IntegerString | None = None
    snapshots: int | IntegerString | None = None
    tenant_id: str | None = None


class QuotaSetUpdateV262(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force: bool | BooleanString | None = None
    gigabytes: int | IntegerString | None = None
    id: str | None = None
    per_share_gigabytes: int | IntegerString | None = None
    replica_gigabytes: int | IntegerString | None = None
    share_group_snapshots: int | IntegerString | None = None
    share_groups: int | IntegerString | None = None
    share_networks: int | IntegerString | None = None
    share_replicas: int | IntegerString | None = None
    share_type: str | None = None
    shares: int | IntegerString | None = None
    snapshot_gigabytes: int | IntegerString | None = None
    snapshots: int | IntegerString | None = None
    tenant_id: str | None = None


class QuotaSetUpdateV280(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    backup_gigabytes: int | IntegerString | None = None
    backups: int | IntegerString | None = None
    force: bool | BooleanString | None = None
    gigabytes: int | IntegerString | None = None
    id: str | None = None
    per_share_gigabytes: int | IntegerString | None = None
    replica_gigabytes: int | IntegerString | None = None
    share_group_snapshots: int | IntegerString | None = None
    share_groups: int | IntegerString | None = None
    share_networks: int | IntegerString | None = None
    share_replicas: int | IntegerString | None = None
    share_type: str | None = None
    shares: int | IntegerString | None = None
    snapshot_gigabytes: int | IntegerString | None = None
    snapshots: int | IntegerString | None = None
    tenant_id: str | None = None


class QuotaSetUpdateV290(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    backup_gigabytes: int | IntegerString | None = None
    backups: int | IntegerString | None = None
    encryption_keys: int | IntegerString | None = None
    force: bool | BooleanString | None = None
    gigabytes: int | IntegerString | None = None
    id: str | None = None
    per_share_gigabytes: int | IntegerString | None = None
    replica_gigabytes: int | IntegerString | None = None
    share_group_snapshots: int | IntegerString | None = None
    share_groups: int | IntegerString | None = None
    share_networks: int | IntegerString | None = None
    share_replicas: int | IntegerString | None = None
    share_type: str | None = None
    shares: int | IntegerString | None = None
    snapshot_gigabytes: int | IntegerString | None = None
    snapshots: int | IntegerString | None = None
    tenant_id: str | None = None


class QuotaSetUpdateRequestV240(BaseModel):
    quota_set: QuotaSetUpdateV240


class QuotaSetUpdateRequestV253(BaseModel):
    quota_set: QuotaSetUpdateV253


class QuotaSetUpdateRequestV262(BaseModel):
    quota_set: QuotaSetUpdateV262


class QuotaSetUpdateRequestV280(BaseModel):
    quota_set: QuotaSetUpdateV280


class QuotaSetUpdateRequestV290(BaseModel):
    quota_set: QuotaSetUpdateV290
