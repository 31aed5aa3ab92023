"""Work on share servers that move to another back end or network."""

from __future__ import annotations

import dataclasses

from services.work.servers import ServerJob


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMove(ServerJob):
    """What a request wants of the migration of a share server to the back end ``host``, in the zone ``zone_id``."""

    host: str
    zone_id: str | None = None
    share_network_id: str
    writable: bool = False
    nondisruptive: bool = False
    preserve_snapshots: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateCheck(ServerMove):
    """Ask the driver whether it could; a client waits for the answer under ``key``."""

    KIND = "server_migrate_check"
    key: str

    @property
    def resource(self) -> str:
        """A question need not wait for other work."""
        return f"share_server:{self.server_id}:{self.key}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrate(ServerMove):
    """Begin on the back end that the server goes to."""

    KIND = "server_migrate"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateStart(ServerMove):
    """Make the new server ``destination_id`` and let the driver begin; ``reused``: nothing is to be made."""

    KIND = "server_migrate_start"
    destination_id: str
    reused: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMoving(ServerJob):
    """Work on a migration under way, from ``server_id`` to ``destination_id``."""

    destination_id: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateContinue(ServerMoving):
    """Let the driver go on, and note how far it is."""

    KIND = "server_migrate_continue"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateComplete(ServerMoving):
    """Let the driver cut over, and put everything on the new server."""

    KIND = "server_migrate_complete"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerMigrateCancel(ServerMoving):
    """Stop, and leave the server where it was."""

    KIND = "server_migrate_cancel"
