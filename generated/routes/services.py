"""Dispatch rows of ``handlers.services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "services.ensure_shares",
        "POST",
        "/services/ensure-shares",
        rules=("service:ensure_shares",),
        variants=(
            Variant(86, LATEST, 202, body="ServiceEnsureSharesRequest", schema="services.ensure_shares_request_body"),
        ),
    ),
    *rows(
        "services.list",
        "GET",
        "/services",
        rules=("service:index",),
        presence_first=True,
        variants=(
            Variant(7, 85, 200, view="service"),
            Variant(86, 92, 200, view="service"),
            Variant(93, LATEST, 200, view="service"),
        ),
    ),
    *rows(
        "services.update",
        "PUT",
        "/services/{id}",
        rules=("service:update",),
        presence_first=True,
        variants=(
            Variant(7, 82, 200, body="ServiceToggleV20", view="service_update"),
            Variant(83, LATEST, 200, body="ServiceToggleV283", view="service_update"),
        ),
    ),
)
