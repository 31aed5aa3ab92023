"""Routes of ``share_servers``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_servers.list", "GET", "/share-servers", None, 0, 99, False, None, None, None, "ShareServersResponse", 200, ("share_server:index",), False),
    Route("share_servers.manage", "POST", "/share-servers/manage", None, 49, 50, False, "ShareServerManageRequest_v2_49", None, None, "ShareServerResponse", 202, ("share_server:manage_share_server",), False),
    Route("share_servers.manage", "POST", "/share-servers/manage", None, 51, 99, False, "ShareServerManageRequest_v2_51", None, None, "ShareServerResponse", 202, ("share_server:manage_share_server",), False),
    Route("share_servers.delete", "DELETE", "/share-servers/{id}", None, 0, 99, False, None, None, None, None, 202, ("share_server:delete",), False),
    Route("share_servers.show", "GET", "/share-servers/{id}", None, 0, 99, False, None, None, None, "ShareServerResponse", 200, ("share_server:show",), False),
    Route("share_servers.details", "GET", "/share-servers/{id}/details", None, 0, 99, False, None, None, None, "ShareServerDetailsResponse", 200, ("share_server:details",), False),
)
