"""Routes of ``share_type_extra_specs``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_type_extra_specs.list", "GET", "/types/{type_id}/extra_specs", None, 0, 99, False, None, None, None, "ExtraSpecsResponse", 200, ("share_types_extra_spec:index",), False),
    Route("share_type_extra_specs.create", "POST", "/types/{type_id}/extra_specs", None, 0, 99, False, "ShareTypeExtraSpecsCreateRequest", None, None, "ExtraSpecsResponse", 200, ("share_types_extra_spec:create",), False),
    Route("share_type_extra_specs.delete", "DELETE", "/types/{type_id}/extra_specs/{id}", None, 0, 23, False, None, None, None, None, 202, ("share_types_extra_spec:delete",), False),
    Route("share_type_extra_specs.delete", "DELETE", "/types/{type_id}/extra_specs/{id}", None, 24, 99, False, None, None, None, None, 202, ("share_types_extra_spec:delete",), False),
    Route("share_type_extra_specs.show", "GET", "/types/{type_id}/extra_specs/{id}", None, 0, 99, False, None, None, None, "SingleSpecResponse", 200, ("share_types_extra_spec:show",), False),
    Route("share_type_extra_specs.update", "PUT", "/types/{type_id}/extra_specs/{id}", None, 0, 99, False, "SingleSpecRequest", None, None, "SingleSpecResponse", 200, ("share_types_extra_spec:update",), False),
)
