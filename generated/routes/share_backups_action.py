"""Routes of ``share_backups_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_backups.action.reset_status", "POST", "/share-backups/{id}/action", "reset_status", 80, 99, True, "ShareBackupResetStatusRequest", None, None, None, 202, ("share_backup:reset_status",), False),
    Route("share_backups.action.restore", "POST", "/share-backups/{id}/action", "restore", 80, 90, True, "ShareBackupsRestoreRequest_v2_80", None, None, "ShareBackupRestoreResponse", 202, ("share_backup:restore",), False),
    Route("share_backups.action.restore", "POST", "/share-backups/{id}/action", "restore", 91, 99, True, "ShareBackupsRestoreRequest_v2_91", None, None, "ShareBackupRestoreResponse", 202, ("share_backup:restore",), False),
)
