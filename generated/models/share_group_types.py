"""Request bodies of ``share_group_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, ConfigDict, Field


class ShareGroupTypeAddProjectAccess(BaseModel):
    project: str


class ShareGroupTypeAddProjectAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    addProjectAccess: ShareGroupTypeAddProjectAccess


class ShareGroupTypeCreate(BaseModel):
    group_specs: dict[str, str] | None = None
    is_public: bool | None = None
    name: Annotated[str, Field(max_length=255, min_length=1)]
    share_types: list[str]


class ShareGroupTypeCreateRequest(BaseModel):
    share_group_type: ShareGroupTypeCreate


class ShareGroupTypeRemoveProjectAccess(BaseModel):
    project: str


class ShareGroupTypeRemoveProjectAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    removeProjectAccess: ShareGroupTypeRemoveProjectAccess
