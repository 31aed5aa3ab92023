"""What a back end holds compared with what the rows say: the part of the driver contract that is this project's own.

The worker asks one driver at a time (a periodic task under a lease) and repairs what is broken through ordinary tasks,
in turn with the other work on the resource. A driver that has nothing to compare raises NotImplementedError.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field

from generated.runtime import Row


@dataclass(frozen=True, slots=True)
class Rows:
    """What the database says of a back end.

    ``servers``: those that are active. ``shares``: share instances that a client may have mounted, each with its
    ``access_rules`` and ``share_server``. ``snapshots``: instances that are available, each with its ``access_rules``.
    ``known``: of the ids that were asked about, those with a row in whatever state, on whatever back end.
    """

    servers: Sequence[Row] = ()
    shares: Sequence[Row] = ()
    snapshots: Sequence[Row] = ()
    known: frozenset[str] = frozenset()


ReadRows = Callable[[Collection[str]], Awaitable[Rows]]
"""Reads the rows now, and which of these ids are known. It is called after the back end was looked at, so that what was
made meanwhile has its row."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that is not as its row says. ``kind``: ``share``, ``snapshot`` or ``share_server``."""

    kind: str
    id: str
    why: str


@dataclass(frozen=True, slots=True)
class Orphan:
    """Something that carries the back end's labels and has no row.

    ``kind`` and ``name`` are the back end's, ``about`` is the id without a row, ``age`` the seconds since it was first
    seen so. ``proven``: it was made by this installation, has had no row for the grace, and may be removed. ``uid``: it
    and no other of its name.
    """

    kind: str
    name: str
    about: str
    age: float
    proven: bool
    why: str
    uid: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A share server that cannot be moved before somebody has made certain that its node is out."""

    server_id: str
    node: str
    why: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What one look has found. ``may_remove``: the configuration wants orphans that are proven to be removed."""

    broken: tuple[Broken, ...] = ()
    orphans: tuple[Orphan, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    may_remove: bool = False
    notes: tuple[str, ...] = field(default=())


class Reconciling:
    """Default of every operation: the driver has nothing to compare."""

    async def prepare_to_inspect(self) -> None:
        """What ``inspect`` needs besides ``do_setup``, or in its place where nothing shall be started."""
        raise NotImplementedError

    async def inspect(self, read: ReadRows) -> Findings:
        """Compare what is there with the rows; nothing is repaired that has a row."""
        raise NotImplementedError

    def changes(self) -> AsyncIterator[str]:
        """Say, until it is closed, when something has happened that asks for a look now; the text is for logs."""
        raise NotImplementedError

    async def ensure_server(self, share_server: Row) -> None:
        """Make a share server run as its row says."""
        raise NotImplementedError

    async def ensure_snapshot(
        self, snapshot: Row, access_rules: Sequence[Row], share_server: Row | None = None
    ) -> None:
        """Make a snapshot be there as its row says, shown to its rules' clients.

        Raises:
            SnapshotResourceNotFound: its data is gone; nothing was taken in its place.
        """
        raise NotImplementedError

    async def remove_orphan(self, orphan: Orphan) -> None:
        """Remove something that has no row, if it is still the same."""
        raise NotImplementedError
