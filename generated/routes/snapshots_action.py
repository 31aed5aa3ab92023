"""Routes of ``snapshots_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("snapshots.action.allow_access", "POST", "/snapshots/{id}/action", "allow_access", 32, 99, False, "SnapshotAllowAccessRequest", None, None, "SnapshotAccessResponse", 202, ("share_snapshot:allow_access",), False),
    Route("snapshots.action.deny_access", "POST", "/snapshots/{id}/action", "deny_access", 32, 99, False, "SnapshotDenyAccessRequest", None, None, None, 202, ("share_snapshot:deny_access",), False),
    Route("snapshots.action.force_delete", "POST", "/snapshots/{id}/action", "force_delete", 7, 99, False, "SnapshotForceDeleteRequest", None, None, None, 202, ("share_snapshot:force_delete",), False),
    Route("snapshots.action.os_force_delete", "POST", "/snapshots/{id}/action", "os-force_delete", 0, 6, False, "SnapshotOsForceDeleteRequest", None, None, None, 202, ("share_snapshot:force_delete",), False),
    Route("snapshots.action.os_reset_status", "POST", "/snapshots/{id}/action", "os-reset_status", 0, 6, False, "SnapshotOsResetStatusRequest", None, None, None, 202, ("share_snapshot:reset_status",), False),
    Route("snapshots.action.reset_status", "POST", "/snapshots/{id}/action", "reset_status", 7, 99, False, "SnapshotResetStatusRequest", None, None, None, 202, ("share_snapshot:reset_status",), False),
    Route("snapshots.action.unmanage", "POST", "/snapshots/{id}/action", "unmanage", 12, 48, False, "SnapshotUnmanageRequest", None, None, None, 202, ("share_snapshot:unmanage_snapshot",), False),
    Route("snapshots.action.unmanage", "POST", "/snapshots/{id}/action", "unmanage", 49, 99, False, "SnapshotUnmanageRequest", None, None, None, 202, ("share_snapshot:unmanage_snapshot",), False),
)
