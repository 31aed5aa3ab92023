"""Routes of ``availability_zones``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("availability_zones.list", "GET", "/availability-zones", None, 7, 99, False, None, None, "availability_zones.index_request_query", "AvailabilityZonesResponse", 200, ("availability_zone:index",), False),
)
