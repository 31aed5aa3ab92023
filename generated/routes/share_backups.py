"""Dispatch rows of ``handlers.share_backups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_backups.create",
        "POST",
        "/share-backups",
        rules=("share_backup:create",),
        variants=(Variant(80, LATEST, 202, experimental=True, body="ShareBackupCreateRequest", view="share_backup"),),
    ),
    *rows(
        "share_backups.delete",
        "DELETE",
        "/share-backups/{id}",
        rules=("share_backup:delete",),
        variants=(Variant(80, LATEST, 202, experimental=True),),
    ),
    *rows(
        "share_backups.detail",
        "GET",
        "/share-backups/detail",
        rules=("share_backup:get_all",),
        presence_first=True,
        variants=(Variant(80, LATEST, 200, experimental=True),),
    ),
    *rows(
        "share_backups.list",
        "GET",
        "/share-backups",
        rules=("share_backup:get_all",),
        presence_first=True,
        variants=(Variant(80, LATEST, 200, experimental=True),),
    ),
    *rows(
        "share_backups.show",
        "GET",
        "/share-backups/{id}",
        rules=("share_backup:get",),
        variants=(Variant(80, LATEST, 200, experimental=True, view="share_backup"),),
    ),
    *rows(
        "share_backups.update",
        "PUT",
        "/share-backups/{id}",
        rules=("share_backup:update",),
        variants=(Variant(80, LATEST, 200, experimental=True, body="ShareBackupUpdateRequest", view="share_backup"),),
    ),
)
