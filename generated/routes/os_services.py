"""Routes of ``os_services``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("os_services.list", "GET", "/os-services", None, 0, 6, False, None, None, None, "ServicesResponse", 200, ("service:index",), False),
    Route("os_services.update", "PUT", "/os-services/{id}", None, 0, 6, False, "ServiceToggle_v2_0", None, None, "ServiceUpdate", 200, ("service:update",), False),
)
