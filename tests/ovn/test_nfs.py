"""Real Ganesha behind OVN's ports, real NFSv4.1 clients on the other chassis: two tenants with one address, a move."""

from __future__ import annotations

import asyncio
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.gateway import config
from drivers.ganesha.ports import Export, Server
from drivers.ganesha.rules import Client as Allowed
from tests.datapath.lab import AGENT, Client, NfsError
from tests.lab.ovn.spaces import within
from tests.ovn.stage import Pod, ShareServer, Stage

pytestmark = [pytest.mark.ovn, pytest.mark.allow_hosts(["10.0.0.0/24", "127.0.0.1"])]
GRACE, LEASE, MIB = 3, 15, 64


class Ganesha:
    """A Ganesha in a pod's namespace; its folder outlives the pod, as a gateway's state does."""

    def __init__(self, folder: pathlib.Path, server: ShareServer) -> None:
        self.folder, self.name = folder, f"share-{server.tenant}"
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("exports.d", "recovery", "ccache", "share"):
            (folder / name).mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(folder / "share")], check=True)
        shown = Export(self.name, str(folder / "share"), "No_Root_Squash", (Allowed("10.0.0.0/24", "RW"),))
        (folder / "exports.d" / "1.conf").write_text(config.export(shown, 1))
        version = subprocess.run(["ganesha.nfsd", "-v"], capture_output=True, text=True, check=True).stdout
        release = 5 if "V5" in version or "V6" in version else 4
        (folder / "ganesha.conf").write_text(config.gateway(Server(server.id, ()), folder, GRACE, LEASE, release))

    def start(self, pod: Pod) -> None:
        """Serve from a pod. It ends at once where no device has an address; in a real pod the pod network's has one."""
        words = ("ganesha.nfsd", "-F", "-f", str(self.folder / "ganesha.conf"))
        files = ("-L", str(self.folder / "log"), "-p", str(self.folder / "pid"))
        self._process = subprocess.Popen(within(pod.file, *words, *files), stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def clear(self) -> None:
        """Remove its share."""
        self.stop()
        subprocess.run(["umount", "-l", str(self.folder / "share")], check=False)


@pytest.fixture
async def served(stage: Stage, tmp_path: pathlib.Path) -> AsyncIterator[dict[str, tuple[ShareServer, Pod, Ganesha]]]:
    """A gateway of each tenant on c1, with one address and MAC."""
    if shutil.which("ganesha.nfsd") is None:
        pytest.skip("needs the Debian packages nfs-ganesha and nfs-ganesha-vfs")
    stage.start()
    made = {}
    for tenant in "ab":
        stage.neutron.state.mac = 0x700
        server = await stage.server(tenant)
        await stage.plugin.ports.admit(server.id, ["10.0.0.6/32"])
        pod = stage.pod(server, "c1", echo=False)
        ganesha = Ganesha(tmp_path / tenant, server)
        await stage.installed(pod)
        ganesha.start(pod)
        made[tenant] = (server, pod, ganesha)
    yield made
    for _, _, ganesha in made.values():
        ganesha.clear()


async def _client(space: str) -> Client:
    words = within(space, sys.executable, str(AGENT))
    pipe = asyncio.subprocess.PIPE
    return Client(await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe))


async def _mounted(client: Client, ip: str, path: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            await client.mount(f"{ip}:/{path}")
            await client("write", name="first", text=path)
            return
        except NfsError:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.2)


async def _filled(client: Client, location: str) -> float:
    """Seconds that a big file took. nfs-rs gives up a connection where a kernel client sends again: it may repeat."""
    for last in (False, False, True):
        begin = time.monotonic()
        try:
            await client("fill", name="big", size=MIB)
            break
        except NfsError as error:
            print(f"the client gave up: {error}")
            if last:
                raise
            await client.mount(location)
    return time.monotonic() - begin


async def test_nfs_of_two_tenants(stage: Stage, served: dict[str, tuple[ShareServer, Pod, Ganesha]]) -> None:
    (a, pod, ganesha), (b, _, _) = served["a"], served["b"]
    assert (a.ip, a.allocation["mac_address"]) == (b.ip, b.allocation["mac_address"])
    clients = {tenant: await _client(stage.client(tenant, "c2", "10.0.0.6")) for tenant in "ab"}
    try:
        for tenant, other in ("ab", "ba"):
            await _mounted(clients[tenant], a.ip, f"share-{tenant}")
            with pytest.raises(NfsError, match=r"NOENT|NotFound"):
                await clients[tenant].mount(f"{a.ip}:/share-{other}")
            await _mounted(clients[tenant], a.ip, f"share-{tenant}")
            assert await clients[tenant]("read", name="first") == f"share-{tenant}"
        took, load = await _filled(clients["a"], f"{a.ip}:/share-a"), os.getloadavg()[0]
        print(f"NFSv4.1 over geneve, {MIB} MiB written: {MIB / took:.0f} MiB/s, load {load:.1f}")
        begin = time.monotonic()
        stage.delete(pod)
        ganesha.stop()
        moved = stage.pod(a, "c2", echo=False)
        await stage.installed(moved)
        ganesha.start(moved)
        await _mounted(clients["a"], a.ip, "share-a")
        print(f"gateway moved to c2: first write {time.monotonic() - begin:.1f} s after its end (grace {GRACE} s)")
        assert await clients["b"]("read", name="first") == "share-b"
    finally:
        for client in clients.values():
            await client.close()
