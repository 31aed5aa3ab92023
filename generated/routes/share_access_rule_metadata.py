"""Routes of ``share_access_rule_metadata``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_access_rule_metadata.update", "PUT", "/share-access-rules/{access_id}/metadata", None, 45, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_access_metadata:update",), False),
    Route("share_access_rule_metadata.delete", "DELETE", "/share-access-rules/{access_id}/metadata/{key}", None, 45, 99, False, None, None, None, None, 200, ("share_access_metadata:delete",), False),
)
