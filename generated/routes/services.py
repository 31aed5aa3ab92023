"""Routes of ``services``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("services.list", "GET", "/services", None, 7, 85, False, None, None, None, "ServicesResponse", 200, ("service:index",), False),
    Route("services.list", "GET", "/services", None, 86, 92, False, None, None, None, "ServicesResponse", 200, ("service:index",), False),
    Route("services.list", "GET", "/services", None, 93, 99, False, None, None, None, "ServicesResponse", 200, ("service:index",), False),
    Route("services.ensure_shares", "POST", "/services/ensure-shares", None, 86, 99, False, "ServiceEnsureSharesRequest", "services.ensure_shares_request_body", None, None, 202, ("service:ensure_shares",), False),
    Route("services.update", "PUT", "/services/{id}", None, 7, 82, False, "ServiceToggle_v2_0", None, None, "ServiceUpdate", 200, ("service:update",), False),
    Route("services.update", "PUT", "/services/{id}", None, 83, 99, False, "ServiceToggle_v2_83", None, None, "ServiceUpdate", 200, ("service:update",), False),
)
