"""Routes of ``share_access_rules``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_access_rules.list", "GET", "/share-access-rules", None, 45, 81, False, None, None, None, "ShareAccessListResponse", 200, ("share_access_rule:index",), False),
    Route("share_access_rules.list", "GET", "/share-access-rules", None, 82, 99, False, None, None, None, "ShareAccessListResponse", 200, ("share_access_rule:index",), False),
    Route("share_access_rules.show", "GET", "/share-access-rules/{id}", None, 45, 99, False, None, None, None, "ShareAccessRuleResponse", 200, ("share_access_rule:get",), False),
    Route("share_access_rules.update", "PUT", "/share-access-rules/{id}", None, 88, 99, False, "AccessRuleUpdateRequest", None, None, "ShareAccessRuleResponse", 200, ("share_access_rule:update",), False),
)
