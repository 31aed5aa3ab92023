"""Request bodies of ``os_quota_class_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel


class QuotaClassSetUpdate(BaseModel):
    gigabytes: int | None = None
    share_groups: int | None = None
    share_networks: int | None = None
    shares: int | None = None
    snapshot_gigabytes: int | None = None
    snapshots: int | None = None


class QuotaClassSetUpdateRequest(BaseModel):
    quota_class_set: QuotaClassSetUpdate
