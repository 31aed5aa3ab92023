"""The operations of ``handlers.share_access_rules``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareAccessRules(Protocol[C, R]):
    """Handlers behind /share-access-rules, /share-access-rules/{id}."""

    async def list(self, call: C) -> R:
        """GET /share-access-rules: from 2.45.

        Rules left to the handler: ``resource_lock:bypass_locked_show_action`` (403, on some paths);
        ``resource_lock:get_all_projects`` (changes the answer only, on some paths); ``share:access_get_all``
        (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Share_id is mandatory: 400 without it.
        """

    async def show(self, call: C) -> R:
        """GET /share-access-rules/{id}: from 2.45.

        Rules left to the handler: ``resource_lock:bypass_locked_show_action`` (403, on some paths);
        ``resource_lock:get_all_projects`` (changes the answer only, on some paths); ``share:access_get``
        (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def update(self, call: C) -> R:
        """PUT /share-access-rules/{id}: from 2.88.

        Rules left to the handler: ``share:access_get`` (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """
