"""Dispatch rows of ``handlers.os_quota_class_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "os_quota_class_sets.show",
        "GET",
        "/os-quota-class-sets/{id}",
        rules=("quota_class_set:show",),
        presence_first=True,
        variants=(Variant(0, 6, 200, query="quota_class_sets.show_request_query", view="quota_class_set"),),
    ),
    *rows(
        "os_quota_class_sets.update",
        "PUT",
        "/os-quota-class-sets/{id}",
        rules=("quota_class_set:update",),
        body_first=True,
        presence_first=True,
        variants=(
            Variant(
                0,
                6,
                200,
                body="QuotaClassSetUpdateRequest",
                schema="quota_class_sets.update_request_body",
                view="quota_class_set_updated",
            ),
        ),
    ),
)
