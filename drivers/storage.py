"""What a driver keeps between its calls, whichever worker runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class PrivateStorage(Protocol):
    """Pairs of text per entity (a share instance, a snapshot instance, a share server)."""

    async def get(self, entity_id: str) -> dict[str, str]:
        """All pairs of an entity; empty for an unknown one."""
        ...

    async def put(self, entity_id: str, items: Mapping[str, str]) -> None:
        """Set pairs; the others stay."""
        ...

    async def remove(self, entity_id: str) -> None:
        """Forget an entity."""
        ...


class MemoryStorage:
    """For one process: tests, and a driver that nobody gave another."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, str]] = {}

    async def get(self, entity_id: str) -> dict[str, str]:
        return dict(self._held.get(entity_id, {}))

    async def put(self, entity_id: str, items: Mapping[str, str]) -> None:
        self._held.setdefault(entity_id, {}).update(items)

    async def remove(self, entity_id: str) -> None:
        self._held.pop(entity_id, None)
