"""Dispatch rows of ``handlers.share_group_types_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_group_types.action.addProjectAccess",
        "POST",
        "/share-group-types/{id}/action",
        action="addProjectAccess",
        rules=("share_group_type:add_project_access",),
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupTypeAddProjectAccessRequest"),
            Variant(55, LATEST, 202, body="ShareGroupTypeAddProjectAccessRequest"),
        ),
    ),
    *rows(
        "share_group_types.action.create",
        "POST",
        "/share-group-types/{id}/action",
        action="create",
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_group_types.action.delete",
        "POST",
        "/share-group-types/{id}/action",
        action="delete",
        variants=(
            Variant(31, 54, 204, experimental=True),
            Variant(55, LATEST, 204),
        ),
    ),
    *rows(
        "share_group_types.action.removeProjectAccess",
        "POST",
        "/share-group-types/{id}/action",
        action="removeProjectAccess",
        rules=("share_group_type:remove_project_access",),
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupTypeRemoveProjectAccessRequest"),
            Variant(55, LATEST, 202, body="ShareGroupTypeRemoveProjectAccessRequest"),
        ),
    ),
)
