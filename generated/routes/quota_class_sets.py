"""Dispatch rows of ``handlers.quota_class_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "quota_class_sets.show",
        "GET",
        "/quota-class-sets/{id}",
        rules=("quota_class_set:show",),
        presence_first=True,
        variants=(Variant(7, LATEST, 200, query="quota_class_sets.show_request_query", view="quota_class_set"),),
    ),
    *rows(
        "quota_class_sets.update",
        "PUT",
        "/quota-class-sets/{id}",
        rules=("quota_class_set:update",),
        body_first=True,
        presence_first=True,
        variants=(
            Variant(
                7,
                52,
                200,
                body="QuotaClassSetUpdateRequestV27",
                schema="quota_class_sets.update_request_body",
                view="quota_class_set_updated",
            ),
            Variant(
                53,
                61,
                200,
                body="QuotaClassSetUpdateRequestV253",
                schema="quota_class_sets.update_request_body_v253",
                view="quota_class_set_updated",
            ),
            Variant(
                62,
                79,
                200,
                body="QuotaClassSetUpdateRequestV262",
                schema="quota_class_sets.update_request_body_v262",
                view="quota_class_set_updated",
            ),
            Variant(
                80,
                89,
                200,
                body="QuotaClassSetUpdateRequestV280",
                schema="quota_class_sets.update_request_body_v280",
                view="quota_class_set_updated",
            ),
            Variant(
                90,
                LATEST,
                200,
                body="QuotaClassSetUpdateRequestV290",
                schema="quota_class_sets.update_request_body_v290",
                view="quota_class_set_updated",
            ),
        ),
    ),
)
