"""Dispatch rows of ``handlers.share_groups_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_groups.action.force_delete",
        "POST",
        "/share-groups/{id}/action",
        action="force_delete",
        rules=("share_group:force_delete",),
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupsForceDeleteRequest"),
            Variant(55, LATEST, 202, body="ShareGroupsForceDeleteRequest"),
        ),
    ),
    *rows(
        "share_groups.action.reset_status",
        "POST",
        "/share-groups/{id}/action",
        action="reset_status",
        rules=("share_group:reset_status",),
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupResetStatusRequest"),
            Variant(55, LATEST, 202, body="ShareGroupResetStatusRequest"),
        ),
    ),
)
