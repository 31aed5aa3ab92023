"""Dispatch rows of ``handlers.share_servers_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_servers.action.migration_cancel",
        "POST",
        "/share-servers/{id}/action",
        action="migration_cancel",
        rules=("share_server:share_server_migration_cancel",),
        variants=(Variant(57, LATEST, 202, experimental=True, body="ShareServersMigrationCancelRequest"),),
    ),
    *rows(
        "share_servers.action.migration_check",
        "POST",
        "/share-servers/{id}/action",
        action="migration_check",
        rules=("share_server:share_server_migration_check",),
        variants=(
            Variant(
                57,
                LATEST,
                200,
                experimental=True,
                body="ShareServerMigrationCheckParamsRequest",
                view="share_server_migration_check",
            ),
        ),
    ),
    *rows(
        "share_servers.action.migration_complete",
        "POST",
        "/share-servers/{id}/action",
        action="migration_complete",
        rules=("share_server:share_server_migration_complete",),
        variants=(
            Variant(
                57,
                LATEST,
                200,
                experimental=True,
                body="ShareServersMigrationCompleteRequest",
                view="share_server_migration_complete",
            ),
        ),
    ),
    *rows(
        "share_servers.action.migration_get_progress",
        "POST",
        "/share-servers/{id}/action",
        action="migration_get_progress",
        rules=("share_server:share_server_migration_get_progress",),
        variants=(
            Variant(
                57,
                LATEST,
                200,
                experimental=True,
                body="ShareServersMigrationGetProgressRequest",
                view="share_server_migration_progress",
            ),
        ),
    ),
    *rows(
        "share_servers.action.migration_start",
        "POST",
        "/share-servers/{id}/action",
        action="migration_start",
        rules=("share_server:share_server_migration_start",),
        variants=(Variant(57, LATEST, 202, experimental=True, body="ShareServerMigrationStartRequest"),),
    ),
    *rows(
        "share_servers.action.reset_status",
        "POST",
        "/share-servers/{id}/action",
        action="reset_status",
        rules=("share_server:reset_status",),
        variants=(Variant(49, LATEST, 202, body="ShareServerResetStatusRequest"),),
    ),
    *rows(
        "share_servers.action.reset_task_state",
        "POST",
        "/share-servers/{id}/action",
        action="reset_task_state",
        rules=("share_server:share_server_reset_task_state", "share_server:reset_status"),
        variants=(Variant(57, LATEST, 202, experimental=True, body="ShareServerResetTaskStateRequest"),),
    ),
    *rows(
        "share_servers.action.unmanage",
        "POST",
        "/share-servers/{id}/action",
        action="unmanage",
        rules=("share_server:unmanage_share_server",),
        variants=(Variant(49, LATEST, 202, body="ShareServerUnmanageRequest"),),
    ),
)
