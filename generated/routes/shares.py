"""Dispatch rows of ``handlers.shares``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "shares.create",
        "POST",
        "/shares",
        rules=("share:create",),
        presence_first=True,
        variants=(
            Variant(0, 23, 200, body="ShareCreateRequestV20", view="share"),
            Variant(24, 30, 200, body="ShareCreateRequestV20", view="share"),
            Variant(31, 47, 200, body="ShareCreateRequestV231", view="share"),
            Variant(48, 64, 200, body="ShareCreateRequestV231", view="share"),
            Variant(65, 66, 200, body="ShareCreateRequestV265", view="share", body_key="share"),
            Variant(67, 83, 200, body="ShareCreateRequestV267", view="share", body_key="share"),
            Variant(84, 89, 200, body="ShareCreateRequestV284", view="share", body_key="share"),
            Variant(90, LATEST, 200, body="ShareCreateRequestV290", view="share", body_key="share"),
        ),
    ),
    *rows("shares.delete", "DELETE", "/shares/{id}", rules=("share:delete",), variants=(Variant(0, LATEST, 202),)),
    *rows("shares.detail", "GET", "/shares/detail", rules=("share:get_all",), variants=(Variant(0, LATEST, 200),)),
    *rows("shares.list", "GET", "/shares", rules=("share:get_all",), variants=(Variant(0, LATEST, 200),)),
    *rows(
        "shares.manage",
        "POST",
        "/shares/manage",
        rules=("share:manage",),
        presence_first=True,
        variants=(
            Variant(7, 7, 200, body="ShareManageRequestV27", view="share"),
            Variant(8, 48, 200, body="ShareManageRequestV28", view="share"),
            Variant(49, 91, 200, body="ShareManageRequestV249", view="share"),
            Variant(92, LATEST, 200, body="ShareManageRequestV292", view="share"),
        ),
    ),
    *rows(
        "shares.migration_progress",
        "GET",
        "/shares/{id}/migration-progress",
        rules=("share:migration_get_progress",),
        variants=(Variant(98, LATEST, 200, view="share_migration_progress"),),
    ),
    *rows(
        "shares.show", "GET", "/shares/{id}", rules=("share:get",), variants=(Variant(0, LATEST, 200, view="share"),)
    ),
    *rows(
        "shares.update",
        "PUT",
        "/shares/{id}",
        rules=("share:update",),
        variants=(Variant(0, LATEST, 200, body="ShareUpdateRequest", view="share"),),
    ),
)
