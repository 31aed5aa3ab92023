"""The operations of ``handlers.security_services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SecurityServices(Protocol[C, R]):
    """Handlers behind /security-services, /security-services/detail, /security-services/{id}."""

    async def create(self, call: C) -> R:
        """POST /security-services: from 2.0.

        Rules left to the handler: ``security_service:create`` (403).
        """

    async def delete(self, call: C) -> R:
        """DELETE /security-services/{id}: from 2.0.

        Rules left to the handler: ``security_service:delete`` (403).
        """

    async def detail(self, call: C) -> R:
        """GET /security-services/detail: from 2.0.

        Rules left to the handler: ``security_service:detail`` (403);
        ``security_service:get_all_security_services`` (changes the answer only, on some paths).
        """

    async def list(self, call: C) -> R:
        """GET /security-services: from 2.0.

        Rules left to the handler: ``security_service:get_all_security_services`` (changes the answer only, on
        some paths); ``security_service:index`` (403).
        """

    async def show(self, call: C) -> R:
        """GET /security-services/{id}: from 2.0.

        Rules left to the handler: ``security_service:show`` (403).
        Status is always the text new.
        """

    async def update(self, call: C) -> R:
        """PUT /security-services/{id}: from 2.0.

        Rules left to the handler: ``security_service:update`` (403).
        """
