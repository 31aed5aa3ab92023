"""Routes of ``share_group_types_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_group_types.action.addProjectAccess", "POST", "/share-group-types/{id}/action", "addProjectAccess", 31, 54, True, "ShareGroupTypeAddProjectAccessRequest", None, None, None, 202, ("share_group_type:add_project_access",), False),
    Route("share_group_types.action.addProjectAccess", "POST", "/share-group-types/{id}/action", "addProjectAccess", 55, 99, False, "ShareGroupTypeAddProjectAccessRequest", None, None, None, 202, ("share_group_type:add_project_access",), False),
    Route("share_group_types.action.create", "POST", "/share-group-types/{id}/action", "create", 31, 54, True, None, None, None, None, 200, ("share_group_type:create",), False),
    Route("share_group_types.action.create", "POST", "/share-group-types/{id}/action", "create", 55, 99, False, None, None, None, None, 200, ("share_group_type:create",), False),
    Route("share_group_types.action.delete", "POST", "/share-group-types/{id}/action", "delete", 31, 54, True, None, None, None, None, 204, ("share_group_type:delete",), False),
    Route("share_group_types.action.delete", "POST", "/share-group-types/{id}/action", "delete", 55, 99, False, None, None, None, None, 204, ("share_group_type:delete",), False),
    Route("share_group_types.action.removeProjectAccess", "POST", "/share-group-types/{id}/action", "removeProjectAccess", 31, 54, True, "ShareGroupTypeRemoveProjectAccessRequest", None, None, None, 202, ("share_group_type:remove_project_access",), False),
    Route("share_group_types.action.removeProjectAccess", "POST", "/share-group-types/{id}/action", "removeProjectAccess", 55, 99, False, "ShareGroupTypeRemoveProjectAccessRequest", None, None, None, 202, ("share_group_type:remove_project_access",), False),
)
