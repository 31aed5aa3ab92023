"""Routes of ``share_instances_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_instances.action.force_delete", "POST", "/share_instances/{id}/action", "force_delete", 7, 99, False, "ShareInstancesForceDeleteRequest", None, None, None, 202, ("share_instance:force_delete",), False),
    Route("share_instances.action.os_force_delete", "POST", "/share_instances/{id}/action", "os-force_delete", 3, 6, False, "ShareInstancesOsForceDeleteRequest", None, None, None, 202, ("share_instance:force_delete",), False),
    Route("share_instances.action.os_reset_status", "POST", "/share_instances/{id}/action", "os-reset_status", 3, 6, False, "ShareInstanceOsResetStatusRequest", None, None, None, 202, ("share_instance:reset_status",), False),
    Route("share_instances.action.reset_status", "POST", "/share_instances/{id}/action", "reset_status", 7, 99, False, "ShareInstanceResetStatusRequest", None, None, None, 202, ("share_instance:reset_status",), False),
)
