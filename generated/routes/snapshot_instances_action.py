"""Dispatch rows of ``handlers.snapshot_instances_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "snapshot_instances.action.reset_status",
        "POST",
        "/snapshot-instances/{id}/action",
        action="reset_status",
        rules=("share_snapshot_instance:reset_status",),
        variants=(Variant(19, LATEST, 202, body="SnapshotInstanceResetStatusRequest"),),
    ),
)
