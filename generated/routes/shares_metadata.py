"""Routes of ``shares_metadata``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("shares.metadata.list", "GET", "/shares/{resource_id}/metadata", None, 0, 99, False, None, None, None, "MetadataResponse", 200, ("share:get_share_metadata",), False),
    Route("shares.metadata.create", "POST", "/shares/{resource_id}/metadata", None, 0, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share:update_share_metadata",), False),
    Route("shares.metadata.update_all", "PUT", "/shares/{resource_id}/metadata", None, 0, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share:update_share_metadata",), False),
    Route("shares.metadata.delete_item", "DELETE", "/shares/{resource_id}/metadata/{key}", None, 0, 99, False, None, None, None, None, 200, ("share:delete_share_metadata",), False),
    Route("shares.metadata.show_item", "GET", "/shares/{resource_id}/metadata/{key}", None, 0, 99, False, None, None, None, "MetadataItemResponse", 200, ("share:get_share_metadata",), False),
    Route("shares.metadata.update_item", "POST", "/shares/{resource_id}/metadata/{key}", None, 0, 99, False, "ShareMetadataItemUpdate", None, None, "MetadataResponse", 200, ("share:update_share_metadata",), False),
)
