"""The three things the Ganesha driver needs, and the values it exchanges with them.

Every method may be called again with the same arguments and then finds its work done. Errors are
``ShareBackendException`` unless said otherwise; a missing thing to remove is success.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from drivers.ganesha.rules import Client

if TYPE_CHECKING:  # the agent in a gateway needs the values only
    from drivers.client_counts import Seen
    from drivers.reconciling import Findings, Orphan, ReadRows
    from drivers.room import Capacity
    from drivers.storage import PrivateStorage


@dataclass(frozen=True, slots=True)
class Address:
    """A port of a share server: ``ip`` with ``prefix`` length on the tenant network ``network_id``.

    ``port_id`` is the allocation's id, that of the Neutron port where there is one. ``subnet_id``: of the share network
    subnet it is for.
    """

    ip: str
    prefix: int
    network_id: str
    mac: str | None = None
    gateway: str | None = None
    mtu: int | None = None
    port_id: str | None = None
    subnet_id: str | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """A share server: one gateway with its ports, the first is the one named in export paths first.

    ``project`` is that of its share network; empty where it is not known. ``place``: where its gateway is or was, as
    its identifier says; empty: it has none, or was not made yet.
    """

    id: str
    addresses: tuple[Address, ...]
    project: str = ""
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a volume is, for who looks at the storage: ids of the share and of its share server; empty: not known."""

    share: str = ""
    server: str = ""


NOBODY: Final = Owner()


@dataclass(frozen=True, slots=True)
class Export:
    """What a gateway shows of a share or snapshot. ``name`` is the instance's id, ``path`` where its volume is mounted.

    ``squash`` in Ganesha's spelling. Clients mount ``/name``. ``read_only``: the view of a snapshot.
    """

    name: str
    path: str
    squash: str
    clients: tuple[Client, ...] = ()
    read_only: bool = False

    @property
    def pseudo(self) -> str:
        """The path clients mount; it never changes while the share lives."""
        return f"/{self.name}"


class Gateways(Protocol):
    """Where Ganesha runs: one gateway per share server."""

    async def check(self) -> None:
        """Verify that gateways can run here."""

    async def identifier(self, server: Server) -> str:
        """The name by which an operator finds a gateway, also before it is started."""

    def named(self, identifier: str) -> str:
        """The id of the server whose gateway is found by that name, or by the id itself."""

    async def known(self) -> list[Server]:
        """The servers that were started and not removed."""

    async def find(self, server_id: str) -> Server | None:
        """The server as it was started."""

    async def start(self, server: Server) -> None:
        """Make the gateway run and answer; a running one is left alone."""

    async def renew(self, server: Server) -> bool:
        """End a gateway whose program is another than that of a new one; ``start`` starts it again. Whether it was."""

    async def rests(self, server_id: str) -> bool:
        """Whether nothing of a gateway runs, nor is about to: it waits for room, and serves nobody meanwhile."""

    async def heal(self) -> None:
        """Start what should run and does not. What runs and does not answer is ended by its own supervisor."""

    async def remove(self, server_id: str) -> None:
        """End the gateway and forget it, its ports and its exports."""


class Watched(Protocol):
    """Who sees what clients do, where the gateways are at hand."""

    async def clients_seen(self) -> Sequence[Seen]:
        """Of every gateway that answers, within a second."""


class Volumes(Protocol):
    """What a gateway exports: one file system per share, snapshots of it. Sizes in GiB."""

    async def setup(self) -> None:
        """Make the storage ready."""

    async def create(self, name: str, size: int, pool: str | None = None, owner: Owner = NOBODY) -> None:
        """An empty volume that is not mounted, in one of ``pools``; None: the only one, or the first."""

    async def create_from_snapshot(
        self, name: str, snapshot: str, size: int, pool: str | None = None, owner: Owner = NOBODY
    ) -> None:
        """A volume with the data of a snapshot, an identity of its own and at least ``size``.

        Raises:
            SnapshotResourceNotFound: there is no such snapshot.
        """

    async def filled(self, name: str, server_id: str) -> bool:
        """Whether a volume that was made from a snapshot is proven to have all of its data; asked until it has.

        Raises:
            ShareBackendException: it never will have.
            ShareResourceNotFound: there is no such volume.
        """

    async def attach(self, name: str, server_id: str) -> str:
        """Mount it; answers the path under which the gateway sees it.

        Raises:
            ShareResourceNotFound: there is no such volume.
        """

    async def bring(self, name: str, server_id: str) -> bool:
        """Have the volume where its gateway is about to start, so that it is there before Ganesha is.

        Answers whether there is nothing to wait for. False: the gateway is away or starts, and then exports by itself
        what it did before; until then nothing can be asked of it.
        """

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        """Set owner and mode of the root folder of a mounted volume."""

    async def detach(self, name: str) -> None:
        """Unmount it."""

    async def delete(self, name: str) -> None:
        """Remove a volume that is not mounted."""

    async def extend(self, name: str, size: int) -> None:
        """Grow a mounted volume to ``size`` while it is used."""

    async def snapshot(self, name: str, snapshot: str) -> None:
        """Take a consistent snapshot of a mounted volume."""

    async def delete_snapshot(self, snapshot: str) -> None:
        """Remove a snapshot."""

    async def attach_snapshot(self, snapshot: str, server_id: str) -> str:
        """Mount a view of a snapshot that cannot be written to, made at need; answers its path for the gateway.

        Raises:
            SnapshotResourceNotFound: there is no such snapshot.
            Unfinished: the storage copies it still.
        """

    async def detach_snapshot(self, snapshot: str) -> None:
        """Unmount the view and remove it; the snapshot stays."""

    async def used(self, name: str) -> float | None:
        """GiB that the files of a mounted volume take; None when it is not mounted."""

    async def unproven(self) -> str:
        """Why neither ``restore`` nor shares from snapshots are offered: nothing proves them whole. Empty: they are."""

    async def prepare_restore(self, name: str, snapshot: str) -> bool:
        """Get a copy of the snapshot ready beside the volume, which is used meanwhile; whether it is proven whole.

        It is asked until it is.

        Raises:
            ShareBackendException: it never will be; nothing has changed.
            SnapshotResourceNotFound: there is no such snapshot.
        """

    async def restoring(self, name: str) -> str | None:
        """The snapshot that ``prepare_restore`` was told of, until ``restore`` is done; None: there is none."""

    async def restore(self, name: str, snapshot: str) -> None:
        """Put the data of a snapshot that is prepared in the place of a volume's that is not mounted.

        Identity and size stay; snapshots of the volume stay usable.

        Raises:
            ShareBackendException: it is not proven that it is whole; nothing has changed.
            SnapshotResourceNotFound: there is no such snapshot.
        """

    async def tidy(self, name: str) -> None:
        """Remove what ``restore`` or ``swap`` has left, unless a snapshot or a copy needs it."""

    async def size(self, name: str) -> int | None:
        """Size of a volume in GiB as its clients see it; None when there is none."""

    async def rename(self, name: str, new: str, owner: Owner = NOBODY) -> None:
        """Give a volume that is not mounted another name; done when only the new one is there."""

    async def rename_snapshot(self, name: str, new: str) -> None:
        """Give a snapshot another name; done when only the new one is there.

        Raises:
            SnapshotResourceNotFound: there is neither.
        """

    async def rooms(self) -> Mapping[str, Capacity]:
        """Room of each pool by name; a single one without a name: the back end has no pools."""

    async def pool(self, name: str) -> str | None:
        """The pool of a volume; None when it has none."""


class Backups(Protocol):
    """Where copies of volumes are kept that outlive them. What is begun goes on by itself; progress is in percent."""

    async def begin(self, backup: str, volume: str) -> None:
        """Start to copy a mounted volume as it is now."""

    async def progress(self, backup: str) -> int:
        """How far the copy is; 100: the backup is there. Raises ShareBackendException: it failed."""

    async def delete(self, backup: str) -> None:
        """Remove a backup, or what there is of it."""

    async def begin_restore(self, backup: str, volume: str) -> None:
        """Start to copy a backup to where ``swap`` finds it."""

    async def restore_progress(self, backup: str, volume: str) -> int:
        """How far that is; 100: it may be swapped in. Raises ShareBackendException: it failed."""

    async def swap(self, volume: str) -> None:
        """Put what was copied in the place of a volume that is not mounted; identity and size stay."""


class Exports(Protocol):
    """How a gateway is told what to export and to whom."""

    async def names(self, server_id: str) -> list[str]:
        """The exports that were published and not withdrawn."""

    async def find(self, server_id: str, name: str) -> Export | None:
        """The export as it was last published."""

    async def publish(self, server_id: str, export: Export) -> None:
        """Make the gateway export exactly this; when it returns, the rules are enforced."""

    async def suspend(self, server_id: str, name: str) -> None:
        """Take the export off the gateway, so that its volume can be unmounted; ``publish`` brings it back."""

    async def withdraw(self, server_id: str, name: str) -> None:
        """Cut all access, take the export off the gateway and forget it."""


class Overseer(Protocol):
    """Who compares what is there with what the rows say, where something besides us can change it."""

    async def begin(self, storage: PrivateStorage) -> None:
        """Learn who we are, so that what is made from now on says it."""

    async def inspect(self, read: ReadRows) -> Findings:
        """One look; what needs no row is put right at once."""

    def changes(self) -> AsyncIterator[str]:
        """When another look is due before its time."""

    async def revive_snapshot(self, snapshot: str) -> None:
        """Bring a snapshot back whose data is still there.

        Raises:
            SnapshotResourceNotFound: it is not.
        """

    async def remove(self, orphan: Orphan) -> None:
        """Remove something that has no row, if it is still the same."""
