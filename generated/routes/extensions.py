"""Routes of ``extensions``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("extensions.list", "GET", "/extensions", None, 0, 99, False, None, None, None, "ExtensionsResponse", 200, (), False),
    Route("extensions.show", "GET", "/extensions/{id}", None, 0, 99, False, None, None, None, "ExtensionResponse", 200, (), False),
)
