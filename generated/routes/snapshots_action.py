"""Dispatch rows of ``handlers.snapshots_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "snapshots.action.allow_access",
        "POST",
        "/snapshots/{id}/action",
        action="allow_access",
        rules=("share_snapshot:allow_access",),
        variants=(Variant(32, LATEST, 202, body="SnapshotAllowAccessRequest", view="snapshot_access_rule"),),
    ),
    *rows(
        "snapshots.action.deny_access",
        "POST",
        "/snapshots/{id}/action",
        action="deny_access",
        rules=("share_snapshot:deny_access",),
        variants=(Variant(32, LATEST, 202, body="SnapshotDenyAccessRequest"),),
    ),
    *rows(
        "snapshots.action.force_delete",
        "POST",
        "/snapshots/{id}/action",
        action="force_delete",
        rules=("share_snapshot:force_delete",),
        variants=(Variant(7, LATEST, 202, body="SnapshotForceDeleteRequest"),),
    ),
    *rows(
        "snapshots.action.os_force_delete",
        "POST",
        "/snapshots/{id}/action",
        action="os-force_delete",
        rules=("share_snapshot:force_delete",),
        variants=(Variant(0, 6, 202, body="SnapshotOsForceDeleteRequest"),),
    ),
    *rows(
        "snapshots.action.os_reset_status",
        "POST",
        "/snapshots/{id}/action",
        action="os-reset_status",
        rules=("share_snapshot:reset_status",),
        variants=(Variant(0, 6, 202, body="SnapshotOsResetStatusRequest"),),
    ),
    *rows(
        "snapshots.action.reset_status",
        "POST",
        "/snapshots/{id}/action",
        action="reset_status",
        rules=("share_snapshot:reset_status",),
        variants=(Variant(7, LATEST, 202, body="SnapshotResetStatusRequest"),),
    ),
    *rows(
        "snapshots.action.unmanage",
        "POST",
        "/snapshots/{id}/action",
        action="unmanage",
        rules=("share_snapshot:unmanage_snapshot",),
        variants=(
            Variant(12, 48, 202, body="SnapshotUnmanageRequest"),
            Variant(49, LATEST, 202, body="SnapshotUnmanageRequest"),
        ),
    ),
)
