"""Routes of ``share_backups``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_backups.list", "GET", "/share-backups", None, 80, 99, True, None, None, None, "ShareBackupsResponse", 200, ("share_backup:get_all",), False),
    Route("share_backups.create", "POST", "/share-backups", None, 80, 99, True, "ShareBackupCreateRequest", None, None, "ShareBackupResponse", 202, ("share_backup:create",), False),
    Route("share_backups.detail", "GET", "/share-backups/detail", None, 80, 99, True, None, None, None, "ShareBackupsDetailResponse", 200, ("share_backup:get_all",), False),
    Route("share_backups.delete", "DELETE", "/share-backups/{id}", None, 80, 99, True, None, None, None, None, 202, ("share_backup:delete",), False),
    Route("share_backups.show", "GET", "/share-backups/{id}", None, 80, 99, True, None, None, None, "ShareBackupResponse", 200, ("share_backup:get",), False),
    Route("share_backups.update", "PUT", "/share-backups/{id}", None, 80, 99, True, "ShareBackupUpdateRequest", None, None, "ShareBackupResponse", 200, ("share_backup:update",), False),
)
