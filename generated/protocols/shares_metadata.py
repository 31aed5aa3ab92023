"""The operations of ``handlers.shares_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SharesMetadata(Protocol[C, R]):
    """Handlers behind /shares/{resource_id}/metadata, /shares/{resource_id}/metadata/{key}."""

    async def create(self, call: C) -> R:
        """POST /shares/{resource_id}/metadata: from 2.0.

        Rules left to the handler: ``share:get`` (403, on some paths); ``share:get`` (refused as 404, on some
        paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:update_admin_only_metadata`` (403, on some paths).
        """

    async def delete_item(self, call: C) -> R:
        """DELETE /shares/{resource_id}/metadata/{key}: from 2.0.

        Rules left to the handler: ``share:get`` (403, on some paths); ``share:update_admin_only_metadata``
        (403, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /shares/{resource_id}/metadata: from 2.0.

        Rules left to the handler: ``share:get`` (403, on some paths).
        """

    async def show_item(self, call: C) -> R:
        """GET /shares/{resource_id}/metadata/{key}: from 2.0.

        Rules left to the handler: ``share:get`` (403, on some paths).
        """

    async def update_all(self, call: C) -> R:
        """PUT /shares/{resource_id}/metadata: from 2.0.

        Rules left to the handler: ``share:get`` (403, on some paths); ``share:get`` (refused as 404, on some
        paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:update_admin_only_metadata`` (403, on some paths).
        """

    async def update_item(self, call: C) -> R:
        """POST /shares/{resource_id}/metadata/{key}: from 2.0.

        Rules left to the handler: ``share:get`` (403, on some paths); ``share:get`` (refused as 404, on some
        paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:update_admin_only_metadata`` (403, on some paths).
        Upstream tests that the body holds an object under meta and then uses the object under metadata:
        without meta 400, with meta alone an unhandled KeyError (500); the other resources need metadata only.
        Existing other keys are merged in before the entries are counted and give 400 "Request body contains
        too many items"; do not reproduce.
        """
