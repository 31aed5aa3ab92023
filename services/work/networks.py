"""Work on share networks in use."""

from __future__ import annotations

import dataclasses

from db.connection import Row
from services.work.base import Job


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkJob(Job):
    """Work on all servers of a share network that one back end has. Either a subnet or a security service changes."""

    share_network_id: str
    host: str
    new_service_id: str | None = None
    current_service_id: str | None = None

    @property
    def resource(self) -> str:
        return f"share_network:{self.share_network_id}:{self.host}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkCheck(NetworkJob):
    """Ask the driver whether it could change the servers; the answer is kept under ``key``."""

    KIND = "network_check"
    key: str
    subnet: Row | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetworkApply(NetworkJob):
    """Change the servers."""

    KIND = "network_apply"
    subnet_id: str | None = None
