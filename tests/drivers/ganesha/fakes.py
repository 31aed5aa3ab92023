"""The driver's three ports in memory; every call is noted in one list, so that tests see the order."""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.options import GaneshaOptions
from drivers.ganesha.ports import NOBODY, Export, Owner, Server
from drivers.room import Capacity
from generated.errors import ShareBackendException, ShareResourceNotFound


@dataclass
class World:
    """What is there, and what was done. ``broken`` names calls that fail, as they are noted."""

    done: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    servers: dict[str, Server] = field(default_factory=dict)
    volumes: set[str] = field(default_factory=set)
    exports: dict[tuple[str, str], Export] = field(default_factory=dict)

    def note(self, text: str) -> None:
        self.done.append(text)
        if text in self.broken:
            raise ShareBackendException(msg=f"{text} is broken")

    def driver(self, handles_servers: bool = True) -> GaneshaDriver:
        options = GaneshaOptions(name="ganesha", driver_handles_share_servers=handles_servers)
        return GaneshaDriver(options, FakeGateways(self), FakeVolumes(self), FakeExports(self), FakeBackups(self))


@dataclass
class FakeGateways:
    """Gateways that are either there or not."""

    world: World

    async def check(self) -> None:
        self.world.note("check")

    async def identifier(self, server: Server) -> str:
        return server.id

    def named(self, identifier: str) -> str:
        return identifier

    async def known(self) -> list[Server]:
        return list(self.world.servers.values())

    async def find(self, server_id: str) -> Server | None:
        return self.world.servers.get(server_id)

    async def start(self, server: Server) -> None:
        self.world.note(f"start {server.id}")
        self.world.servers[server.id] = server

    async def renew(self, server: Server) -> bool:
        return False

    async def rests(self, server_id: str) -> bool:
        return False

    async def heal(self) -> None:
        self.world.note("heal")

    async def remove(self, server_id: str) -> None:
        self.world.note(f"remove {server_id}")
        self.world.servers.pop(server_id, None)


@dataclass
class FakeVolumes:
    """Volumes that are names."""

    world: World

    async def setup(self) -> None:
        self.world.note("setup")

    async def create(self, name: str, size: int, pool: str | None = None, owner: Owner = NOBODY) -> None:
        self.world.note(f"create {name} {size}")
        self.world.volumes.add(name)

    async def create_from_snapshot(
        self, name: str, snapshot: str, size: int, pool: str | None = None, owner: Owner = NOBODY
    ) -> None:
        self.world.note(f"copy {snapshot} {name} {size}")
        self.world.volumes.add(name)

    async def attach(self, name: str, server_id: str) -> str:
        self.world.note(f"attach {name}")
        if name not in self.world.volumes:
            raise ShareResourceNotFound(share_id=name)
        return f"/mounts/{name}"

    async def bring(self, name: str, server_id: str) -> bool:
        return True

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        self.world.note(f"prepare {name} {uid}:{gid} {mode:o}")

    async def detach(self, name: str) -> None:
        self.world.note(f"detach {name}")

    async def delete(self, name: str) -> None:
        self.world.note(f"delete {name}")
        self.world.volumes.discard(name)

    async def extend(self, name: str, size: int) -> None:
        self.world.note(f"extend {name} {size}")

    async def snapshot(self, name: str, snapshot: str) -> None:
        self.world.note(f"snapshot {name} {snapshot}")

    async def delete_snapshot(self, snapshot: str) -> None:
        self.world.note(f"delete snapshot {snapshot}")

    async def attach_snapshot(self, snapshot: str, server_id: str) -> str:
        self.world.note(f"attach snapshot {snapshot}")
        return f"/mounts/{snapshot}"

    async def detach_snapshot(self, snapshot: str) -> None:
        self.world.note(f"detach snapshot {snapshot}")

    async def used(self, name: str) -> float | None:
        return 0.25 if name in self.world.volumes else None

    async def filled(self, name: str, server_id: str) -> bool:
        return True

    async def unproven(self) -> str:
        return ""

    async def prepare_restore(self, name: str, snapshot: str) -> bool:
        return True

    async def restoring(self, name: str) -> str | None:
        return None

    async def tidy(self, name: str) -> None:
        """Nothing is left."""

    async def restore(self, name: str, snapshot: str) -> None:
        self.world.note(f"restore {name} {snapshot}")

    async def size(self, name: str) -> int | None:
        return 2 if name in self.world.volumes else None

    async def rename(self, name: str, new: str, owner: Owner = NOBODY) -> None:
        self.world.note(f"rename {name} {new}")
        self.world.volumes.remove(name)
        self.world.volumes.add(new)

    async def rename_snapshot(self, name: str, new: str) -> None:
        self.world.note(f"rename snapshot {name} {new}")

    async def rooms(self) -> dict[str, Capacity]:
        return {"": Capacity(total=20.0, free=12.5, provisioned=7.5)}

    async def pool(self, name: str) -> str | None:
        return None


@dataclass
class FakeExports:
    """Exports as they were published."""

    world: World

    async def names(self, server_id: str) -> list[str]:
        return [name for server, name in self.world.exports if server == server_id]

    async def find(self, server_id: str, name: str) -> Export | None:
        return self.world.exports.get((server_id, name))

    async def publish(self, server_id: str, export: Export) -> None:
        clients = ",".join(f"{client.access} {client.network}" for client in export.clients)
        self.world.note(f"publish {export.name} [{clients}]")
        self.world.exports[server_id, export.name] = export

    async def suspend(self, server_id: str, name: str) -> None:
        self.world.note(f"suspend {name}")

    async def withdraw(self, server_id: str, name: str) -> None:
        self.world.note(f"withdraw {name}")
        self.world.exports.pop((server_id, name), None)


@dataclass
class FakeBackups:
    """Backups that are there at the second look."""

    world: World
    looked: set[str] = field(default_factory=set)

    def _progress(self, name: str) -> int:
        known = name in self.looked
        self.looked.add(name)
        return 100 if known else 40

    async def begin(self, backup: str, volume: str) -> None:
        self.world.note(f"back up {volume} {backup}")

    async def progress(self, backup: str) -> int:
        return self._progress(backup)

    async def delete(self, backup: str) -> None:
        self.world.note(f"delete backup {backup}")

    async def begin_restore(self, backup: str, volume: str) -> None:
        self.world.note(f"fetch {backup} {volume}")

    async def restore_progress(self, backup: str, volume: str) -> int:
        return self._progress(volume)

    async def swap(self, volume: str) -> None:
        self.world.note(f"swap {volume}")
