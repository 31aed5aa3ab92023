"""Request bodies of ``share_group_type_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel

from generated.models.common import SpecValue


class ShareGroupTypeSpecsCreateRequest(BaseModel):
    group_specs: dict[str, bool | SpecValue]
