"""Routes of ``share_networks``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_networks.list", "GET", "/share-networks", None, 0, 99, False, None, None, None, "ShareNetworksResponse", 200, (), False),
    Route("share_networks.create", "POST", "/share-networks", None, 0, 50, False, "ShareNetworkCreateRequest_v2_0", None, None, "ShareNetworkResponse", 200, (), False),
    Route("share_networks.create", "POST", "/share-networks", None, 51, 99, False, "ShareNetworkCreateRequest_v2_51", None, None, "ShareNetworkResponse", 200, (), False),
    Route("share_networks.detail", "GET", "/share-networks/detail", None, 0, 99, False, None, None, None, "ShareNetworksDetailResponse", 200, (), False),
    Route("share_networks.delete", "DELETE", "/share-networks/{id}", None, 0, 99, False, None, None, None, None, 202, (), False),
    Route("share_networks.show", "GET", "/share-networks/{id}", None, 0, 99, False, None, None, None, "ShareNetworkResponse", 200, (), False),
    Route("share_networks.update", "PUT", "/share-networks/{id}", None, 0, 99, False, "ShareNetworkUpdateRequest", None, None, "ShareNetworkResponse", 200, (), False),
)
