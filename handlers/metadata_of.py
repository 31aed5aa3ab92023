"""The six operations on the metadata of a kind of resource, told how its owner is found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from db import metadata as table
from db.connection import Conn
from generated.errors import InvalidMetadata, InvalidMetadataSize
from generated.runtime import Fault
from handlers.call import Call, Reply
from services import metadata

T = TypeVar("T")
FindOwner = Callable[[Call, Conn, bool], Awaitable[str]]
"""Id of the resource that the path names; the flag says that it is to be changed. Raises what the client is told."""

Changed = Callable[[Call, Conn, str, dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class MetadataOf:
    """The operations.

    Attributes:
        null_is_empty: a body whose ``metadata`` is null means no items, where others refuse it.
        changed: is told, in the transaction of the change, which items were written.
    """

    kind: table.Kind
    owner: FindOwner
    null_is_empty: bool = False
    changed: Changed | None = None

    async def list(self, call: Call) -> Reply:
        """All items."""
        async with call.core.db.read() as conn:
            return Reply({"metadata": await table.get(conn, self.kind, await self.owner(call, conn, False))})

    async def show_item(self, call: Call) -> Reply:
        """One item."""
        async with call.core.db.read() as conn:
            owner = await self.owner(call, conn, False)
            return Reply({"meta": await metadata.show(conn, self.kind, owner, call.path["key"])})

    async def create(self, call: Call) -> Reply:
        """Set items; the others stay."""
        return await self._add(call, self._all(call))

    async def update_item(self, call: Call) -> Reply:
        """Set one item."""
        return await self._add(call, _legal(lambda: metadata.body_item(call.body, call.path["key"])))

    async def update_all(self, call: Call) -> Reply:
        """Make the given items the whole metadata."""
        items = self._all(call)
        async with call.core.db.write() as conn:
            owner = await self.owner(call, conn, True)
            result = await metadata.replace(conn, self.kind, owner, items)
            await self._tell(call, conn, owner, result)
        return Reply({"metadata": result})

    async def delete_item(self, call: Call) -> Reply:
        """Remove one item."""
        async with call.core.db.write() as conn:
            await metadata.drop(conn, self.kind, await self.owner(call, conn, True), call.path["key"])
        return Reply()

    async def _add(self, call: Call, items: dict[str, Any] | None) -> Reply:
        async with call.core.db.write() as conn:
            owner = await self.owner(call, conn, True)
            added = await metadata.add(conn, self.kind, owner, items)
            await self._tell(call, conn, owner, added)
        return Reply({"metadata": added})

    async def _tell(self, call: Call, conn: Conn, owner: str, items: dict[str, Any]) -> None:
        if self.changed is not None:
            await self.changed(call, conn, owner, items)

    def _all(self, call: Call) -> dict[str, Any] | None:
        return _legal(lambda: metadata.all_items(call.body, null_is_empty=self.null_is_empty))


def _legal(read: Callable[[], T]) -> T:
    """What ``read`` gives. Raises Fault 400 for items that are none."""
    try:
        return read()
    except (InvalidMetadata, InvalidMetadataSize) as error:
        raise Fault(400, error.msg) from error
