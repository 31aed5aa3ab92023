"""Request bodies of ``share_type_extra_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel

from generated.models.common import SpecValue


class ShareTypeExtraSpecsCreateRequest(BaseModel):
    extra_specs: dict[str, bool | SpecValue]
