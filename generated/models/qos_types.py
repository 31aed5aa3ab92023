"""Request bodies of ``qos_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, Field

from generated.models.common import SpecValue


class QosTypeUpdate(BaseModel):
    description: str | None = None


class QosTypeUpdateRequest(BaseModel):
    qos_type: QosTypeUpdate


class QosTypeCreate(BaseModel):
    description: str | None = None
    name: Annotated[str, Field(max_length=255, min_length=1)]
    specs: dict[str, bool | SpecValue] | None = None


class QosTypeCreateRequest(BaseModel):
    qos_type: QosTypeCreate
