"""Routes of ``resource_locks``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("resource_locks.list", "GET", "/resource-locks", None, 81, 99, False, None, None, "resource_locks.index_request_query", "ResourceLocksResponse", 200, ("resource_lock:get_all",), False),
    Route("resource_locks.create", "POST", "/resource-locks", None, 81, 99, False, "ResourceLockCreateRequest", "resource_locks.create_request_body", None, "ResourceLockResponse", 200, ("resource_lock:create",), False),
    Route("resource_locks.delete", "DELETE", "/resource-locks/{id}", None, 81, 99, False, None, None, None, None, 204, ("resource_lock:delete",), False),
    Route("resource_locks.show", "GET", "/resource-locks/{id}", None, 81, 99, False, None, None, "resource_locks.show_request_query", "ResourceLockResponse", 200, ("resource_lock:get",), False),
    Route("resource_locks.update", "PUT", "/resource-locks/{id}", None, 81, 99, False, "ResourceLockUpdateRequest", "resource_locks.update_request_body", None, "ResourceLockResponse", 200, ("resource_lock:update",), True),
)
