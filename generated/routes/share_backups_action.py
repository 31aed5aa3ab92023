"""Dispatch rows of ``handlers.share_backups_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_backups.action.reset_status",
        "POST",
        "/share-backups/{id}/action",
        action="reset_status",
        rules=("share_backup:reset_status",),
        variants=(Variant(80, LATEST, 202, experimental=True, body="ShareBackupResetStatusRequest"),),
    ),
    *rows(
        "share_backups.action.restore",
        "POST",
        "/share-backups/{id}/action",
        action="restore",
        rules=("share_backup:restore",),
        variants=(
            Variant(80, 90, 202, experimental=True, body="ShareBackupsRestoreRequestV280", view="share_backup_restore"),
            Variant(
                91, LATEST, 202, experimental=True, body="ShareBackupsRestoreRequestV291", view="share_backup_restore"
            ),
        ),
    ),
)
