"""Request bodies of ``snapshot_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from generated.models.common import ResetStatus


class SnapshotInstanceResetStatus(BaseModel):
    status: ResetStatus


class SnapshotInstanceResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: SnapshotInstanceResetStatus
