"""Routes of ``os_availability_zones``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("os_availability_zones.list", "GET", "/os-availability-zone", None, 0, 6, False, None, None, "availability_zones.index_request_query", "AvailabilityZonesResponse", 200, ("availability_zone:index",), False),
)
