"""Routes of ``quota_class_sets``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("quota_class_sets.show", "GET", "/quota-class-sets/{id}", None, 7, 99, False, None, None, "quota_class_sets.show_request_query", "QuotaClassSetResponse", 200, ("quota_class_set:show",), False),
    Route("quota_class_sets.update", "PUT", "/quota-class-sets/{id}", None, 7, 52, False, "QuotaClassSetUpdateRequest_v2_7", "quota_class_sets.update_request_body", None, "QuotaClassSetUpdateResponse", 200, ("quota_class_set:update",), True),
    Route("quota_class_sets.update", "PUT", "/quota-class-sets/{id}", None, 53, 61, False, "QuotaClassSetUpdateRequest_v2_53", "quota_class_sets.update_request_body_v253", None, "QuotaClassSetUpdateResponse", 200, ("quota_class_set:update",), True),
    Route("quota_class_sets.update", "PUT", "/quota-class-sets/{id}", None, 62, 79, False, "QuotaClassSetUpdateRequest_v2_62", "quota_class_sets.update_request_body_v262", None, "QuotaClassSetUpdateResponse", 200, ("quota_class_set:update",), True),
    Route("quota_class_sets.update", "PUT", "/quota-class-sets/{id}", None, 80, 89, False, "QuotaClassSetUpdateRequest_v2_80", "quota_class_sets.update_request_body_v280", None, "QuotaClassSetUpdateResponse", 200, ("quota_class_set:update",), True),
    Route("quota_class_sets.update", "PUT", "/quota-class-sets/{id}", None, 90, 99, False, "QuotaClassSetUpdateRequest_v2_90", "quota_class_sets.update_request_body_v290", None, "QuotaClassSetUpdateResponse", 200, ("quota_class_set:update",), True),
)
