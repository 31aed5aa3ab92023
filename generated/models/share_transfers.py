"""Request bodies of ``share_transfers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated
from pydantic import BaseModel, Field

from generated.models.common import BooleanString


class TransferAccept(BaseModel):
    auth_key: str
    clear_access_rules: bool | BooleanString | None = None


class TransferAcceptRequest(BaseModel):
    accept: TransferAccept


class TransferCreate(BaseModel):
    name: Annotated[str | None, Field(max_length=255)] = None
    share_id: str


class TransferCreateRequest(BaseModel):
    transfer: TransferCreate
