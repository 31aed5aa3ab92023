"""Dispatch rows of ``handlers.share_access_rules``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_access_rules.list",
        "GET",
        "/share-access-rules",
        rules=("share_access_rule:index",),
        presence_first=True,
        variants=(
            Variant(45, 81, 200, view="share_access_rule_summary"),
            Variant(82, LATEST, 200, view="share_access_rule_summary"),
        ),
    ),
    *rows(
        "share_access_rules.show",
        "GET",
        "/share-access-rules/{id}",
        rules=("share_access_rule:get",),
        variants=(Variant(45, LATEST, 200, view="share_access_rule"),),
    ),
    *rows(
        "share_access_rules.update",
        "PUT",
        "/share-access-rules/{id}",
        rules=("share_access_rule:update",),
        variants=(Variant(88, LATEST, 200, body="AccessRuleUpdateRequest", view="share_access_rule"),),
    ),
)
