"""Request bodies of ``qos_type_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel

from generated.models.common import SpecValue


class QosTypeSpecsCreateRequest(BaseModel):
    specs: dict[str, bool | SpecValue]
