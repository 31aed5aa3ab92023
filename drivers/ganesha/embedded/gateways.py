"""Gateways as processes: one Ganesha with its own bus per share server, in its own network namespace.

A gateway belongs to no worker: a supervisor of its own keeps it, and a worker that comes back finds it by its folder
and the lock the supervisor holds. A folder has ``server.json`` (the ports), ``program`` (the Ganesha in use), the
configuration, ``exports.d``, ``exports.held`` (exports without a mounted volume), ``records``, and Ganesha's recovery
folder.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from drivers.ganesha.embedded import network, programs
from drivers.ganesha.embedded.host import missing
from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.gateway import config, exports, files, recovery, supervise
from drivers.ganesha.gateway.command import start_detached, until
from drivers.ganesha.gateway.control import Control
from drivers.ganesha.options import GaneshaOptions
from drivers.ganesha.ports import Address, Server
from drivers.ganesha.program.found import Program
from generated.errors import ShareBackendException

_PROGRAM = "program"
_SOCKET_NAME_LIMIT = 107
_STOP_PATIENCE = 15.0
log = logging.getLogger(__name__)


class EmbeddedGateways:
    """The port ``Gateways`` on this machine."""

    def __init__(self, options: GaneshaOptions, layout: Layout, fabric: network.Fabric) -> None:
        self._options = options
        self._layout = layout
        self._fabric = fabric
        self._found: Program | None = None

    async def check(self) -> None:
        """Verify that one is root and the programs are there, and that Ganesha is new enough.

        Raises:
            ShareBackendException: they are not, it is not, or an option has no such value.
        """
        if lacking := missing():
            raise ShareBackendException(msg="the Ganesha driver needs on this machine: " + " ".join(lacking))
        self._found = await asyncio.to_thread(programs.admitted, self._options)

    async def identifier(self, server: Server) -> str:
        return server.id

    def named(self, identifier: str) -> str:
        return identifier

    async def known(self) -> list[Server]:
        """Servers with a complete folder."""
        found = [_load(folder) for folder in _folders(self._layout.servers)]
        return [server for server in found if server is not None]

    async def find(self, server_id: str) -> Server | None:
        """The server as its folder says."""
        return _load(self._layout.server(server_id))

    async def start(self, server: Server) -> None:
        """Plug the ports, write the configuration, start the supervisor, wait until Ganesha answers and listens."""
        folder = self._layout.server(server.id)
        if supervisor(folder) and self._listens(server.id):
            return
        async with files.locked(self._layout.lock):
            _make_folder(folder)
            await self._bring_up(server, folder)
        await self._ready(server.id)

    async def rests(self, server_id: str) -> bool:
        """Nothing is waited for here: who is asked starts it."""
        return False

    async def renew(self, server: Server) -> bool:
        """End a gateway that runs another Ganesha than a new one would; ``start`` starts it with that.

        Its clients wait for the grace period at most, and claim their locks again.
        """
        folder = self._layout.server(server.id)
        if not supervisor(folder):
            return False
        before, now = files.read(folder / _PROGRAM) or "an older release's", (await self._program()).identity
        if before == now:
            return False
        log.warning("share server %s runs Ganesha %s and is started again with %s", server.id, before, now)
        await _stop(folder)
        return True

    async def _program(self) -> Program:
        if self._found is None:
            self._found = await asyncio.to_thread(programs.admitted, self._options)
        return self._found

    async def heal(self) -> None:
        """Start gateways whose supervisor was killed; one that is being removed is no longer a candidate."""
        for folder in _folders(self._layout.servers):
            if supervisor(folder):
                continue
            async with files.locked(self._layout.lock):
                server = _load(folder)
                if server is None:
                    continue
                await self._bring_up(server, folder)
            await self._ready(server.id)

    async def remove(self, server_id: str) -> None:
        """End the supervisor and with it the gateway, then namespace, unused networks and folder."""
        folder = self._layout.server(server_id)
        async with files.locked(self._layout.lock):
            if (folder / "server.json").exists():
                (folder / "server.json").replace(folder / "removed.json")
            server = _load(folder, "removed.json")
        await _stop(folder)
        async with files.locked(self._layout.lock):
            addresses = server.addresses if server else ()
            await self._fabric.unplug(self._fabric.gateway(server_id), addresses)
            for address in addresses:
                await self._fabric.remove_switch(address.network_id)
            await asyncio.to_thread(shutil.rmtree, folder, True)

    async def _bring_up(self, server: Server, folder: Path) -> None:
        files.write(folder / "server.json", json.dumps(asdict(server)))
        await self._fabric.plug(self._fabric.gateway(server.id), server.addresses)
        if not supervisor(folder):
            await self._configure(server, folder)
            await self._launch(server, folder)

    async def _configure(self, server: Server, folder: Path) -> None:
        if len(str(folder / "bus")) > _SOCKET_NAME_LIMIT:
            raise ShareBackendException(msg=f"path of the state folder is too long for a socket: {folder}")
        program = await self._program()
        files.write(folder / "bus.conf", config.bus(folder))
        files.write(folder / "ganesha.conf", config.gateway(server, folder, programs.serving(self._options, program)))
        recovery.carry_over(folder / "recovery", program.version)
        files.write(folder / _PROGRAM, program.identity)

    async def _launch(self, server: Server, folder: Path) -> None:
        words = [f"--program={word}" for word in (await self._program()).words]
        namespace = self._fabric.gateway(server.id)
        hang, size = self._options.ganesha_hang_timeout, self._options.ganesha_log_size_mb << 20
        watch = (str(folder), "--hang", str(hang), "--size", str(size), *words)
        program = network.inside(namespace, sys.executable, "-I", "-S", supervise.__file__, *watch)
        await start_detached(*program, log=folder / "supervise.log")

    async def _ready(self, server_id: str) -> None:
        await Control(self._layout.server(server_id) / "bus", self._options.ganesha_timeout).shown()
        if not await until(lambda: self._listens(server_id), self._options.ganesha_timeout):
            raise ShareBackendException(msg=f"gateway of share server {server_id} does not listen")

    def _listens(self, server_id: str) -> bool:
        """Whether Ganesha's port is open, seen in the process's own network namespace."""
        pid = (files.read(self._layout.server(server_id) / "ganesha.pid") or "").strip()
        listening = re.compile(r"^\s*\d+: \w+:0801 \w+:\w+ 0A", re.MULTILINE)
        return bool(pid) and any(
            listening.search(files.read(Path(f"/proc/{pid}/net/{table}")) or "") for table in ("tcp", "tcp6")
        )


def _detach(log: Path, *command: str) -> None:
    """Start ``command`` in a session of its own, as nobody's child, its output at the end of ``log``."""
    with log.open("ab") as output:
        subprocess.run(
            ["setsid", "-f", *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=True, timeout=30
        )


def supervisor(folder: Path) -> int | None:
    """Process id of the living supervisor of a gateway's folder."""
    try:
        descriptor = os.open(folder / "supervisor", os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(os.pread(descriptor, 32, 0) or b"0") or None
    finally:
        os.close(descriptor)
    return None


async def _stop(folder: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        pid = supervisor(folder)
        if pid is None:
            return
        os.kill(pid, number)
        if await until(lambda: supervisor(folder) is None, _STOP_PATIENCE):
            return


def _make_folder(folder: Path) -> None:
    files.folder(folder.parent, 0o700)
    # the bus's socket lets everybody in who reaches it
    files.folder(folder, 0o700)
    for name in exports.FOLDERS:
        files.folder(folder / name, 0o700)


def _folders(servers: Path) -> list[Path]:
    return sorted(servers.iterdir()) if servers.exists() else []


def _load(folder: Path, name: str = "server.json") -> Server | None:
    text = files.read(folder / name)
    if text is None:
        return None
    document = json.loads(text)
    return Server(document["id"], tuple(Address(**address) for address in document["addresses"]))
