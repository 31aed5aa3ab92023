"""Routes of ``versions``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("versions.list", "GET", "/", None, 0, 99, False, None, None, None, "ApiVersionsResponse", 200, (), False),
)
