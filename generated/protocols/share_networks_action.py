"""The operations of ``handlers.share_networks_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareNetworksAction(Protocol[C, R]):
    """Handlers behind /share-networks/{id}/action."""

    async def add_security_service(self, call: C) -> R:
        """POST /share-networks/{id}/action ``add_security_service``: from 2.0.

        Rules left to the handler: ``share:list_all_projects`` (changes the answer only, on some paths);
        ``share:list_by_host`` (403, on some paths); ``share:list_by_share_server_id`` (403, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (403 or silently, as the request has it, on some
        paths); ``share_network:add_security_service`` (403); ``share_types_extra_spec:index`` (403, on some
        paths).
        """

    async def add_security_service_check(self, call: C) -> R:
        """POST /share-networks/{id}/action ``add_security_service_check``: from 2.63.

        Rules left to the handler: ``share:list_all_projects`` (changes the answer only, on some paths);
        ``share:list_by_host`` (403, on some paths); ``share:list_by_share_server_id`` (403, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (403 or silently, as the request has it, on some
        paths); ``share_network:add_security_service_check`` (403); ``share_types_extra_spec:index`` (403, on
        some paths).
        """

    async def remove_security_service(self, call: C) -> R:
        """POST /share-networks/{id}/action ``remove_security_service``: from 2.0.

        Rules left to the handler: ``share_network:remove_security_service`` (403).
        """

    async def reset_status(self, call: C) -> R:
        """POST /share-networks/{id}/action ``reset_status``: from 2.63.

        Rules left to the handler: ``share_network:reset_status`` (403).
        """

    async def share_network_subnet_create_check(self, call: C) -> R:
        """POST /share-networks/{id}/action ``share_network_subnet_create_check``: from 2.70.

        No policy rule is checked although share_network:subnet_create_check exists.
        """

    async def update_security_service(self, call: C) -> R:
        """POST /share-networks/{id}/action ``update_security_service``: from 2.63.

        Rules left to the handler: ``share:list_all_projects`` (changes the answer only, on some paths);
        ``share:list_by_host`` (403, on some paths); ``share:list_by_share_server_id`` (403, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (403 or silently, as the request has it, on some
        paths); ``share_network:update_security_service`` (403); ``share_types_extra_spec:index`` (403, on
        some paths).
        """

    async def update_security_service_check(self, call: C) -> R:
        """POST /share-networks/{id}/action ``update_security_service_check``: from 2.63.

        Rules left to the handler: ``share:list_all_projects`` (changes the answer only, on some paths);
        ``share:list_by_host`` (403, on some paths); ``share:list_by_share_server_id`` (403, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (403 or silently, as the request has it, on some
        paths); ``share_network:update_security_service_check`` (403); ``share_types_extra_spec:index`` (403,
        on some paths).
        """
