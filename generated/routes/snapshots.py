"""Dispatch rows of ``handlers.snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "snapshots.access_list",
        "GET",
        "/snapshots/{snapshot_id}/access-list",
        rules=("share_snapshot:access_list",),
        variants=(Variant(32, LATEST, 200, view="snapshot_access_rule"),),
    ),
    *rows(
        "snapshots.create",
        "POST",
        "/snapshots",
        variants=(
            Variant(0, 72, 202, body="SnapshotCreateRequestV20", view="snapshot"),
            Variant(73, LATEST, 202, body="SnapshotCreateRequestV273", view="snapshot"),
        ),
    ),
    *rows("snapshots.delete", "DELETE", "/snapshots/{id}", variants=(Variant(0, LATEST, 202),)),
    *rows("snapshots.detail", "GET", "/snapshots/detail", variants=(Variant(0, LATEST, 200),)),
    *rows(
        "snapshots.list",
        "GET",
        "/snapshots",
        variants=(
            Variant(0, 35, 200, query="share_snapshots.index_request_query"),
            Variant(36, 72, 200, query="share_snapshots.index_request_query_v236"),
            Variant(73, 78, 200, query="share_snapshots.index_request_query_v273"),
            Variant(79, LATEST, 200, query="share_snapshots.index_request_query_v279"),
        ),
    ),
    *rows(
        "snapshots.manage",
        "POST",
        "/snapshots/manage",
        rules=("share_snapshot:manage_snapshot",),
        presence_first=True,
        variants=(
            Variant(12, 72, 202, body="SnapshotManageRequestV212", view="snapshot"),
            Variant(73, LATEST, 202, body="SnapshotManageRequestV273", view="snapshot"),
        ),
    ),
    *rows(
        "snapshots.show",
        "GET",
        "/snapshots/{id}",
        variants=(Variant(0, LATEST, 200, query="share_snapshots.show_request_query", view="snapshot"),),
    ),
    *rows(
        "snapshots.update",
        "PUT",
        "/snapshots/{id}",
        variants=(Variant(0, LATEST, 200, body="SnapshotUpdateRequest", view="snapshot"),),
    ),
)
