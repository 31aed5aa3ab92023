"""The operations of ``handlers.services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class Services(Protocol[C, R]):
    """Handlers behind /services, /services/ensure-shares, /services/{id}."""

    async def ensure_shares(self, call: C) -> R:
        """POST /services/ensure-shares: from 2.86.

        Rules left to the handler: ``context_is_admin`` (403).
        """

    async def list(self, call: C) -> R:
        """GET /services: from 2.7.

        Rules left to the handler: ``context_is_admin`` (403).
        An unknown status or ensuring value gives an empty list, not an error.
        """

    async def update(self, call: C) -> R:
        """PUT /services/{id}: from 2.7.

        Rules left to the handler: ``context_is_admin`` (403).
        Id is enable or disable, anything else 404.
        """
