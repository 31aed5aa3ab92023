"""The operations of ``handlers.quota_sets``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class QuotaSets(Protocol[C, R]):
    """Handlers behind /quota-sets/{id}, /quota-sets/{id}/defaults, /quota-sets/{id}/detail."""

    async def defaults(self, call: C) -> R:
        """GET /quota-sets/{id}/defaults: from 2.7."""

    async def delete(self, call: C) -> R:
        """DELETE /quota-sets/{id}: from 2.7."""

    async def detail(self, call: C) -> R:
        """GET /quota-sets/{id}/detail: from 2.25."""

    async def show(self, call: C) -> R:
        """GET /quota-sets/{id}: from 2.7."""

    async def update(self, call: C) -> R:
        """PUT /quota-sets/{id}: from 2.7.

        Rules left to the handler: ``context_is_admin`` (403, on some paths).
        Unsupported keys are refused only in the first matching window (2.39: share group keys; 2.40-2.52:
        replica keys; 2.53-2.61: per_share_gigabytes; 2.62-2.79: backup keys; 2.80-2.89: encryption_keys);
        outside the window the key is accepted.
        """
