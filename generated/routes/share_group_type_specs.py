"""Routes of ``share_group_type_specs``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_group_type_specs.list", "GET", "/share-group-types/{id}/group-specs", None, 31, 54, True, None, None, None, "GroupSpecsResponse", 200, ("share_group_types_spec:index",), False),
    Route("share_group_type_specs.list", "GET", "/share-group-types/{id}/group-specs", None, 55, 99, False, None, None, None, "GroupSpecsResponse", 200, ("share_group_types_spec:index",), False),
    Route("share_group_type_specs.create", "POST", "/share-group-types/{id}/group-specs", None, 31, 54, True, "ShareGroupTypeSpecsCreateRequest", None, None, "GroupSpecsResponse", 200, ("share_group_types_spec:create",), False),
    Route("share_group_type_specs.create", "POST", "/share-group-types/{id}/group-specs", None, 55, 99, False, "ShareGroupTypeSpecsCreateRequest", None, None, "GroupSpecsResponse", 200, ("share_group_types_spec:create",), False),
    Route("share_group_type_specs.delete", "DELETE", "/share-group-types/{id}/group-specs/{key}", None, 31, 54, True, None, None, None, None, 204, ("share_group_types_spec:delete",), False),
    Route("share_group_type_specs.delete", "DELETE", "/share-group-types/{id}/group-specs/{key}", None, 55, 99, False, None, None, None, None, 204, ("share_group_types_spec:delete",), False),
    Route("share_group_type_specs.show", "GET", "/share-group-types/{id}/group-specs/{key}", None, 31, 54, True, None, None, None, "SingleSpecResponse", 200, ("share_group_types_spec:show",), False),
    Route("share_group_type_specs.show", "GET", "/share-group-types/{id}/group-specs/{key}", None, 55, 99, False, None, None, None, "SingleSpecResponse", 200, ("share_group_types_spec:show",), False),
    Route("share_group_type_specs.update", "PUT", "/share-group-types/{id}/group-specs/{key}", None, 31, 54, True, "SingleSpecRequest", None, None, "SingleSpecResponse", 200, ("share_group_types_spec:update",), False),
    Route("share_group_type_specs.update", "PUT", "/share-group-types/{id}/group-specs/{key}", None, 55, 99, False, "SingleSpecRequest", None, None, "SingleSpecResponse", 200, ("share_group_types_spec:update",), False),
)
