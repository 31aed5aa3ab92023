"""Work on share servers."""

from __future__ import annotations

import dataclasses

from db.connection import Row
from services.work.base import Job


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerJob(Job):
    """Work on a share server."""

    server_id: str

    @property
    def resource(self) -> str:
        return f"share_server:{self.server_id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerDelete(ServerJob):
    """Remove a share server if nothing is on it."""

    KIND = "server_delete"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerUnmanage(ServerJob):
    """Forget a share server; ``force``: even if the driver can't let go of it."""

    KIND = "server_unmanage"
    force: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerManage(ServerJob):
    """Take over a share server that the back end knows by ``identifier``; ``driver_options`` are the driver's."""

    KIND = "server_manage"
    identifier: str
    driver_options: Row | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerEnsure(ServerJob):
    """Make a share server run again that is not as its row says."""

    KIND = "server_ensure"
