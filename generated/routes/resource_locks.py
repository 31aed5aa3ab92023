"""Dispatch rows of ``handlers.resource_locks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "resource_locks.create",
        "POST",
        "/resource-locks",
        rules=("resource_lock:create",),
        variants=(
            Variant(
                81,
                LATEST,
                200,
                body="ResourceLockCreateRequest",
                schema="resource_locks.create_request_body",
                view="resource_lock",
            ),
        ),
    ),
    *rows(
        "resource_locks.delete",
        "DELETE",
        "/resource-locks/{id}",
        rules=("resource_lock:delete",),
        presence_first=True,
        variants=(Variant(81, LATEST, 204),),
    ),
    *rows(
        "resource_locks.list",
        "GET",
        "/resource-locks",
        rules=("resource_lock:get_all",),
        variants=(Variant(81, LATEST, 200, query="resource_locks.index_request_query"),),
    ),
    *rows(
        "resource_locks.show",
        "GET",
        "/resource-locks/{id}",
        rules=("resource_lock:get",),
        variants=(Variant(81, LATEST, 200, query="resource_locks.show_request_query", view="resource_lock"),),
    ),
    *rows(
        "resource_locks.update",
        "PUT",
        "/resource-locks/{id}",
        rules=("resource_lock:update",),
        body_first=True,
        presence_first=True,
        variants=(
            Variant(
                81,
                LATEST,
                200,
                body="ResourceLockUpdateRequest",
                schema="resource_locks.update_request_body",
                view="resource_lock",
            ),
        ),
    ),
)
