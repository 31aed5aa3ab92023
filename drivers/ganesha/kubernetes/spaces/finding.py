"""In which namespace something is. Nothing ever moves to another one: a claim can't, and its snapshots go with it.

Objects are looked for by their labels, then what outlives them: a volume and a snapshot's content name the namespace
of the object that somebody removed. What was found once is remembered, so that an operation costs no look for each
of its steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import naming
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.kubernetes.api import (
    CLAIM,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CONTENT,
    STATEFUL_SET,
    VOLUME,
    Cluster,
    Kind,
)

Look = tuple[Kind, str]
"""A kind of objects, and the label that has the id."""
OF_SERVER: Final[Sequence[Look]] = ((STATEFUL_SET, names.SERVER), (CLAIM, names.SERVER), (VOLUME, names.SERVER))
OF_VOLUME: Final[Sequence[Look]] = tuple((kind, names.SHARE) for kind in (CLAIM, VOLUME, SHARE_EXPORT, POD))
OF_SNAPSHOT: Final[Sequence[Look]] = (
    (SNAPSHOT, names.SNAPSHOT),
    (SNAPSHOT_CONTENT, names.SNAPSHOT),
    (CLAIM, names.SNAPSHOT),
    # a view is held and exported like a share
    (SHARE_EXPORT, names.SHARE),
    (POD, names.SHARE),
)
OF_BACKUP: Final[Sequence[Look]] = ((SNAPSHOT, names.BACKUP),)
REMEMBERED: Final = 10_000
"""Volumes and snapshots whose namespaces a process remembers."""
_REFERENCES: Final = {VOLUME: "claimRef", SNAPSHOT_CONTENT: "volumeSnapshotRef"}
"""Where what has no namespace says whose it is."""


class Finder:
    """Looks through the namespaces of one back end; every answer may be None: nothing is there."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, spaces: Spaces) -> None:
        self._cluster, self._spaces = cluster, spaces
        self._own = {names.MANAGED: "openkeel-manila", names.BACKEND: options.share_backend_name}
        self._servers: dict[str, str] = {}
        self._places: dict[tuple[str, str], str] = {}

    async def of_server(self, server_id: str) -> str | None:
        """The namespace of a share server: of its gateway, of what it has left, or where it is about to be made."""
        if server_id not in self._servers:
            found = await self._first(OF_SERVER, server_id) or await self._announced(server_id)
            if found is None:
                return None
            self._servers[server_id] = found
        return self._servers[server_id]

    def remember_server(self, server_id: str, namespace: str) -> None:
        """It is made there."""
        self._servers[server_id] = namespace

    def forget_server(self, server_id: str) -> None:
        """It was removed."""
        self._servers.pop(server_id, None)

    async def _announced(self, server_id: str) -> str | None:
        for one in await self._spaces.projects():
            if server_id in naming.servers(one):
                return str(one["metadata"]["name"])
        return None

    async def of_volume(self, name: str) -> str | None:
        """That of a share instance's volume, or of what is left of it."""
        return self._places.get(("volume", name)) or self._note("volume", name, await self._first(OF_VOLUME, name))

    def remember_volume(self, name: str, namespace: str) -> None:
        """It is made there."""
        self._note("volume", name, namespace)

    def remember_snapshot(self, name: str, namespace: str | None) -> None:
        """It is made there, if that is known."""
        self._note("snapshot", name, namespace)

    def forget(self, name: str) -> None:
        """A volume or a snapshot was removed, or has another name."""
        for what in ("volume", "snapshot"):
            self._places.pop((what, name), None)

    def _note(self, what: str, name: str, found: str | None) -> str | None:
        if found is not None:
            self._places[what, name] = found
            if len(self._places) > REMEMBERED:
                del self._places[next(iter(self._places))]
        return found

    async def of_snapshot(self, name: str) -> str | None:
        """That of a snapshot instance, of its view, or of what the storage has kept."""
        if (known := self._places.get(("snapshot", name))) is not None:
            return known
        found = await self._first(OF_SNAPSHOT, name) or await self._retained(names.snapshot(name))
        return self._note("snapshot", name, found)

    async def of_backup(self, name: str) -> str | None:
        """That of a backup."""
        return await self._first(OF_BACKUP, name)

    async def _first(self, looks: Sequence[Look], wanted: str) -> str | None:
        for kind, by in looks:
            own = {**self._own, by: wanted}
            if kind.namespaced:
                for one in await self._spaces.every(kind, own):
                    return str(one["metadata"]["namespace"])
                continue
            for one in await self._cluster.every(kind, None, own):
                namespace = str((one["spec"].get(_REFERENCES[kind]) or {}).get("namespace", ""))
                if self._spaces.may_be_ours(namespace):
                    return namespace
        return None

    async def _retained(self, snapshot: str) -> str | None:
        """By its name: the content of a class that retains need not have our labels."""
        for one in await self._cluster.every(SNAPSHOT_CONTENT):
            of = one["spec"].get("volumeSnapshotRef") or {}
            namespace = str(of.get("namespace", ""))
            if of.get("name") == snapshot and self._spaces.may_be_ours(namespace):
                return namespace
        return None
