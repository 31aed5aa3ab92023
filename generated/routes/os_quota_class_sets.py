"""Routes of ``os_quota_class_sets``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("os_quota_class_sets.show", "GET", "/os-quota-class-sets/{id}", None, 0, 6, False, None, None, "quota_class_sets.show_request_query", "QuotaClassSetResponse", 200, ("quota_class_set:show",), False),
    Route("os_quota_class_sets.update", "PUT", "/os-quota-class-sets/{id}", None, 0, 6, False, "QuotaClassSetUpdateRequest", "quota_class_sets.update_request_body", None, "QuotaClassSetUpdateResponse", 200, ("quota_class_set:update",), True),
)
