"""Routes of ``os_share_manage``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("os_share_manage.create", "POST", "/os-share-manage", None, 0, 6, False, "OsShareManageRequest", None, None, "ShareResponse", 200, ("share:manage",), False),
)
