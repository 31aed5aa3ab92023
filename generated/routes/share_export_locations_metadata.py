"""Dispatch rows of ``handlers.share_export_locations_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_export_locations.metadata.create",
        "POST",
        "/shares/{share_id}/export_locations/{resource_id}/metadata",
        rules=("share_export_location:update_metadata",),
        variants=(
            Variant(
                87,
                LATEST,
                200,
                body="ShareExportLocationMetadataCreateRequest",
                schema="share_export_locations.create_metadata_response_body",
            ),
        ),
    ),
    *rows(
        "share_export_locations.metadata.delete_item",
        "DELETE",
        "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}",
        rules=("share_export_location:delete_metadata",),
        empty_json=True,
        variants=(Variant(87, LATEST, 200),),
    ),
    *rows(
        "share_export_locations.metadata.list",
        "GET",
        "/shares/{share_id}/export_locations/{resource_id}/metadata",
        rules=("share_export_location:get_metadata",),
        variants=(Variant(87, LATEST, 200, query="share_export_locations.empty_query_schema"),),
    ),
    *rows(
        "share_export_locations.metadata.show_item",
        "GET",
        "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}",
        rules=("share_export_location:get_metadata",),
        variants=(Variant(87, LATEST, 200, query="share_export_locations.empty_query_schema"),),
    ),
    *rows(
        "share_export_locations.metadata.update_all",
        "PUT",
        "/shares/{share_id}/export_locations/{resource_id}/metadata",
        rules=("share_export_location:update_metadata",),
        variants=(
            Variant(
                87,
                LATEST,
                200,
                body="ShareExportLocationMetadataUpdateAllRequest",
                schema="share_export_locations.update_metadata_request_body",
            ),
        ),
    ),
    *rows(
        "share_export_locations.metadata.update_item",
        "POST",
        "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}",
        rules=("share_export_location:update_metadata",),
        variants=(
            Variant(
                87,
                LATEST,
                200,
                body="ShareExportLocationMetadataUpdateItemRequest",
                schema="share_export_locations.update_metadata_request_body",
            ),
        ),
    ),
)
