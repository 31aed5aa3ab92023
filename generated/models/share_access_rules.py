"""Request bodies of ``share_access_rules``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from pydantic import BaseModel

from generated.models.common import AccessLevel


class AccessRuleUpdate(BaseModel):
    access_level: AccessLevel


class AccessRuleUpdateRequest(BaseModel):
    update_access: AccessRuleUpdate
