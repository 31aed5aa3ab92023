"""Dispatch rows of ``handlers.quota_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "quota_sets.defaults",
        "GET",
        "/quota-sets/{id}/defaults",
        rules=("quota_set:show",),
        presence_first=True,
        variants=(Variant(7, LATEST, 200, view="quota_set"),),
    ),
    *rows("quota_sets.delete", "DELETE", "/quota-sets/{id}", presence_first=True, variants=(Variant(7, LATEST, 202),)),
    *rows(
        "quota_sets.detail",
        "GET",
        "/quota-sets/{id}/detail",
        presence_first=True,
        variants=(Variant(25, LATEST, 200, view="quota_set_detail"),),
    ),
    *rows(
        "quota_sets.show",
        "GET",
        "/quota-sets/{id}",
        presence_first=True,
        variants=(Variant(7, LATEST, 200, view="quota_set"),),
    ),
    *rows(
        "quota_sets.update",
        "PUT",
        "/quota-sets/{id}",
        presence_first=True,
        variants=(
            Variant(7, 39, 200, body="QuotaSetUpdateRequestV20", view="quota_set_updated"),
            Variant(40, 52, 200, body="QuotaSetUpdateRequestV240", view="quota_set_updated"),
            Variant(53, 61, 200, body="QuotaSetUpdateRequestV253", view="quota_set_updated"),
            Variant(62, 79, 200, body="QuotaSetUpdateRequestV262", view="quota_set_updated"),
            Variant(80, 89, 200, body="QuotaSetUpdateRequestV280", view="quota_set_updated"),
            Variant(90, LATEST, 200, body="QuotaSetUpdateRequestV290", view="quota_set_updated"),
        ),
    ),
)
