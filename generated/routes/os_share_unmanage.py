"""Routes of ``os_share_unmanage``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("os_share_unmanage.unmanage", "POST", "/os-share-unmanage/{id}/unmanage", None, 0, 6, False, None, None, None, None, 202, ("share:unmanage",), False),
)
