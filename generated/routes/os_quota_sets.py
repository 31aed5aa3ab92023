"""Dispatch rows of ``handlers.os_quota_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "os_quota_sets.defaults",
        "GET",
        "/os-quota-sets/{id}/defaults",
        rules=("quota_set:show",),
        presence_first=True,
        variants=(Variant(0, 6, 200, view="quota_set"),),
    ),
    *rows("os_quota_sets.delete", "DELETE", "/os-quota-sets/{id}", presence_first=True, variants=(Variant(0, 6, 202),)),
    *rows(
        "os_quota_sets.show",
        "GET",
        "/os-quota-sets/{id}",
        presence_first=True,
        variants=(Variant(0, 6, 200, view="quota_set"),),
    ),
    *rows(
        "os_quota_sets.update",
        "PUT",
        "/os-quota-sets/{id}",
        presence_first=True,
        variants=(Variant(0, 6, 200, body="QuotaSetUpdateRequestV20", view="quota_set_updated"),),
    ),
)
