"""Dispatch rows of ``handlers.share_types_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_types.action.addProjectAccess",
        "POST",
        "/types/{id}/action",
        action="addProjectAccess",
        rules=("share_type:add_project_access",),
        variants=(Variant(0, LATEST, 202, body="ShareTypeAddProjectAccessRequest"),),
    ),
    *rows(
        "share_types.action.create",
        "POST",
        "/types/{id}/action",
        action="create",
        variants=(
            Variant(0, 23, 200),
            Variant(24, LATEST, 200),
        ),
    ),
    *rows(
        "share_types.action.delete",
        "POST",
        "/types/{id}/action",
        action="delete",
        rules=("share_type:delete",),
        variants=(Variant(0, LATEST, 202),),
    ),
    *rows(
        "share_types.action.removeProjectAccess",
        "POST",
        "/types/{id}/action",
        action="removeProjectAccess",
        rules=("share_type:remove_project_access",),
        variants=(Variant(0, LATEST, 202, body="ShareTypeRemoveProjectAccessRequest"),),
    ),
    *rows(
        "share_types.action.update",
        "POST",
        "/types/{id}/action",
        action="update",
        rules=("share_type:update",),
        variants=(Variant(50, LATEST, 200),),
    ),
)
