"""Dispatch rows of ``handlers.share_replica_export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_replica_export_locations.list",
        "GET",
        "/share-replicas/{share_replica_id}/export-locations",
        rules=("share_replica_export_location:index",),
        presence_first=True,
        variants=(
            Variant(47, 55, 200, experimental=True, view="replica_export_location_summary"),
            Variant(56, LATEST, 200, view="replica_export_location_summary"),
        ),
    ),
    *rows(
        "share_replica_export_locations.show",
        "GET",
        "/share-replicas/{share_replica_id}/export-locations/{export_location_uuid}",
        rules=("share_replica_export_location:show",),
        presence_first=True,
        variants=(
            Variant(47, 55, 200, experimental=True, view="replica_export_location"),
            Variant(56, LATEST, 200, view="replica_export_location"),
        ),
    ),
)
