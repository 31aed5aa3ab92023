"""Request bodies of ``share_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, ConfigDict, Field

from generated.models.common import BooleanString, SpecValue


class ShareTypeAddProjectAccess(BaseModel):
    project: str


class ShareTypeAddProjectAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    addProjectAccess: ShareTypeAddProjectAccess


class ShareTypeRemoveProjectAccess(BaseModel):
    project: str


class ShareTypeRemoveProjectAccessRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    removeProjectAccess: ShareTypeRemoveProjectAccess


class ShareTypeUpdate(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None
    share_type_access_is_public: Annotated[bool | BooleanString | None, Field(alias="share_type_access:is_public")] = (
        None
    )


class ShareTypeUpdateRequest(BaseModel):
    share_type: ShareTypeUpdate | None = None
    volume_type: ShareTypeUpdate | None = None


class ShareTypeCreateV20(BaseModel):
    extra_specs: dict[str, bool | SpecValue]
    name: Annotated[str, Field(max_length=255, min_length=1)]
    os_share_type_access_is_public: Annotated[bool | None, Field(alias="os-share-type-access:is_public")] = None
    share_type_access_is_public: Annotated[bool | None, Field(alias="share_type_access:is_public")] = None


class ShareTypeCreateV241(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    extra_specs: dict[str, bool | SpecValue]
    name: Annotated[str, Field(max_length=255, min_length=1)]
    os_share_type_access_is_public: Annotated[bool | None, Field(alias="os-share-type-access:is_public")] = None
    share_type_access_is_public: Annotated[bool | None, Field(alias="share_type_access:is_public")] = None


class ShareTypeCreateRequestV20(BaseModel):
    share_type: ShareTypeCreateV20 | None = None
    volume_type: ShareTypeCreateV20 | None = None


class ShareTypeCreateRequestV241(BaseModel):
    share_type: ShareTypeCreateV241 | None = None
    volume_type: ShareTypeCreateV241 | None = None
