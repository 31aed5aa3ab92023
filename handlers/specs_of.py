"""The operations on the specs of a kind of type, told how its type is found and what a spec may be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from db.connection import Conn, Row
from generated.runtime import Fault, ManilaError
from handlers.call import Call, Reply
from services import specs as texts

Tell = Callable[[Call, Conn, str, Row], Awaitable[None]]


async def _silent(call: Call, conn: Conn, event: str, payload: Row) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class SpecsOf:
    """The operations.

    Args:
        field: of the row and of bodies; ``key`` names the spec in the path, ``word`` in events.
        find: the type's row. Raises what the client is told of an unknown one.
        write: adds or changes specs; ``drop`` removes one and answers whether it was there.
        missing: error for a type and a key that it has not.
        new, changed: specs as they are shown and kept. They raise what is told of a body's specs, and of the one of a
            path.
        may_change: raises what is told to somebody who may not, after the body was looked at.
        may_drop: raises what is told of a spec that stays.
        empty, stop: text for no body, and the end of the texts for one that doesn't fit the path.
        tell: is told what was done.
    """

    field: str
    key: str
    find: Callable[[Conn, Call], Awaitable[Row]]
    write: Callable[[Conn, str, dict[str, str]], Awaitable[Any]]
    drop: Callable[[Conn, str, str], Awaitable[Any]]
    missing: Callable[[str, str], ManilaError]
    new: Callable[[Row], Row]
    changed: Callable[[Row], Row]
    may_change: Callable[[Call], None] = lambda call: None
    may_drop: Callable[[Call], None] = lambda call: None
    empty: str = "Request body empty"
    stop: str = ""
    tell: Tell = _silent
    word: str = "key"

    async def list(self, call: Call) -> Reply:
        """All specs."""
        async with call.core.db.read() as conn:
            row = await self.find(conn, call)
        return Reply({self.field: row[self.field]})

    async def show(self, call: Call) -> Reply:
        """One spec."""
        async with call.core.db.read() as conn:
            row = await self.find(conn, call)
        key = call.path[self.key]
        if key not in row[self.field]:
            raise Fault(404)
        return Reply({key: row[self.field][key]})

    async def create(self, call: Call) -> Reply:
        """Add or change specs."""
        given = call.body.get(self.field) if isinstance(call.body, dict) else None
        if not isinstance(given, dict):
            raise Fault(400)
        async with call.core.db.write() as conn:
            row = await self.find(conn, call)
            specs = self.new(given)
            self.may_change(call)
            await self.write(conn, row["id"], texts.stored(specs))
            await self.tell(call, conn, "create", {"specs": specs})
        return Reply({**call.body, self.field: specs})

    async def update(self, call: Call) -> Reply:
        """Change one spec, or add it."""
        if not call.body:
            raise Fault(400, self.empty)
        async with call.core.db.write() as conn:
            row = await self.find(conn, call)
            specs = self.changed(texts.single(call.body, call.path[self.key], self.stop))
            self.may_change(call)
            await self.write(conn, row["id"], texts.stored(specs))
            await self.tell(call, conn, "update", {self.word: call.path[self.key]})
        return Reply(specs)

    async def delete(self, call: Call) -> Reply:
        """Remove a spec."""
        key = call.path[self.key]
        async with call.core.db.write() as conn:
            row = await self.find(conn, call)
            self.may_change(call)
            self.may_drop(call)
            if not await self.drop(conn, row["id"], key):
                raise Fault(404, self.missing(row["id"], key).msg)
            await self.tell(call, conn, "delete", {self.word: key})
        return Reply()
