"""Request bodies of ``quota_class_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel


class QuotaClassSetUpdateV253(BaseModel):
    gigabytes: int | None = None
    replica_gigabytes: int | None = None
    share_groups: int | None = None
    share_networks: int | None = None
    share_replicas: int | None = None
    shares: int | None = None
    snapshot_gigabytes: int | None = None
    snapshots: int | None = None


class QuotaClassSetUpdateV262(BaseModel):
    gigabytes: int | None = None
    per_share_gigabytes: int | None = None
    replica_gigabytes: int | None = None
    share_groups: int | None = None
    share_networks: int | None = None
    share_replicas: int | None = None
    shares: int | None = None
    snapshot_gigabytes: int | None = None
    snapshots: int | None = None


class QuotaClassSetUpdateV27(BaseModel):
    gigabytes: int | None = None
    share_groups: int | None = None
    share_networks: int | None = None
    shares: int | None = None
    snapshot_gigabytes: int | None = None
    snapshots: int | None = None


class QuotaClassSetUpdateV280(BaseModel):
    backup_gigabytes: int | None = None
    backups: int | None = None
    gigabytes: int | None = None
    per_share_gigabytes: int | None = None
    replica_gigabytes: int | None = None
    share_groups: int | None = None
    share_networks: int | None = None
    share_replicas: int | None = None
    shares: int | None = None
    snapshot_gigabytes: int | None = None
    snapshots: int | None = None


class QuotaClassSetUpdateV290(BaseModel):
    backup_gigabytes: int | None = None
    backups: int | None = None
    encryption_keys: int | None = None
    gigabytes: int | None = None
    per_share_gigabytes: int | None = None
    replica_gigabytes: int | None = None
    share_groups: int | None = None
    share_networks: int | None = None
    share_replicas: int | None = None
    shares: int | None = None
    snapshot_gigabytes: int | None = None
    snapshots: int | None = None


class QuotaClassSetUpdateRequestV253(BaseModel):
    quota_class_set: QuotaClassSetUpdateV253


class QuotaClassSetUpdateRequestV262(BaseModel):
    quota_class_set: QuotaClassSetUpdateV262


class QuotaClassSetUpdateRequestV27(BaseModel):
    quota_class_set: QuotaClassSetUpdateV27


class QuotaClassSetUpdateRequestV280(BaseModel):
    quota_class_set: QuotaClassSetUpdateV280


class QuotaClassSetUpdateRequestV290(BaseModel):
    quota_class_set: QuotaClassSetUpdateV290
