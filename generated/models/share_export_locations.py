"""Request bodies of ``share_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, ConfigDict, Field


class ShareExportLocationMetadataCreateRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    metadata: Annotated[dict[str, str] | None, Field(...)]


class ShareExportLocationMetadataUpdateAllRequest(BaseModel):
    metadata: Annotated[dict[str, str] | None, Field(...)]


class ShareExportLocationMetadataUpdateItemRequest(BaseModel):
    metadata: Annotated[dict[str, str] | None, Field(...)]
