"""Giving a private type to a project and taking it back, for share types and share group types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from db.connection import Conn, Row
from generated.runtime import Fault, ManilaError
from handlers.call import Call, Reply
from services.values import is_uuid_like


@dataclass(frozen=True, slots=True)
class TypeAccess:
    """How one kind of type is read and changed, and what its errors say.

    Args:
        get: row of a type (id, scope); ``grant`` and ``revoke`` answer whether there was something to change.
        bad_project: text for a project that is no UUID; ``public``: for a type that everybody has.
        missing: error for the id of no type; ``exists`` and ``absent``: for type and project.
    """

    get: Callable[[Conn, str, str | None], Awaitable[Row | None]]
    grant: Callable[[Conn, str, str], Awaitable[bool]]
    revoke: Callable[[Conn, str, str], Awaitable[bool]]
    bad_project: Callable[[object], str]
    public: str
    missing: Callable[[str], ManilaError]
    exists: Callable[[str, str], ManilaError]
    absent: Callable[[str, str], ManilaError]

    async def add(self, call: Call) -> Reply:
        """Let a project use a private type."""
        project = self._project(call)
        async with call.core.db.write() as conn:
            type_id = await self._private(conn, call)
            if not await self.grant(conn, type_id, project):
                raise Fault(409, self.exists(type_id, project).msg)
        return Reply()

    async def remove(self, call: Call) -> Reply:
        """Take a private type back from a project."""
        project = self._project(call)
        async with call.core.db.write() as conn:
            type_id = await self._private(conn, call)
            if not await self.revoke(conn, type_id, project):
                raise Fault(404, self.absent(type_id, project).msg)
        return Reply()

    def _project(self, call: Call) -> str:
        arguments = call.action_args
        if not isinstance(arguments, dict):
            raise Fault(400)
        project = arguments.get("project")
        if not is_uuid_like(project):
            raise Fault(400, self.bad_project(project))
        return str(project)

    async def _private(self, conn: Conn, call: Call) -> str:
        """The id of the type of the URL, which must not be public."""
        row = await self.get(conn, call.path["id"], call.ctx.scope)
        if row is None:
            raise Fault(404, self.missing(call.path["id"]).msg)
        if row["is_public"]:
            raise Fault(409, self.public)
        if not call.ctx.is_admin:
            raise Fault(403)
        return str(row["id"])


async def without_id(call: Call) -> Reply:
    """Offered by the original's router as an action, but its method takes no id: always 400."""
    raise Fault(400)
