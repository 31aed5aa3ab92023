"""Request bodies of ``resource_locks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Literal
from pydantic import BaseModel, ConfigDict, Field


class ResourceLockCreate(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    lock_reason: Annotated[str | None, Field(max_length=1023)] = None
    resource_action: Literal["delete", "show"] | None = "delete"
    resource_id: str
    resource_type: Literal["share", "access_rule"] | None = "share"


class ResourceLockCreateRequest(BaseModel):
    resource_lock: ResourceLockCreate


class ResourceLockUpdate(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    lock_reason: Annotated[str | None, Field(max_length=1023)] = None
    resource_action: Literal["delete", "show"] | None = None


class ResourceLockUpdateRequest(BaseModel):
    resource_lock: ResourceLockUpdate
