"""Routes of ``quota_sets``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("quota_sets.delete", "DELETE", "/quota-sets/{id}", None, 7, 99, False, None, None, None, None, 202, ("quota_set:delete",), False),
    Route("quota_sets.show", "GET", "/quota-sets/{id}", None, 7, 99, False, None, None, None, "QuotaSetResponse", 200, ("quota_set:show",), False),
    Route("quota_sets.update", "PUT", "/quota-sets/{id}", None, 7, 39, False, "QuotaSetUpdateRequest_v2_0", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("quota_sets.update", "PUT", "/quota-sets/{id}", None, 40, 52, False, "QuotaSetUpdateRequest_v2_40", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("quota_sets.update", "PUT", "/quota-sets/{id}", None, 53, 61, False, "QuotaSetUpdateRequest_v2_53", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("quota_sets.update", "PUT", "/quota-sets/{id}", None, 62, 79, False, "QuotaSetUpdateRequest_v2_62", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("quota_sets.update", "PUT", "/quota-sets/{id}", None, 80, 89, False, "QuotaSetUpdateRequest_v2_80", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("quota_sets.update", "PUT", "/quota-sets/{id}", None, 90, 99, False, "QuotaSetUpdateRequest_v2_90", None, None, "QuotaSetUpdateResponse", 200, ("quota_set:update",), False),
    Route("quota_sets.defaults", "GET", "/quota-sets/{id}/defaults", None, 7, 99, False, None, None, None, "QuotaSetResponse", 200, ("quota_set:show",), False),
    Route("quota_sets.detail", "GET", "/quota-sets/{id}/detail", None, 25, 99, False, None, None, None, "QuotaSetDetailResponse", 200, ("quota_set:show",), False),
)
