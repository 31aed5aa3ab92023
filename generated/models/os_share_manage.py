"""Request bodies of ``os_share_manage``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any
from pydantic import BaseModel, Field


class OsShareManage(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    display_description: Annotated[str | None, Field(max_length=255)] = None
    display_name: Annotated[str | None, Field(max_length=255)] = None
    driver_options: dict[str, Any] | None = None
    export_path: Annotated[Any | None, Field(...)]
    name: Annotated[str | None, Field(max_length=255)] = None
    protocol: str
    service_host: str
    share_type: str | None = None


class OsShareManageRequest(BaseModel):
    share: OsShareManage
