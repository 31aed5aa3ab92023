"""The operations of ``handlers.os_quota_class_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class OsQuotaClassSets(Protocol[C, R]):
    """Handlers behind /os-quota-class-sets/{id}."""

    async def show(self, call: C) -> R:
        """GET /os-quota-class-sets/{id}: 2.0-2.6."""

    async def update(self, call: C) -> R:
        """PUT /os-quota-class-sets/{id}: 2.0-2.6.

        Rules left to the handler: ``context_is_admin`` (403, on some paths).
        """
