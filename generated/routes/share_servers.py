"""Dispatch rows of ``handlers.share_servers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_servers.delete",
        "DELETE",
        "/share-servers/{id}",
        rules=("share_server:delete",),
        variants=(Variant(0, LATEST, 202),),
    ),
    *rows(
        "share_servers.details",
        "GET",
        "/share-servers/{id}/details",
        rules=("share_server:details",),
        variants=(Variant(0, LATEST, 200),),
    ),
    *rows(
        "share_servers.list",
        "GET",
        "/share-servers",
        rules=("share_server:index",),
        variants=(Variant(0, LATEST, 200, view="share_server_summary"),),
    ),
    *rows(
        "share_servers.manage",
        "POST",
        "/share-servers/manage",
        rules=("share_server:manage_share_server",),
        presence_first=True,
        variants=(
            Variant(49, 50, 202, body="ShareServerManageRequestV249", view="share_server"),
            Variant(51, LATEST, 202, body="ShareServerManageRequestV251", view="share_server"),
        ),
    ),
    *rows(
        "share_servers.show",
        "GET",
        "/share-servers/{id}",
        rules=("share_server:show",),
        variants=(Variant(0, LATEST, 200, view="share_server"),),
    ),
)
