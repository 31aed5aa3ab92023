"""Routes of ``share_groups_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_groups.action.force_delete", "POST", "/share-groups/{id}/action", "force_delete", 31, 54, True, "ShareGroupsForceDeleteRequest", None, None, None, 202, ("share_group:force_delete",), False),
    Route("share_groups.action.force_delete", "POST", "/share-groups/{id}/action", "force_delete", 55, 99, False, "ShareGroupsForceDeleteRequest", None, None, None, 202, ("share_group:force_delete",), False),
    Route("share_groups.action.reset_status", "POST", "/share-groups/{id}/action", "reset_status", 31, 54, True, "ShareGroupResetStatusRequest", None, None, None, 202, ("share_group:reset_status",), False),
    Route("share_groups.action.reset_status", "POST", "/share-groups/{id}/action", "reset_status", 55, 99, False, "ShareGroupResetStatusRequest", None, None, None, 202, ("share_group:reset_status",), False),
)
