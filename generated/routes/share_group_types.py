"""Routes of ``share_group_types``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_group_types.list", "GET", "/share-group-types", None, 31, 54, True, None, None, None, "ShareGroupTypesResponse", 200, ("share_group_type:index",), False),
    Route("share_group_types.list", "GET", "/share-group-types", None, 55, 99, False, None, None, None, "ShareGroupTypesResponse", 200, ("share_group_type:index",), False),
    Route("share_group_types.create", "POST", "/share-group-types", None, 31, 54, True, "ShareGroupTypeCreateRequest", None, None, "ShareGroupTypeResponse", 200, ("share_group_type:create",), False),
    Route("share_group_types.create", "POST", "/share-group-types", None, 55, 99, False, "ShareGroupTypeCreateRequest", None, None, "ShareGroupTypeResponse", 200, ("share_group_type:create",), False),
    Route("share_group_types.default", "GET", "/share-group-types/default", None, 31, 54, True, None, None, None, "ShareGroupTypeResponse", 200, ("share_group_type:default",), False),
    Route("share_group_types.default", "GET", "/share-group-types/default", None, 55, 99, False, None, None, None, "ShareGroupTypeResponse", 200, ("share_group_type:default",), False),
    Route("share_group_types.delete", "DELETE", "/share-group-types/{id}", None, 31, 54, True, None, None, None, None, 204, ("share_group_type:delete",), False),
    Route("share_group_types.delete", "DELETE", "/share-group-types/{id}", None, 55, 99, False, None, None, None, None, 204, ("share_group_type:delete",), False),
    Route("share_group_types.show", "GET", "/share-group-types/{id}", None, 31, 54, True, None, None, None, "ShareGroupTypeResponse", 200, ("share_group_type:show",), False),
    Route("share_group_types.show", "GET", "/share-group-types/{id}", None, 55, 99, False, None, None, None, "ShareGroupTypeResponse", 200, ("share_group_type:show",), False),
    Route("share_group_types.list_access", "GET", "/share-group-types/{id}/access", None, 31, 54, True, None, None, None, "ShareGroupTypeAccessResponse", 200, ("share_group_type:list_project_access",), False),
    Route("share_group_types.list_access", "GET", "/share-group-types/{id}/access", None, 55, 99, False, None, None, None, "ShareGroupTypeAccessResponse", 200, ("share_group_type:list_project_access",), False),
)
