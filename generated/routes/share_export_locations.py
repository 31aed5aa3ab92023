"""Dispatch rows of ``handlers.share_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_export_locations.list",
        "GET",
        "/shares/{share_id}/export_locations",
        rules=("share_export_location:index",),
        presence_first=True,
        variants=(
            Variant(9, 46, 200, query="share_export_locations.empty_query_schema", view="export_location_summary"),
            Variant(47, LATEST, 200, query="share_export_locations.empty_query_schema", view="export_location_summary"),
        ),
    ),
    *rows(
        "share_export_locations.show",
        "GET",
        "/shares/{share_id}/export_locations/{export_location_uuid}",
        rules=("share_export_location:show",),
        presence_first=True,
        variants=(
            Variant(9, 46, 200, query="share_export_locations.empty_query_schema", view="export_location"),
            Variant(47, LATEST, 200, query="share_export_locations.empty_query_schema", view="export_location"),
        ),
    ),
)
