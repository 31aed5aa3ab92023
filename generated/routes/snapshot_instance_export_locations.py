"""Dispatch rows of ``handlers.snapshot_instance_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "snapshot_instance_export_locations.list",
        "GET",
        "/snapshot-instances/{snapshot_instance_id}/export-locations",
        rules=("share_snapshot_instance_export_location:index",),
        variants=(Variant(32, LATEST, 200, view="snapshot_export_location_summary"),),
    ),
    *rows(
        "snapshot_instance_export_locations.show",
        "GET",
        "/snapshot-instances/{snapshot_instance_id}/export-locations/{export_location_id}",
        rules=("share_snapshot_instance_export_location:show",),
        variants=(Variant(32, LATEST, 200, view="snapshot_export_location"),),
    ),
)
