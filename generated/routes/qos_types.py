"""Routes of ``qos_types``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("qos_types.list", "GET", "/qos-types", None, 94, 99, False, None, None, None, "QosTypesResponse", 200, ("qos_type:index",), False),
    Route("qos_types.create", "POST", "/qos-types", None, 94, 99, False, "QosTypeCreateRequest", None, None, "QosTypeResponse", 200, ("qos_type:create",), False),
    Route("qos_types.delete", "DELETE", "/qos-types/{id}", None, 94, 99, False, None, None, None, None, 204, ("qos_type:delete",), False),
    Route("qos_types.show", "GET", "/qos-types/{id}", None, 94, 99, False, None, None, None, "QosTypeResponse", 200, ("qos_type:show",), False),
    Route("qos_types.update", "PUT", "/qos-types/{id}", None, 94, 99, False, "QosTypeUpdateRequest", None, None, "QosTypeResponse", 200, ("qos_type:update",), False),
)
