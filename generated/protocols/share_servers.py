"""The operations of ``handlers.share_servers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class ShareServers(Protocol[C, R]):
    """Handlers behind /share-servers, /share-servers/manage, /share-servers/{id}, /share-servers/{id}/details."""

    async def delete(self, call: C) -> R:
        """DELETE /share-servers/{id}: from 2.0.

        Rules left to the handler: ``share_server:delete`` (403).
        """

    async def details(self, call: C) -> R:
        """GET /share-servers/{id}/details: from 2.0."""

    async def list(self, call: C) -> R:
        """GET /share-servers: from 2.0."""

    async def manage(self, call: C) -> R:
        """POST /share-servers/manage: from 2.49."""

    async def show(self, call: C) -> R:
        """GET /share-servers/{id}: from 2.0."""
