"""Operations without behaviour yet; they answer 501.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

UNIMPLEMENTED: frozenset[str] = frozenset(
    [
        "os_share_manage.create",
        "os_share_unmanage.unmanage",
        "services.ensure_shares",
        "share_servers.manage",
        "share_transfers.accept",
        "share_transfers.create",
        "share_transfers.delete",
        "share_transfers.show",
        "shares.action.unmanage",
        "shares.manage",
        "snapshots.action.unmanage",
        "snapshots.manage",
    ]
)
