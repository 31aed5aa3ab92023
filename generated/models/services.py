"""Request bodies of ``services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, ConfigDict, Field


class ServiceEnsureShares(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    host: str


class ServiceEnsureSharesRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    ensure_shares: ServiceEnsureShares


class ServiceToggleV283(BaseModel):
    binary: str
    disabled_reason: Annotated[str | None, Field(max_length=255)] = None
    host: str
