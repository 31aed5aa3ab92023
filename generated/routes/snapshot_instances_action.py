"""Routes of ``snapshot_instances_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("snapshot_instances.action.reset_status", "POST", "/snapshot-instances/{id}/action", "reset_status", 19, 99, False, "SnapshotInstanceResetStatusRequest", None, None, None, 202, ("share_snapshot_instance:reset_status",), False),
)
