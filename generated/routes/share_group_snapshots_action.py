"""Dispatch rows of ``handlers.share_group_snapshots_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_group_snapshots.action.force_delete",
        "POST",
        "/share-group-snapshots/{id}/action",
        action="force_delete",
        rules=("share_group_snapshot:force_delete",),
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupSnapshotsForceDeleteRequest"),
            Variant(55, LATEST, 202, body="ShareGroupSnapshotsForceDeleteRequest"),
        ),
    ),
    *rows(
        "share_group_snapshots.action.reset_status",
        "POST",
        "/share-group-snapshots/{id}/action",
        action="reset_status",
        rules=("share_group_snapshot:reset_status",),
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupSnapshotResetStatusRequest"),
            Variant(55, LATEST, 202, body="ShareGroupSnapshotResetStatusRequest"),
        ),
    ),
)
