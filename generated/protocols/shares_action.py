"""The operations of ``handlers.shares_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SharesAction(Protocol[C, R]):
    """Handlers behind /shares/{id}/action."""

    async def access_list(self, call: C) -> R:
        """POST /shares/{id}/action ``access_list``: 2.7-2.44.

        Rules left to the handler: ``share:access_get_all`` (403); ``share:get`` (refused as 404, on some
        paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def allow_access(self, call: C) -> R:
        """POST /shares/{id}/action ``allow_access``: from 2.7.

        Rules left to the handler: ``resource_lock:create`` (403, on some paths); ``resource_lock:delete``
        (403, on some paths); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Access_type cephx from 2.13, IPv6 addresses from 2.38; below 2.45 metadata is dropped.
        Below 2.28 adding a rule while the share has rules in error: 400.
        Lock_reason without a lock flag: 400.
        """

    async def deny_access(self, call: C) -> R:
        """POST /shares/{id}/action ``deny_access``: from 2.7.

        Rules left to the handler: ``resource_lock:delete`` (403, on some paths);
        ``resource_lock:get_all_projects`` (changes the answer only, on some paths); ``share:access_get``
        (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Unrestrict is read in every microversion (documented from 2.82).
        """

    async def extend(self, call: C) -> R:
        """POST /shares/{id}/action ``extend``: from 2.7.

        Rules left to the handler: ``share:extend_beyond_max_share_size_spec`` (changes the answer only);
        ``share:extend`` (403, on some paths); ``share:force_extend`` (403, on some paths); ``share:get``
        (refused as 404, on some paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on
        some paths); ``share:update`` (403).
        """

    async def force_delete(self, call: C) -> R:
        """POST /shares/{id}/action ``force_delete``: from 2.7.

        Rules left to the handler: ``share:delete`` (403); ``share:delete`` (403, on some paths);
        ``share:force_delete`` (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def migration_cancel(self, call: C) -> R:
        """POST /shares/{id}/action ``migration_cancel``: 2.22-2.95 (experimental), from 2.96.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def migration_complete(self, call: C) -> R:
        """POST /shares/{id}/action ``migration_complete``: 2.22-2.95 (experimental), from 2.96.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def migration_get_progress(self, call: C) -> R:
        """POST /shares/{id}/action ``migration_get_progress``: 2.22-2.95 (experimental), 2.96-2.97.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        Answers 404 from 2.98: use shares.migration_progress.
        """

    async def migration_start(self, call: C) -> R:
        """POST /shares/{id}/action ``migration_start``: 2.29-2.95 (experimental), from 2.96.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        202; 200 without effect when the share already is on the destination host with the same type and
        network.
        """

    async def os_access_list(self, call: C) -> R:
        """POST /shares/{id}/action ``os-access_list``: 2.0-2.6.

        Rules left to the handler: ``share:access_get_all`` (403); ``share:get`` (refused as 404, on some
        paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        The older spelling of ``shares.action.access_list``.
        """

    async def os_allow_access(self, call: C) -> R:
        """POST /shares/{id}/action ``os-allow_access``: 2.0-2.6.

        Rules left to the handler: ``resource_lock:create`` (403, on some paths); ``resource_lock:delete``
        (403, on some paths); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        The older spelling of ``shares.action.allow_access``.
        """

    async def os_deny_access(self, call: C) -> R:
        """POST /shares/{id}/action ``os-deny_access``: 2.0-2.6.

        Rules left to the handler: ``resource_lock:delete`` (403, on some paths);
        ``resource_lock:get_all_projects`` (changes the answer only, on some paths); ``share:access_get``
        (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        The older spelling of ``shares.action.deny_access``.
        """

    async def os_extend(self, call: C) -> R:
        """POST /shares/{id}/action ``os-extend``: 2.0-2.6.

        Rules left to the handler: ``share:extend_beyond_max_share_size_spec`` (changes the answer only);
        ``share:extend`` (403, on some paths); ``share:force_extend`` (403, on some paths); ``share:get``
        (refused as 404, on some paths); ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on
        some paths); ``share:update`` (403).
        The older spelling of ``shares.action.extend``.
        """

    async def os_force_delete(self, call: C) -> R:
        """POST /shares/{id}/action ``os-force_delete``: 2.0-2.6.

        Rules left to the handler: ``share:delete`` (403); ``share:delete`` (403, on some paths);
        ``share:force_delete`` (403); ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        The older spelling of ``shares.action.force_delete``.
        """

    async def os_reset_status(self, call: C) -> R:
        """POST /shares/{id}/action ``os-reset_status``: 2.0-2.6.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:reset_status`` (403).
        The older spelling of ``shares.action.reset_status``.
        Same double check as reset_status.
        """

    async def os_shrink(self, call: C) -> R:
        """POST /shares/{id}/action ``os-shrink``: 2.0-2.6.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths); ``share:update``
        (403).
        The older spelling of ``shares.action.shrink``.
        """

    async def reset_status(self, call: C) -> R:
        """POST /shares/{id}/action ``reset_status``: from 2.7.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:reset_status`` (403).
        The json-schema admits every share status and also the key os-status; the handler then needs the key
        status and one of the RESET_STATUS values, else 400.
        """

    async def reset_task_state(self, call: C) -> R:
        """POST /shares/{id}/action ``reset_task_state``: 2.22-2.95 (experimental), from 2.96.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share:reset_status`` (403).
        """

    async def restore(self, call: C) -> R:
        """POST /shares/{id}/action ``restore``: from 2.69.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        202; 200 when the share is not in the recycle bin.
        """

    async def revert(self, call: C) -> R:
        """POST /shares/{id}/action ``revert``: from 2.27.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths);
        ``share_snapshot:get_snapshot`` (refused as 404);
        ``share_snapshot:list_snapshots_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def shrink(self, call: C) -> R:
        """POST /shares/{id}/action ``shrink``: from 2.7.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths); ``share:update``
        (403).
        """

    async def soft_delete(self, call: C) -> R:
        """POST /shares/{id}/action ``soft_delete``: from 2.69.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths).
        """

    async def unmanage(self, call: C) -> R:
        """POST /shares/{id}/action ``unmanage``: from 2.7.

        Rules left to the handler: ``share:get`` (refused as 404, on some paths);
        ``share:list_shares_in_deferred_deletion_states`` (refused as 404, on some paths); ``share:unmanage``
        (403).
        """
