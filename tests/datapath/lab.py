"""A Ganesha back end with tenants, shares and clients, driven through the driver as a worker would."""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import uuid
from typing import Any

from deploy import bootstrap
from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.embedded import driver, gateways
from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.embedded.network import Fabric, inside
from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.command import CommandFailed, run, until
from drivers.ganesha.options import GaneshaOptions
from drivers.ganesha.ports import Address
from generated.runtime import Row

AGENT = pathlib.Path(__file__).parent / "nfs_agent.py"
WIRE = pathlib.Path(__file__).parent / "wire.py"
_numbers = itertools.count(1)


class NfsError(Exception):
    """What the client's operation ended with; ``name`` as in the protocol."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name


class Client:
    """An NFSv4.1 client in a namespace of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def __call__(self, verb: str, **arguments: Any) -> Any:
        """One request to the agent; raises NfsError."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write((json.dumps({"do": verb} | arguments) + "\n").encode())
        await self.process.stdin.drain()
        answer = json.loads(await asyncio.wait_for(self.process.stdout.readline(), 60))
        if "error" in answer:
            raise NfsError(answer["error"], answer["text"])
        return answer["ok"]

    async def outcome(self, verb: str, **arguments: Any) -> str:
        """``ok`` or the error's name."""
        try:
            await self(verb, **arguments)
        except NfsError as error:
            return error.name
        return "ok"

    async def mount(self, location: str, uid: int = 0, direct: bool = False) -> None:
        """Mount an export location; ``direct``: as a client whose connection may be cut and goes on (3 s slower)."""
        host, _, path = location.rpartition(":/")
        assert await self("mount", server=host.strip("[]"), path="/" + path, uid=uid, direct=direct) == "4.1"

    async def close(self) -> None:
        """End the agent."""
        assert self.process.stdin
        self.process.stdin.close()
        await self.process.wait()


class Driven:
    """A back end that tests drive through its driver, with tenants' networks on this machine."""

    subnet = "10.0.0"
    """The first three numbers of every tenant's addresses."""
    driver: GaneshaDriver
    fabric: Fabric
    clients: list[Client]

    async def server(self, network: str) -> Row:
        """The share server of a tenant."""
        raise NotImplementedError

    async def share(self, server: Row, size: int = 1, *rules: str, **extra_specs: str) -> Row:
        """A share with rules written ``rw 10.0.0.5``; its row carries ``location`` and ``server`` for the tests."""
        share = {
            "id": str(uuid.uuid4()),
            "size": size,
            "share_proto": "NFS",
            "extra_specs": {key.replace("_", ":", 1): value for key, value in extra_specs.items()},
            "server": server,
        }
        locations = await self.driver.create_share(share, server)
        share["location"] = locations[0]["path"]
        if rules:
            assert set((await self.allow(share, *rules)).values()) == {"active"}
        return share

    async def allow(self, share: Row, *rules: str) -> dict[str, str]:
        """Make exactly these the rules of the share; answers the state of each."""
        rows = []
        for text in rules:
            level, target = text.split()
            kind, _, target = target.rpartition("=")
            rows.append({"id": text, "access_type": kind or "ip", "access_to": target, "access_level": level})
        updates = await self.driver.update_access(share, rows, [], [], [], share["server"])
        return {rule: update["state"] for rule, update in (updates or {}).items()}

    def snapshot(self, share: Row) -> Row:
        """A row for a snapshot of the share."""
        return {"id": str(uuid.uuid4()), "share_instance_id": share["id"], "share": share, "size": share["size"]}

    async def client(self, network: str, ip: str, prefix: int = 24) -> Client:
        """An NFS client in the tenant network."""
        return await self._started(AGENT, network, ip, prefix)

    async def raw(self, network: str, ip: str) -> Client:
        """A client in the tenant network that sees bytes, ``wire.py``."""
        return await self._started(WIRE, network, ip, 24)

    async def _started(self, program: pathlib.Path, network: str, ip: str, prefix: int) -> Client:
        namespace = self.fabric.client(f"{network}-{ip.replace(':', '.')}")
        await self.fabric.plug(namespace, (Address(ip, prefix, network),))
        process = await asyncio.create_subprocess_exec(
            *inside(namespace, sys.executable, str(program)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        client = Client(process)
        self.clients.append(client)
        return client


async def restored(client: Client, name: str, text: str) -> None:
    """Wait until a file reads as restored: what is replaced below Ganesha is seen after up to a minute."""
    said = list[str]()
    try:
        async with asyncio.timeout(150):
            while not said or said[-1] != text:
                try:
                    said.append(str(await client("read", name=name)))
                except NfsError as error:  # lost for a while, too
                    said.append(str(error))
                await asyncio.sleep(1)
    finally:
        print(f"{name} after the restore: {said}")


class Lab(Driven):
    """One back end in a folder of its own; ``down`` leaves nothing behind."""

    def __init__(self, *, place: pathlib.Path = pathlib.Path("/tmp"), **options: Any) -> None:
        self.root = place / f"okm-{os.getpid()}-{next(_numbers)}"
        settings: dict[str, Any] = {
            "ganesha_state_path": str(self.root),
            "ganesha_pool_size_gb": 64,
            "ganesha_pool_preallocate": False,
            "ganesha_namespace_prefix": f"{self.root.name}-",
            # the client used here does not reclaim, so after a restart its writes wait for the grace period
            "ganesha_grace_period": 3,
            # nor does it renew its lease while it waits: a lease no longer than the grace could run out meanwhile
            "ganesha_lease_lifetime": 15,
            "ganesha_timeout": 15.0,
            "ganesha_root": _folder(bootstrap.ganesha()),
        }
        self.options = GaneshaOptions(name="ganesha", **settings | options)
        self.layout = Layout(self.root)
        self.fabric = Fabric(self.options.ganesha_namespace_prefix)
        self.driver = self.worker()
        self.clients: list[Client] = []

    def worker(self) -> GaneshaDriver:
        """A driver as a worker that has just started sees it."""
        return driver(self.options)

    async def server(self, network: str, *ports: str) -> Row:
        """A share server in the tenant network ``network``; ``ports`` are addresses with prefix length."""
        server_id = str(uuid.uuid4())
        details = await self.driver.setup_server(
            [port(server_id, network, text) for text in ports or ("10.0.0.50/24",)]
        )
        return {"id": server_id, "backend_details": details}

    def ganesha(self, server: Row) -> int:
        """Process id of the server's Ganesha, 0 between two of them."""
        return int(files.read(self.layout.server(server["id"]) / "ganesha.pid") or 0)

    def supervisor(self, server: Row) -> int | None:
        """Process id of the server's supervisor."""
        return gateways.supervisor(self.layout.server(server["id"]))

    def bus(self, server: Row) -> int:
        """Process id of the server's bus."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.supervisor(server)), "dbus-daemon"], capture_output=True, text=True, check=True
        )
        return int(found.stdout)

    async def kill(self, pid: int, number: int = signal.SIGKILL) -> None:
        """End a process of the lab and wait until it is gone."""
        os.kill(pid, number)
        assert await until(lambda: not pathlib.Path(f"/proc/{pid}/stat").exists(), 10)

    async def down(self) -> None:
        """End everything; asserts that nothing stays."""
        for client in self.clients:
            await client.close()
        for server in await self.driver._gateways.known():
            await self.driver.teardown_server({"server_id": server.id})
        for namespace in leftovers(self.options.ganesha_namespace_prefix):
            await run("ip", "netns", "del", namespace)
        for mount in sorted(mounts(self.root), key=lambda place: place == str(self.layout.pool)):
            await _unmount(mount)
        shutil.rmtree(self.root, ignore_errors=True)
        assert not mounts(self.root)


def _folder(path: pathlib.Path | None) -> str | None:
    return None if path is None else str(path)


async def _unmount(place: str) -> None:
    """What has ended just now may hold it for a moment. Raises TimeoutError when it stays busy."""
    async with asyncio.timeout(20):
        while True:
            try:
                await run("umount", place)
                return
            except CommandFailed as error:
                if "busy" not in str(error):
                    raise
            await asyncio.sleep(0.2)


def port(server_id: str, network: str, address: str) -> Row:
    """An entry of ``network_info`` with one port, as the network plugin and the worker make it."""
    ip, _, _ = address.partition("/")
    cidr = str(ipaddress.ip_interface(address).network)
    ident = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{server_id} {address}"))
    allocation = {"id": ident, "ip_address": ip, "cidr": cidr, "mac_address": None, "gateway": None}
    return {"server_id": server_id, "neutron_net_id": network, "cidr": cidr, "network_allocations": [allocation]}


def leftovers(prefix: str) -> list[str]:
    """Namespaces whose names begin so."""
    folder = pathlib.Path("/run/netns")
    return [entry.name for entry in folder.iterdir() if entry.name.startswith(prefix)] if folder.exists() else []


def mounts(root: pathlib.Path) -> list[str]:
    """Mount points below a folder."""
    lines = pathlib.Path("/proc/mounts").read_text().splitlines()
    return [place for place in (line.split()[1] for line in lines) if place.startswith(f"{root}/")]
