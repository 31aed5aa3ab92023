"""Routes of ``security_services``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("security_services.list", "GET", "/security-services", None, 0, 99, False, None, None, None, "SecurityServicesResponse", 200, (), False),
    Route("security_services.create", "POST", "/security-services", None, 0, 75, False, "SecurityServiceCreateRequest_v2_0", None, None, "SecurityServiceResponse", 200, (), False),
    Route("security_services.create", "POST", "/security-services", None, 76, 99, False, "SecurityServiceCreateRequest_v2_76", None, None, "SecurityServiceResponse", 200, (), False),
    Route("security_services.detail", "GET", "/security-services/detail", None, 0, 99, False, None, None, None, "SecurityServicesDetailResponse", 200, (), False),
    Route("security_services.delete", "DELETE", "/security-services/{id}", None, 0, 99, False, None, None, None, None, 202, (), False),
    Route("security_services.show", "GET", "/security-services/{id}", None, 0, 99, False, None, None, None, "SecurityServiceResponse", 200, (), False),
    Route("security_services.update", "PUT", "/security-services/{id}", None, 0, 75, False, "SecurityServiceUpdateRequest_v2_0", None, None, "SecurityServiceResponse", 200, (), False),
    Route("security_services.update", "PUT", "/security-services/{id}", None, 76, 99, False, "SecurityServiceUpdateRequest_v2_76", None, None, "SecurityServiceResponse", 200, (), False),
)
