"""Routes of ``messages``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("messages.list", "GET", "/messages", None, 37, 51, False, None, None, "messages.index_request_query", "MessagesResponse", 200, ("message:get_all",), False),
    Route("messages.list", "GET", "/messages", None, 52, 99, False, None, None, "messages.index_request_query_v252", "MessagesResponse", 200, ("message:get_all",), False),
    Route("messages.delete", "DELETE", "/messages/{id}", None, 37, 99, False, None, None, None, None, 204, ("message:delete",), False),
    Route("messages.show", "GET", "/messages/{id}", None, 37, 99, False, None, None, "messages.show_request_query", "MessageResponse", 200, ("message:get",), False),
)
