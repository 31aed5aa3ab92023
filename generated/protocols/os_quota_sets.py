"""The operations of ``handlers.os_quota_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class OsQuotaSets(Protocol[C, R]):
    """Handlers behind /os-quota-sets/{id}, /os-quota-sets/{id}/defaults."""

    async def defaults(self, call: C) -> R:
        """GET /os-quota-sets/{id}/defaults: 2.0-2.6."""

    async def delete(self, call: C) -> R:
        """DELETE /os-quota-sets/{id}: 2.0-2.6."""

    async def show(self, call: C) -> R:
        """GET /os-quota-sets/{id}: 2.0-2.6."""

    async def update(self, call: C) -> R:
        """PUT /os-quota-sets/{id}: 2.0-2.6.

        Rules left to the handler: ``context_is_admin`` (403, on some paths).
        """
