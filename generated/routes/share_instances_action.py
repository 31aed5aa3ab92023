"""Dispatch rows of ``handlers.share_instances_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_instances.action.force_delete",
        "POST",
        "/share_instances/{id}/action",
        action="force_delete",
        rules=("share_instance:force_delete",),
        variants=(Variant(7, LATEST, 202, body="ShareInstancesForceDeleteRequest"),),
    ),
    *rows(
        "share_instances.action.os_force_delete",
        "POST",
        "/share_instances/{id}/action",
        action="os-force_delete",
        rules=("share_instance:force_delete",),
        variants=(Variant(3, 6, 202, body="ShareInstancesOsForceDeleteRequest"),),
    ),
    *rows(
        "share_instances.action.os_reset_status",
        "POST",
        "/share_instances/{id}/action",
        action="os-reset_status",
        rules=("share_instance:reset_status",),
        variants=(Variant(3, 6, 202, body="ShareInstanceOsResetStatusRequest"),),
    ),
    *rows(
        "share_instances.action.reset_status",
        "POST",
        "/share_instances/{id}/action",
        action="reset_status",
        rules=("share_instance:reset_status",),
        variants=(Variant(7, LATEST, 202, body="ShareInstanceResetStatusRequest"),),
    ),
)
