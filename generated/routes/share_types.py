"""Routes of ``share_types``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_types.list", "GET", "/types", None, 0, 99, False, None, None, None, "ShareTypesResponse", 200, ("share_type:index",), False),
    Route("share_types.create", "POST", "/types", None, 0, 23, False, "ShareTypeCreateRequest_v2_0", None, None, "ShareTypeResponse", 200, ("share_type:create",), False),
    Route("share_types.create", "POST", "/types", None, 24, 40, False, "ShareTypeCreateRequest_v2_0", None, None, "ShareTypeResponse", 200, ("share_type:create",), False),
    Route("share_types.create", "POST", "/types", None, 41, 99, False, "ShareTypeCreateRequest_v2_41", None, None, "ShareTypeResponse", 200, ("share_type:create",), False),
    Route("share_types.default", "GET", "/types/default", None, 0, 99, False, None, None, None, "ShareTypeResponse", 200, ("share_type:default",), False),
    Route("share_types.delete", "DELETE", "/types/{id}", None, 0, 99, False, None, None, None, None, 202, ("share_type:delete",), False),
    Route("share_types.show", "GET", "/types/{id}", None, 0, 99, False, None, None, None, "ShareTypeResponse", 200, ("share_type:show",), False),
    Route("share_types.update", "PUT", "/types/{id}", None, 50, 99, False, "ShareTypeUpdateRequest", None, None, "ShareTypeResponse", 200, ("share_type:update",), False),
    Route("share_types.os_list_access", "GET", "/types/{id}/os-share-type-access", None, 0, 99, False, None, None, None, "ShareTypeAccessResponse", 200, ("share_type:list_project_access",), False),
    Route("share_types.list_access", "GET", "/types/{id}/share_type_access", None, 0, 99, False, None, None, None, "ShareTypeAccessResponse", 200, ("share_type:list_project_access",), False),
)
