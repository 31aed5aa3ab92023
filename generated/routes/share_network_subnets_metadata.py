"""Routes of ``share_network_subnets_metadata``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_network_subnets.metadata.list", "GET", "/share-networks/{share_network_id}/subnets/{resource_id}/metadata", None, 78, 99, False, None, None, None, "MetadataResponse", 200, ("share_network_subnet:get_metadata",), False),
    Route("share_network_subnets.metadata.create", "POST", "/share-networks/{share_network_id}/subnets/{resource_id}/metadata", None, 78, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_network_subnet:update_metadata",), False),
    Route("share_network_subnets.metadata.update_all", "PUT", "/share-networks/{share_network_id}/subnets/{resource_id}/metadata", None, 78, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_network_subnet:update_metadata",), False),
    Route("share_network_subnets.metadata.delete_item", "DELETE", "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}", None, 78, 99, False, None, None, None, None, 200, ("share_network_subnet:delete_metadata",), False),
    Route("share_network_subnets.metadata.show_item", "GET", "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}", None, 78, 99, False, None, None, None, "MetadataItemResponse", 200, ("share_network_subnet:get_metadata",), False),
    Route("share_network_subnets.metadata.update_item", "POST", "/share-networks/{share_network_id}/subnets/{resource_id}/metadata/{key}", None, 78, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_network_subnet:update_metadata",), False),
)
