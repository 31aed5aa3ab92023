"""Dispatch rows of ``handlers.messages``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "messages.delete", "DELETE", "/messages/{id}", rules=("message:delete",), variants=(Variant(37, LATEST, 204),)
    ),
    *rows(
        "messages.list",
        "GET",
        "/messages",
        rules=("message:get_all",),
        variants=(
            Variant(37, 51, 200, query="messages.index_request_query"),
            Variant(52, LATEST, 200, query="messages.index_request_query_v252"),
        ),
    ),
    *rows(
        "messages.show",
        "GET",
        "/messages/{id}",
        rules=("message:get",),
        variants=(Variant(37, LATEST, 200, query="messages.show_request_query", view="message"),),
    ),
)
