"""Routes of ``share_export_locations_metadata``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_export_locations.metadata.list", "GET", "/shares/{share_id}/export_locations/{resource_id}/metadata", None, 87, 99, False, None, None, "share_export_locations.empty_query_schema", "MetadataResponse", 200, ("share_export_location:get_metadata",), False),
    Route("share_export_locations.metadata.create", "POST", "/shares/{share_id}/export_locations/{resource_id}/metadata", None, 87, 99, False, "ShareExportLocationMetadataCreateRequest", "share_export_locations.create_metadata_response_body", None, "MetadataResponse", 200, ("share_export_location:update_metadata",), False),
    Route("share_export_locations.metadata.update_all", "PUT", "/shares/{share_id}/export_locations/{resource_id}/metadata", None, 87, 99, False, "ShareExportLocationMetadataUpdateAllRequest", "share_export_locations.update_metadata_request_body", None, "MetadataResponse", 200, ("share_export_location:update_metadata",), False),
    Route("share_export_locations.metadata.delete_item", "DELETE", "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}", None, 87, 99, False, None, None, None, None, 200, ("share_export_location:delete_metadata",), False),
    Route("share_export_locations.metadata.show_item", "GET", "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}", None, 87, 99, False, None, None, "share_export_locations.empty_query_schema", "MetadataItemResponse", 200, ("share_export_location:get_metadata",), False),
    Route("share_export_locations.metadata.update_item", "POST", "/shares/{share_id}/export_locations/{resource_id}/metadata/{key}", None, 87, 99, False, "ShareExportLocationMetadataUpdateItemRequest", "share_export_locations.update_metadata_request_body", None, "MetadataResponse", 200, ("share_export_location:update_metadata",), False),
)
