"""Who is measured: the product's gateway, a plain Ganesha, and the share's own file system."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway.command import run, until
from drivers.ganesha.ports import Address
from drivers.ganesha.program.found import Program
from tests.datapath.lab import Lab
from tests.perf.nfs.works import Sizes, Work

CLIENT = Path(__file__).parent / "client.py"
PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One work once: the table's amount, seconds, and CPU seconds of the server and of all clients."""

    amount: float
    seconds: float
    server: float
    clients: float


class Failed(Exception):
    """A client could not do its work."""


class Side:
    """Clients that do works at one place, and the process that serves them."""

    def __init__(self, name: str) -> None:
        self.name, self.pid = name, 0
        self.clients: list[asyncio.subprocess.Process] = []

    async def start(self, clients: list[list[str]]) -> None:
        """Start clients, all at once. Raises Failed."""
        begun = [asyncio.create_subprocess_exec(*one, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for one in clients]
        self.clients = list(await asyncio.gather(*begun))
        there = await asyncio.gather(*(_line(one) for one in self.clients))
        if any(one != b"ready\n" for one in there):
            raise Failed(f"{self.name}: a client does not get there; it has said why")

    async def do(self, work: Work, sizes: Sizes) -> Measured:
        """Have a work done. Raises Failed."""
        before, begin = self._cpu(), time.perf_counter()
        chosen = self.clients[: work.clients]
        told = await asyncio.gather(*(_ask(one, work.asked(sizes, number)) for number, one in enumerate(chosen)))
        seconds = time.perf_counter() - begin
        if wrong := [one["error"] for one in told if "error" in one]:
            raise Failed(f"{self.name}, {work.title}: {wrong[0]}")
        amount = sum(one["amount"] for one in told) / work.unit
        return Measured(amount, seconds, self._cpu() - before, sum(one["cpu"] for one in told))

    def _cpu(self) -> float:
        # the clock of another process's CPU time: clock_getcpuclockid(3)
        return time.clock_gettime((~self.pid << 3) | 2) if self.pid else 0.0

    async def close(self) -> None:
        """End the clients."""
        for one in self.clients:
            assert one.stdin is not None
            one.stdin.close()
            await one.wait()


async def _line(client: asyncio.subprocess.Process) -> bytes:
    assert client.stdout is not None
    return await asyncio.wait_for(client.stdout.readline(), PATIENCE)


async def _ask(client: asyncio.subprocess.Process, asked: dict[str, Any]) -> Any:
    assert client.stdin is not None
    client.stdin.write(json.dumps(asked).encode() + b"\n")
    await client.stdin.drain()
    return json.loads(await _line(client) or b'{"error": "the client ended"}')


def furnish(folder: Path, sizes: Sizes, clients: int) -> None:
    """Put what the works read on a share."""
    (folder / "names").mkdir()
    for number in range(sizes.files):
        (folder / "names" / f"{number:05}").touch()
    block = os.urandom(1 << 20)
    files = {"random": sizes.spread} | {
        f"own{number}": sizes.many if number else sizes.one for number in range(clients)
    }
    for name, size in files.items():
        with (folder / name).open("wb") as file:
            for _ in range(size >> 20):
                file.write(block)
            os.fsync(file.fileno())


async def local(folder: Path, sizes: Sizes, clients: int) -> Side:
    """The share's own file system, without a server."""
    await asyncio.to_thread(furnish, folder, sizes, clients)
    made = Side("local")
    await made.start([[sys.executable, str(CLIENT), str(folder)]] * clients)
    return made


async def gateway(
    name: str, lab: Lab, network: str, shares: int, sizes: Sizes, clients: int, more: str = ""
) -> tuple[Side, Path]:
    """The product's gateway with some shares, over which its clients are spread; where its first share is mounted.

    ``more``: settings of Ganesha besides the product's, as ``changed`` takes them.
    """
    server, made = await lab.server(network), Side(name)
    if more:
        file, pid = lab.layout.server(server["id"]) / "ganesha.conf", lab.ganesha(server)
        file.write_text(changed(file.read_text(), more))
        await lab.kill(pid)  # its supervisor starts the next one
        assert await until(lambda: lab.ganesha(server) not in (0, pid), PATIENCE)
    locations = [(await lab.share(server, 1, "rw 10.0.0.0/24"))["location"] for _ in range(shares)]
    paths = [location.rpartition(":/")[2] for location in locations]
    for path in dict.fromkeys(paths[number % shares] for number in range(clients)):
        await asyncio.to_thread(furnish, lab.layout.mount(path), sizes, clients)
    made.pid = lab.ganesha(server)
    await _connect(made, lab, network, "10.0.0.50", [f"/{paths[number % shares]}" for number in range(clients)])
    return made, lab.layout.mount(paths[0])


def changed(text: str, more: str) -> str:
    """A configuration with more settings in its blocks: ``BLOCK: A = 1; B = 2; / OTHER: C = 3;``."""
    for part in more.split("/"):
        block, _, settings = (one.strip() for one in part.partition(":"))
        before, there, after = text.partition(f"{block} {{")
        text = f"{before}{there} {settings} {after}" if there else f"{text}{block} {{ {settings} }}\n"
    return text


async def _connect(side: Side, lab: Lab, network: str, server: str, paths: list[str]) -> None:
    words = []
    for number, path in enumerate(paths):
        namespace = lab.fabric.client(f"{network}-{number}")
        await lab.fabric.plug(namespace, (Address(f"10.0.0.{100 + number}", 24, network),))
        words.append(inside(namespace, sys.executable, str(CLIENT), server, path))
    await side.start(words)


PLAIN = """\
NFS_CORE_PARAM {{ Protocols = 4; Enable_RQUOTA = false; Enable_NLM = false; Enable_UDP = false; {core} }}
NFSV4 {{ Graceless = true; RecoveryRoot = "{folder}/recovery"; }}
NFS_KRB5 {{ Active_krb5 = false; CCacheDir = "{folder}/ccache"; }}
EXPORT {{
  Export_Id = 1; Path = "{mount}"; Pseudo = "/share"; Access_Type = RW; Squash = No_Root_Squash; FSAL {{ Name = VFS; }}
}}
"""
"""Defaults, but what keeps it from the machine's folders, from needing an rpcbind, and from waiting for old clients."""


@contextlib.asynccontextmanager
async def _volume(lab: Lab, folder: Path) -> Any:
    """An XFS image in the same pool with the defaults of mkfs and mount."""
    image, mount = lab.layout.pool / f"{folder.name}.img", folder / "mount"
    mount.mkdir()
    await run("truncate", "-s", "1100M", str(image))
    await run("mkfs.xfs", "-q", str(image))
    await run("mount", "-o", "loop", str(image), str(mount))
    try:
        yield mount
    finally:
        assert await until(lambda: subprocess.run(["umount", mount], stderr=subprocess.DEVNULL).returncode == 0, 20)
        image.unlink()


@contextlib.asynccontextmanager
async def plain(name: str, lab: Lab, network: str, program: Program, sizes: Sizes, clients: int) -> Any:
    """A Ganesha with its defaults in a tenant's network, on a volume with the defaults."""
    folder = lab.root / f"plain-{network}"
    for part in ("", "recovery", "ccache"):
        (folder / part).mkdir()
    namespace, made = lab.fabric.client(f"{network}-server"), Side(name)
    await lab.fabric.plug(namespace, (Address("10.0.0.60", 24, network),))
    core = f'Plugins_Dir = "{program.plugins}"; ' if program.plugins else ""
    core += "Allow_Set_Io_Flusher_Fail = true;" if program.version >= (5, 0) else ""
    async with _volume(lab, folder) as mount:
        (folder / "conf").write_text(PLAIN.format(core=core, folder=folder, mount=mount))
        await asyncio.to_thread(furnish, mount, sizes, clients)
        words = [*program.words, "-F", "-f", str(folder / "conf"), "-L", str(folder / "log"), "-p", str(folder / "pid")]
        environment = {**os.environ, "BLKID_FILE": "/dev/null", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/none"}
        process = _start(inside(namespace, *words), environment)
        made.pid = process.pid
        try:
            if not await until(lambda: _listens(process), PATIENCE / 10):
                raise Failed(f"{name} does not listen: {(folder / 'log').read_text()[-2000:]}")
            await _connect(made, lab, network, "10.0.0.60", ["/share"] * clients)
            yield made
        finally:
            process.terminate()
            process.wait(20)


def _start(words: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    # a session of its own, as the supervisor of a gateway has: the kernel shares the CPUs out among sessions
    return subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)


def _listens(process: subprocess.Popen[bytes]) -> bool:
    """Whether a server's port is open; one that has ended listens no more."""
    with contextlib.suppress(FileNotFoundError):
        return ":0801 " in Path(f"/proc/{process.pid}/net/tcp6").read_text()
    return False
