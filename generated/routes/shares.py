"""Routes of ``shares``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("shares.list", "GET", "/shares", None, 0, 99, False, None, None, None, "SharesResponse", 200, ("share:get_all",), False),
    Route("shares.create", "POST", "/shares", None, 0, 23, False, "ShareCreateRequest_v2_0", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 24, 30, False, "ShareCreateRequest_v2_0", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 31, 47, False, "ShareCreateRequest_v2_31", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 48, 64, False, "ShareCreateRequest_v2_31", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 65, 66, False, "ShareCreateRequest_v2_65", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 67, 83, False, "ShareCreateRequest_v2_67", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 84, 89, False, "ShareCreateRequest_v2_84", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.create", "POST", "/shares", None, 90, 99, False, "ShareCreateRequest_v2_90", None, None, "ShareResponse", 200, ("share:create",), False),
    Route("shares.detail", "GET", "/shares/detail", None, 0, 99, False, None, None, None, "SharesDetailResponse", 200, ("share:get_all",), False),
    Route("shares.manage", "POST", "/shares/manage", None, 7, 7, False, "ShareManageRequest_v2_7", None, None, "ShareResponse", 200, ("share:manage",), False),
    Route("shares.manage", "POST", "/shares/manage", None, 8, 48, False, "ShareManageRequest_v2_8", None, None, "ShareResponse", 200, ("share:manage",), False),
    Route("shares.manage", "POST", "/shares/manage", None, 49, 91, False, "ShareManageRequest_v2_49", None, None, "ShareResponse", 200, ("share:manage",), False),
    Route("shares.manage", "POST", "/shares/manage", None, 92, 99, False, "ShareManageRequest_v2_92", None, None, "ShareResponse", 200, ("share:manage",), False),
    Route("shares.delete", "DELETE", "/shares/{id}", None, 0, 99, False, None, None, None, None, 202, ("share:delete",), False),
    Route("shares.show", "GET", "/shares/{id}", None, 0, 99, False, None, None, None, "ShareResponse", 200, ("share:get",), False),
    Route("shares.update", "PUT", "/shares/{id}", None, 0, 99, False, "ShareUpdateRequest", None, None, "ShareResponse", 200, ("share:update",), False),
    Route("shares.migration_progress", "GET", "/shares/{id}/migration-progress", None, 98, 99, False, None, None, None, "ShareMigrationProgress", 200, ("share:migration_get_progress",), False),
)
