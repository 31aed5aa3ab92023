"""Where the embedded back end keeps what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths below the back end's state folder."""

    root: Path

    @property
    def lock(self) -> Path:
        """Held while ports are plugged or the pool's room is promised."""
        return self.root / "lock"

    @property
    def pool_image(self) -> Path:
        """The file that holds the pool's file system."""
        return self.root / "pool.img"

    @property
    def pool(self) -> Path:
        """Where the pool is mounted."""
        return self.root / "pool"

    @property
    def mounts(self) -> Path:
        """Folder of the shares' mount points."""
        return self.root / "mounts"

    @property
    def servers(self) -> Path:
        """Folder of the gateways."""
        return self.root / "servers"

    def volume(self, name: str) -> Path:
        """Image of a share."""
        return self.pool / "volumes" / f"{name}.img"

    def snapshot(self, name: str) -> Path:
        """Image of a snapshot."""
        return self.pool / "snapshots" / f"{name}.img"

    def view(self, name: str) -> Path:
        """Image of a snapshot's view: a copy that shares its blocks and can be mounted beside the share."""
        return self.pool / "views" / f"{name}.img"

    def restore(self, name: str) -> Path:
        """Image that is to take the place of a share's."""
        return self.pool / "restores" / f"{name}.img"

    def mount(self, name: str) -> Path:
        """Where a share is mounted."""
        return self.mounts / name

    def server(self, server_id: str) -> Path:
        """Folder of one gateway."""
        return self.servers / server_id
