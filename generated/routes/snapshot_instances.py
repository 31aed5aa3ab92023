"""Dispatch rows of ``handlers.snapshot_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "snapshot_instances.detail",
        "GET",
        "/snapshot-instances/detail",
        rules=("share_snapshot_instance:detail",),
        variants=(Variant(19, LATEST, 200, view="snapshot_instance"),),
    ),
    *rows(
        "snapshot_instances.list",
        "GET",
        "/snapshot-instances",
        rules=("share_snapshot_instance:index",),
        variants=(Variant(19, LATEST, 200, view="snapshot_instance_summary"),),
    ),
    *rows(
        "snapshot_instances.show",
        "GET",
        "/snapshot-instances/{id}",
        rules=("share_snapshot_instance:show",),
        variants=(Variant(19, LATEST, 200, view="snapshot_instance"),),
    ),
)
