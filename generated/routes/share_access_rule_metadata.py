"""Dispatch rows of ``handlers.share_access_rule_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_access_rule_metadata.delete",
        "DELETE",
        "/share-access-rules/{access_id}/metadata/{key}",
        rules=("share_access_metadata:delete",),
        empty_json=True,
        variants=(Variant(45, LATEST, 200),),
    ),
    *rows(
        "share_access_rule_metadata.update",
        "PUT",
        "/share-access-rules/{access_id}/metadata",
        rules=("share_access_metadata:update",),
        variants=(Variant(45, LATEST, 200, body="MetadataRequest"),),
    ),
)
