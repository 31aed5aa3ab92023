"""The operations of ``handlers.share_access_rule_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareAccessRuleMetadata(Protocol[C, R]):
    """Handlers behind /share-access-rules/{access_id}/metadata, /share-access-rules/{access_id}/metadata/{key}."""

    async def delete(self, call: C) -> R:
        """DELETE /share-access-rules/{access_id}/metadata/{key}: from 2.45.

        Rules left to the handler: ``share:access_get`` (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def update(self, call: C) -> R:
        """PUT /share-access-rules/{access_id}/metadata: from 2.45.

        Rules left to the handler: ``share:access_get`` (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """
