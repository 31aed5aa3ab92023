"""The operations of ``handlers.shares``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Shares(Protocol[C, R]):
    """Handlers behind /shares, /shares/detail, /shares/manage, /shares/{id}, /shares/{id}/migration-progress."""

    async def create(self, call: C) -> R:
        """POST /shares: from 2.0.

        Rules left to the handler: ``share:create_public_share`` (403, on some paths); ``share:get`` (refused
        as 404, on some paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some
        paths); ``share_snapshot:get_snapshot`` (refused as 404, on some paths);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        Availability_zone is honoured in every microversion (history documents 2.1).
        Share_type and volume_type together: 400.
        Missing body key share: 422.
        Share_group_id of a group without availability zone: 404 "AvailabilityZoneNotFound: Availability zone
        None could not be found." (measured).
        Missing size or share_proto: unhandled KeyError upstream, 500.
        A share type with driver_handles_share_servers=True needs share_network_id unless snapshot_id or
        share_group_id is given: 400.
        Snapshot capability of the parent share is checked from 2.24, availability_zones of the type from
        2.48.
        Below 2.67 only_host is dropped from scheduler_hints; below 2.65 scheduler_hints is ignored, below
        2.90 encryption_key_ref, below 2.84 mount_point_name.
        """

    async def delete(self, call: C) -> R:
        """DELETE /shares/{id}: from 2.0.

        Rules left to the handler: ``share:delete`` (403); ``share:delete`` (403, on some paths);
        ``share:get`` (refused as 404, on some paths); ``share:list_shares_in_deferred_deletion_states``
        (refused as 404, on some paths).
        A share of a share group needs the query parameter share_group_id equal to its group, else 400.
        """

    async def detail(self, call: C) -> R:
        """GET /shares/detail: from 2.0.

        Rules left to the handler: ``share:list_all_projects`` (changes the answer only, on some paths);
        ``share:list_by_host`` (403, on some paths); ``share:list_by_share_server_id`` (403, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (403 or silently, as the request has it, on some
        paths); ``share_types_extra_spec:index`` (403, on some paths).
        With_count is not version-gated here (documented from 2.42).
        """

    async def list(self, call: C) -> R:
        """GET /shares: from 2.0.

        Rules left to the handler: ``share:list_all_projects`` (changes the answer only, on some paths);
        ``share:list_by_host`` (403, on some paths); ``share:list_by_share_server_id`` (403, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (403 or silently, as the request has it, on some
        paths); ``share_types_extra_spec:index`` (403, on some paths).
        With_count is dropped below 2.42.
        """

    async def manage(self, call: C) -> R:
        """POST /shares/manage: from 2.7.

        Rules left to the handler: ``share:create_public_share`` (403, on some paths).
        """

    async def migration_progress(self, call: C) -> R:
        """GET /shares/{id}/migration-progress: from 2.98.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def show(self, call: C) -> R:
        """GET /shares/{id}: from 2.0.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def update(self, call: C) -> R:
        """PUT /shares/{id}: from 2.0.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:set_public_share`` (403, on some paths); ``share:update`` (403).
        Only display_name, display_description and is_public are read; name and description are ignored.
        """
