"""Routes of ``share_servers_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_servers.action.migration_cancel", "POST", "/share-servers/{id}/action", "migration_cancel", 57, 99, True, "ShareServersMigrationCancelRequest", None, None, None, 202, ("share_server:share_server_migration_cancel",), False),
    Route("share_servers.action.migration_check", "POST", "/share-servers/{id}/action", "migration_check", 57, 99, True, "ShareServerMigrationCheckParamsRequest", None, None, "ShareServerMigrationCheck", 200, ("share_server:share_server_migration_check",), False),
    Route("share_servers.action.migration_complete", "POST", "/share-servers/{id}/action", "migration_complete", 57, 99, True, "ShareServersMigrationCompleteRequest", None, None, "ShareServerMigrationComplete", 200, ("share_server:share_server_migration_complete",), False),
    Route("share_servers.action.migration_get_progress", "POST", "/share-servers/{id}/action", "migration_get_progress", 57, 99, True, "ShareServersMigrationGetProgressRequest", None, None, "ShareServerMigrationProgress", 200, ("share_server:share_server_migration_get_progress",), False),
    Route("share_servers.action.migration_start", "POST", "/share-servers/{id}/action", "migration_start", 57, 99, True, "ShareServerMigrationStartRequest", None, None, None, 202, ("share_server:share_server_migration_start",), False),
    Route("share_servers.action.reset_status", "POST", "/share-servers/{id}/action", "reset_status", 49, 99, False, "ShareServerResetStatusRequest", None, None, None, 202, ("share_server:reset_status",), False),
    Route("share_servers.action.reset_task_state", "POST", "/share-servers/{id}/action", "reset_task_state", 57, 99, True, "ShareServerResetTaskStateRequest", None, None, None, 202, ("share_server:share_server_reset_task_state", "share_server:reset_status"), False),
    Route("share_servers.action.unmanage", "POST", "/share-servers/{id}/action", "unmanage", 49, 99, False, "ShareServerUnmanageRequest", None, None, None, 202, ("share_server:unmanage_share_server",), False),
)
