"""Routes of ``share_network_subnets``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_network_subnets.list", "GET", "/share-networks/{share_network_id}/subnets", None, 51, 99, False, None, None, None, "ShareNetworkSubnetsResponse", 200, ("share_network_subnet:index",), False),
    Route("share_network_subnets.create", "POST", "/share-networks/{share_network_id}/subnets", None, 51, 77, False, "ShareNetworkSubnetCreateRequest_v2_51", None, None, "ShareNetworkSubnetResponse", 200, ("share_network_subnet:create",), False),
    Route("share_network_subnets.create", "POST", "/share-networks/{share_network_id}/subnets", None, 78, 99, False, "ShareNetworkSubnetCreateRequest_v2_78", None, None, "ShareNetworkSubnetResponse", 200, ("share_network_subnet:create",), False),
    Route("share_network_subnets.delete", "DELETE", "/share-networks/{share_network_id}/subnets/{share_network_subnet_id}", None, 51, 99, False, None, None, None, None, 202, ("share_network_subnet:delete",), False),
    Route("share_network_subnets.show", "GET", "/share-networks/{share_network_id}/subnets/{share_network_subnet_id}", None, 51, 99, False, None, None, None, "ShareNetworkSubnetResponse", 200, ("share_network_subnet:show",), False),
)
