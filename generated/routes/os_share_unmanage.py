"""Dispatch rows of ``handlers.os_share_unmanage``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "os_share_unmanage.unmanage",
        "POST",
        "/os-share-unmanage/{id}/unmanage",
        rules=("share:unmanage",),
        variants=(Variant(0, 6, 202),),
    ),
)
