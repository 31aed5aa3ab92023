"""Routes of ``share_group_snapshots_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_group_snapshots.action.force_delete", "POST", "/share-group-snapshots/{id}/action", "force_delete", 31, 54, True, "ShareGroupSnapshotsForceDeleteRequest", None, None, None, 202, ("share_group_snapshot:force_delete",), False),
    Route("share_group_snapshots.action.force_delete", "POST", "/share-group-snapshots/{id}/action", "force_delete", 55, 99, False, "ShareGroupSnapshotsForceDeleteRequest", None, None, None, 202, ("share_group_snapshot:force_delete",), False),
    Route("share_group_snapshots.action.reset_status", "POST", "/share-group-snapshots/{id}/action", "reset_status", 31, 54, True, "ShareGroupSnapshotResetStatusRequest", None, None, None, 202, ("share_group_snapshot:reset_status",), False),
    Route("share_group_snapshots.action.reset_status", "POST", "/share-group-snapshots/{id}/action", "reset_status", 55, 99, False, "ShareGroupSnapshotResetStatusRequest", None, None, None, 202, ("share_group_snapshot:reset_status",), False),
)
