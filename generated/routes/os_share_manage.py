"""Dispatch rows of ``handlers.os_share_manage``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "os_share_manage.create",
        "POST",
        "/os-share-manage",
        rules=("share:manage",),
        variants=(Variant(0, 6, 200, body="OsShareManageRequest", view="share"),),
    ),
)
