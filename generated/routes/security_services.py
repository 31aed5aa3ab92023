"""Dispatch rows of ``handlers.security_services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "security_services.create",
        "POST",
        "/security-services",
        variants=(
            Variant(0, 75, 200, body="SecurityServiceCreateRequestV20", view="security_service"),
            Variant(76, LATEST, 200, body="SecurityServiceCreateRequestV276", view="security_service"),
        ),
    ),
    *rows("security_services.delete", "DELETE", "/security-services/{id}", variants=(Variant(0, LATEST, 202),)),
    *rows(
        "security_services.detail",
        "GET",
        "/security-services/detail",
        variants=(Variant(0, LATEST, 200, view="security_service_list_item"),),
    ),
    *rows(
        "security_services.list",
        "GET",
        "/security-services",
        variants=(Variant(0, LATEST, 200, view="security_service_summary"),),
    ),
    *rows(
        "security_services.show",
        "GET",
        "/security-services/{id}",
        variants=(Variant(0, LATEST, 200, view="security_service"),),
    ),
    *rows(
        "security_services.update",
        "PUT",
        "/security-services/{id}",
        variants=(
            Variant(0, 75, 200, body="SecurityServiceUpdateRequestV20", view="security_service"),
            Variant(76, LATEST, 200, body="SecurityServiceUpdateRequestV276", view="security_service"),
        ),
    ),
)
