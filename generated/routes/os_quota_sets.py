"""Routes of ``os_quota_sets``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("os_quota_sets.delete", "DELETE", "/os-quota-sets/{id}", None, 0, 6, False, None, None, None, None, 202, ("quota_set:delete",), False),
    Route("os_quota_sets.show", "GET", "/os-quota-sets/{id}", None, 0, 6, False, None, None, None, "QuotaSetResponse", 200, ("quota_set:show",), False),
    Route("os_quota_sets.update", "PUT", "/os-quota-sets/{id}", None, 0, 6, False, "QuotaSetUpdateRequest_v2_0", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("os_quota_sets.defaults", "GET", "/os-quota-sets/{id}/defaults", None, 0, 6, False, None, None, None, "QuotaSetResponse", 200, ("quota_set:show",), False),
)
