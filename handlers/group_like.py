"""What share groups and their snapshots have in common: how one is shown, changed and removed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from db.connection import Conn, Row
from generated.enums import ShareAdminReset
from generated.runtime import Fault, ManilaError
from handlers.call import Call, Reply
from services.context import Context
from services.reset import wanted_status
from services.share_group_request import changes_of, stored_texts

Get = Callable[..., Awaitable[Row | None]]
"""The row of an id in a project or in any (``None``); ``lock`` keeps other writers waiting."""


@dataclass(frozen=True, slots=True)
class GroupLike:
    """The operations.

    Args:
        key: name in bodies, and of the policies of administrators' actions.
        title: begins the text for an unknown id.
        change: writes columns of a row.
        view: what a version shows.
        delete_one: checks and orders the removal, and raises ``busy``; ``forget`` removes the rows at once.
    """

    key: str
    title: str
    get: Get
    change: Callable[[Conn, str, Row], Awaitable[Any]]
    view: Sequence[Callable[[Row, Any], Row]]
    delete_one: Callable[[Conn, Context, Row], Awaitable[None]]
    busy: type[ManilaError]
    forget: Callable[[Conn, Row], Awaitable[Any]]

    async def show(self, call: Call) -> Reply:
        """One of them."""
        async with call.core.db.read() as conn:
            return self.one(call, await self.found(call, conn))

    async def update(self, call: Call) -> Reply:
        """Change name and description."""
        shown = changes_of(call.body, self.key)
        async with call.core.db.write() as conn:
            row = await self.found(call, conn, lock=True)
            if shown:
                await self.change(conn, row["id"], stored_texts(shown))
        return self.one(call, {**row, **shown})

    async def delete(self, call: Call) -> Reply:
        """Remove one that nothing needs."""
        async with call.core.db.write() as conn:
            row = await self.found(call, conn, lock=True)
            try:
                await self.delete_one(conn, call.ctx, row)
            except self.busy as error:
                raise Fault(409, error.msg) from None
        return Reply()

    async def reset_status(self, call: Call) -> Reply:
        """Set the status without touching the back end."""
        status = wanted_status(call.action_args, tuple(ShareAdminReset))
        async with call.core.db.write() as conn:
            row = await self._for_action(call, conn)
            if not call.ctx.allows(f"{self.key}:reset_status", row):
                raise Fault(403)
            await self.change(conn, row["id"], {"status": status})
        return Reply()

    async def force_delete(self, call: Call) -> Reply:
        """Remove the rows, whatever the status is, without touching the back end."""
        async with call.core.db.write() as conn:
            row = await self._for_action(call, conn)
            call.ctx.enforce(f"{self.key}:force_delete", row)
            await self.forget(conn, row)
        return Reply()

    def one(self, call: Call, row: Row) -> Reply:
        """The answer that shows one."""
        return Reply({self.key: self.view[call.version](row, call.see)})

    async def found(self, call: Call, conn: Conn, *, lock: bool = False) -> Row:
        """The row of the path, in the requester's scope. Raises Fault 404."""
        row = await self.get(conn, call.path["id"], call.ctx.scope, lock=lock)
        if row is None:
            raise Fault(404, f"{self.title} {call.path['id']} not found.")
        return row

    async def _for_action(self, call: Call, conn: Conn) -> Row:
        row = await self.get(conn, call.path["id"], call.ctx.scope, lock=True)
        if row is None:
            raise Fault(404)
        return row
