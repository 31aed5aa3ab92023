"""Routes of ``qos_type_specs``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("qos_type_specs.list", "GET", "/qos-types/{id}/specs", None, 94, 99, False, None, None, None, "QosTypeSpecsResponse", 200, ("qos_type_specs:index",), False),
    Route("qos_type_specs.create", "POST", "/qos-types/{id}/specs", None, 94, 99, False, "QosTypeSpecsCreateRequest", None, None, "QosTypeSpecsResponse", 200, ("qos_type_specs:create",), False),
    Route("qos_type_specs.delete", "DELETE", "/qos-types/{id}/specs/{key}", None, 94, 99, False, None, None, None, None, 204, ("qos_type_specs:delete",), False),
    Route("qos_type_specs.show", "GET", "/qos-types/{id}/specs/{key}", None, 94, 99, False, None, None, None, "SingleSpecResponse", 200, ("qos_type_specs:show",), False),
    Route("qos_type_specs.update", "PUT", "/qos-types/{id}/specs/{key}", None, 94, 99, False, "SingleSpecRequest", None, None, "SingleSpecResponse", 200, ("qos_type_specs:update",), False),
)
