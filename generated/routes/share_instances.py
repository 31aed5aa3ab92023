"""Routes of ``share_instances``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_instances.list", "GET", "/share_instances", None, 3, 34, False, None, None, None, "ShareInstancesResponse", 200, ("share_instance:index",), False),
    Route("share_instances.list", "GET", "/share_instances", None, 35, 68, False, None, None, None, "ShareInstancesResponse", 200, ("share_instance:index",), False),
    Route("share_instances.list", "GET", "/share_instances", None, 69, 99, False, None, None, None, "ShareInstancesResponse", 200, ("share_instance:index",), False),
    Route("share_instances.show", "GET", "/share_instances/{id}", None, 3, 99, False, None, None, None, "ShareInstanceResponse", 200, ("share_instance:show",), False),
    Route("share_instances.list_by_share", "GET", "/shares/{share_id}/instances", None, 3, 99, False, None, None, None, "ShareInstancesResponse", 200, ("share_instance:index",), False),
)
