"""Routes of ``share_groups``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_groups.list", "GET", "/share-groups", None, 31, 54, True, None, None, None, "ShareGroupsResponse", 200, ("share_group:get_all",), False),
    Route("share_groups.list", "GET", "/share-groups", None, 55, 99, False, None, None, None, "ShareGroupsResponse", 200, ("share_group:get_all",), False),
    Route("share_groups.create", "POST", "/share-groups", None, 31, 54, True, "ShareGroupCreateRequest", None, None, "ShareGroupResponse", 202, ("share_group:create",), False),
    Route("share_groups.create", "POST", "/share-groups", None, 55, 99, False, "ShareGroupCreateRequest", None, None, "ShareGroupResponse", 202, ("share_group:create",), False),
    Route("share_groups.detail", "GET", "/share-groups/detail", None, 31, 54, True, None, None, None, "ShareGroupsDetailResponse", 200, ("share_group:get_all",), False),
    Route("share_groups.detail", "GET", "/share-groups/detail", None, 55, 99, False, None, None, None, "ShareGroupsDetailResponse", 200, ("share_group:get_all",), False),
    Route("share_groups.delete", "DELETE", "/share-groups/{id}", None, 31, 54, True, None, None, None, None, 202, ("share_group:delete",), False),
    Route("share_groups.delete", "DELETE", "/share-groups/{id}", None, 55, 99, False, None, None, None, None, 202, ("share_group:delete",), False),
    Route("share_groups.show", "GET", "/share-groups/{id}", None, 31, 54, True, None, None, None, "ShareGroupResponse", 200, ("share_group:get",), False),
    Route("share_groups.show", "GET", "/share-groups/{id}", None, 55, 99, False, None, None, None, "ShareGroupResponse", 200, ("share_group:get",), False),
    Route("share_groups.update", "PUT", "/share-groups/{id}", None, 31, 54, True, "ShareGroupUpdateRequest", None, None, "ShareGroupResponse", 200, ("share_group:update",), False),
    Route("share_groups.update", "PUT", "/share-groups/{id}", None, 55, 99, False, "ShareGroupUpdateRequest", None, None, "ShareGroupResponse", 200, ("share_group:update",), False),
)
