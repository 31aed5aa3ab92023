"""Routes of ``share_types_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_types.action.addProjectAccess", "POST", "/types/{id}/action", "addProjectAccess", 0, 99, False, "ShareTypeAddProjectAccessRequest", None, None, None, 202, ("share_type:add_project_access",), False),
    Route("share_types.action.create", "POST", "/types/{id}/action", "create", 0, 23, False, None, None, None, None, 200, ("share_type:create",), False),
    Route("share_types.action.create", "POST", "/types/{id}/action", "create", 24, 99, False, None, None, None, None, 200, ("share_type:create",), False),
    Route("share_types.action.delete", "POST", "/types/{id}/action", "delete", 0, 99, False, None, None, None, None, 202, ("share_type:delete",), False),
    Route("share_types.action.removeProjectAccess", "POST", "/types/{id}/action", "removeProjectAccess", 0, 99, False, "ShareTypeRemoveProjectAccessRequest", None, None, None, 202, ("share_type:remove_project_access",), False),
    Route("share_types.action.update", "POST", "/types/{id}/action", "update", 50, 99, False, None, None, None, None, 200, ("share_type:update",), False),
)
