"""The operations of ``handlers.os_services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class OsServices(Protocol[C, R]):
    """Handlers behind /os-services, /os-services/{id}."""

    async def list(self, call: C) -> R:
        """GET /os-services: 2.0-2.6.

        Rules left to the handler: ``context_is_admin`` (403).
        """

    async def update(self, call: C) -> R:
        """PUT /os-services/{id}: 2.0-2.6.

        Rules left to the handler: ``context_is_admin`` (403).
        Id is enable or disable, anything else 404.
        """
