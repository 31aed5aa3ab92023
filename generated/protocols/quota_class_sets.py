"""The operations of ``handlers.quota_class_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class QuotaClassSets(Protocol[C, R]):
    """Handlers behind /quota-class-sets/{id}."""

    async def show(self, call: C) -> R:
        """GET /quota-class-sets/{id}: from 2.7."""

    async def update(self, call: C) -> R:
        """PUT /quota-class-sets/{id}: from 2.7.

        Rules left to the handler: ``context_is_admin`` (403, on some paths).
        """
