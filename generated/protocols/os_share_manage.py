"""The operations of ``handlers.os_share_manage``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class OsShareManage(Protocol[C, R]):
    """Handlers behind /os-share-manage."""

    async def create(self, call: C) -> R:
        """POST /os-share-manage: 2.0-2.6.

        Rules left to the handler: ``share:create_public_share`` (403, on some paths).
        """
