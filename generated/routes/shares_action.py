"""Routes of ``shares_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("shares.action.access_list", "POST", "/shares/{id}/action", "access_list", 7, 44, False, "ShareAccessListRequest", None, None, "ShareAccessListResponse", 200, (), False),
    Route("shares.action.allow_access", "POST", "/shares/{id}/action", "allow_access", 7, 12, False, "ShareAllowAccessRequest_v2_7", None, None, "ShareAccessRuleResponse", 200, ("share:allow_access",), False),
    Route("shares.action.allow_access", "POST", "/shares/{id}/action", "allow_access", 13, 44, False, "ShareAllowAccessRequest_v2_13", None, None, "ShareAccessRuleResponse", 200, ("share:allow_access",), False),
    Route("shares.action.allow_access", "POST", "/shares/{id}/action", "allow_access", 45, 81, False, "ShareAllowAccessRequest_v2_45", None, None, "ShareAccessRuleResponse", 200, ("share:allow_access",), False),
    Route("shares.action.allow_access", "POST", "/shares/{id}/action", "allow_access", 82, 99, False, "ShareAllowAccessRequest_v2_82", None, None, "ShareAccessRuleResponse", 200, ("share:allow_access",), False),
    Route("shares.action.deny_access", "POST", "/shares/{id}/action", "deny_access", 7, 99, False, "ShareDenyAccessRequest", None, None, None, 202, ("share:deny_access",), False),
    Route("shares.action.extend", "POST", "/shares/{id}/action", "extend", 7, 63, False, "ShareExtendRequest_v2_7", "shares.extend_request_body_v27", None, None, 202, ("share:extend",), True),
    Route("shares.action.extend", "POST", "/shares/{id}/action", "extend", 64, 99, False, "ShareExtendRequest_v2_64", "shares.extend_request_body_v264", None, None, 202, ("share:extend",), True),
    Route("shares.action.force_delete", "POST", "/shares/{id}/action", "force_delete", 7, 99, False, "ShareForceDeleteRequest", "shares.force_delete_request_body_v27", None, None, 202, ("share:force_delete",), False),
    Route("shares.action.migration_cancel", "POST", "/shares/{id}/action", "migration_cancel", 22, 95, True, "ShareMigrationCancelRequest", "shares.migration_cancel_request_body", None, None, 202, ("share:migration_cancel",), False),
    Route("shares.action.migration_cancel", "POST", "/shares/{id}/action", "migration_cancel", 96, 99, False, "ShareMigrationCancelRequest", "shares.migration_cancel_request_body", None, None, 202, ("share:migration_cancel",), False),
    Route("shares.action.migration_complete", "POST", "/shares/{id}/action", "migration_complete", 22, 95, True, "ShareMigrationCompleteRequest", "shares.migration_complete_request_body", None, None, 202, ("share:migration_complete",), False),
    Route("shares.action.migration_complete", "POST", "/shares/{id}/action", "migration_complete", 96, 99, False, "ShareMigrationCompleteRequest", "shares.migration_complete_request_body", None, None, 202, ("share:migration_complete",), False),
    Route("shares.action.migration_get_progress", "POST", "/shares/{id}/action", "migration_get_progress", 22, 95, True, "ShareMigrationGetProgressRequest", "shares.migration_get_progress_request_body", None, "ShareMigrationProgress", 200, ("share:migration_get_progress",), False),
    Route("shares.action.migration_get_progress", "POST", "/shares/{id}/action", "migration_get_progress", 96, 97, False, "ShareMigrationGetProgressRequest", "shares.migration_get_progress_request_body", None, "ShareMigrationProgress", 200, ("share:migration_get_progress",), False),
    Route("shares.action.migration_start", "POST", "/shares/{id}/action", "migration_start", 29, 95, True, "ShareMigrationStartRequest", "shares.migration_start_request_body", None, None, 202, ("share:migration_start",), False),
    Route("shares.action.migration_start", "POST", "/shares/{id}/action", "migration_start", 96, 99, False, "ShareMigrationStartRequest", "shares.migration_start_request_body", None, None, 202, ("share:migration_start",), False),
    Route("shares.action.os_access_list", "POST", "/shares/{id}/action", "os-access_list", 0, 6, False, "ShareOsAccessListRequest", None, None, "ShareAccessListResponse", 200, (), False),
    Route("shares.action.os_allow_access", "POST", "/shares/{id}/action", "os-allow_access", 0, 6, False, "ShareOsAllowAccessRequest", None, None, "ShareAccessRuleResponse", 200, ("share:allow_access",), False),
    Route("shares.action.os_deny_access", "POST", "/shares/{id}/action", "os-deny_access", 0, 6, False, "ShareOsDenyAccessRequest", None, None, None, 202, ("share:deny_access",), False),
    Route("shares.action.os_extend", "POST", "/shares/{id}/action", "os-extend", 0, 6, False, "ShareOsExtendRequest", "shares.extend_request_body", None, None, 202, ("share:extend",), True),
    Route("shares.action.os_force_delete", "POST", "/shares/{id}/action", "os-force_delete", 0, 6, False, "ShareOsForceDeleteRequest", "shares.force_delete_request_body", None, None, 202, ("share:force_delete",), False),
    Route("shares.action.os_reset_status", "POST", "/shares/{id}/action", "os-reset_status", 0, 6, False, "ShareOsResetStatusRequest", "shares.reset_status_request_body", None, None, 202, ("share:reset_status",), False),
    Route("shares.action.os_shrink", "POST", "/shares/{id}/action", "os-shrink", 0, 6, False, "ShareOsShrinkRequest", "shares.shrink_request_body", None, None, 202, ("share:shrink",), True),
    Route("shares.action.reset_status", "POST", "/shares/{id}/action", "reset_status", 7, 99, False, "ShareResetStatusRequest", "shares.reset_status_request_body_v27", None, None, 202, ("share:reset_status",), False),
    Route("shares.action.reset_task_state", "POST", "/shares/{id}/action", "reset_task_state", 22, 95, True, "ShareResetTaskStateRequest", "shares.reset_task_state_request_body", None, None, 202, ("share:reset_task_state", "share:reset_status"), False),
    Route("shares.action.reset_task_state", "POST", "/shares/{id}/action", "reset_task_state", 96, 99, False, "ShareResetTaskStateRequest", "shares.reset_task_state_request_body", None, None, 202, ("share:reset_task_state", "share:reset_status"), False),
    Route("shares.action.restore", "POST", "/shares/{id}/action", "restore", 69, 99, False, "ShareRestoreRequest", "shares.restore_request_body", None, None, 202, ("share:restore",), False),
    Route("shares.action.revert", "POST", "/shares/{id}/action", "revert", 27, 99, False, "ShareRevertRequest", "shares.revert_request_body", None, None, 202, ("share:revert_to_snapshot",), True),
    Route("shares.action.shrink", "POST", "/shares/{id}/action", "shrink", 7, 99, False, "ShareShrinkRequest", "shares.shrink_request_body_v27", None, None, 202, ("share:shrink",), True),
    Route("shares.action.soft_delete", "POST", "/shares/{id}/action", "soft_delete", 69, 99, False, "ShareSoftDeleteRequest", "shares.soft_delete_request_body", None, None, 202, ("share:soft_delete",), False),
    Route("shares.action.unmanage", "POST", "/shares/{id}/action", "unmanage", 7, 99, False, "ShareUnmanageRequest", "shares.unmanage_request_body", None, None, 202, ("share:unmanage",), False),
)
