"""Dispatch rows of ``handlers.share_instance_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_instance_export_locations.list",
        "GET",
        "/share_instances/{share_instance_id}/export_locations",
        rules=("share_instance_export_location:index",),
        variants=(Variant(9, LATEST, 200, view="export_location_summary"),),
    ),
    *rows(
        "share_instance_export_locations.show",
        "GET",
        "/share_instances/{share_instance_id}/export_locations/{export_location_uuid}",
        rules=("share_instance_export_location:show",),
        variants=(Variant(9, LATEST, 200, view="export_location"),),
    ),
)
