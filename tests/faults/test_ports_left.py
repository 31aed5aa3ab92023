"""A worker dies after Neutron has made its ports and before it has written them: none of them stays for ever."""

from __future__ import annotations

import asyncio
import json
import pathlib
import signal
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from db.ports_left import figures
from tests.conformance import launch
from tests.faults import stories
from tests.faults.doomed import UNWRITTEN
from tests.faults.stage import Stage, stage
from tests.faults.stories import Facts
from worker import backends
from worker.operation import Backend
from worker.periodic import Now
from worker.tasks.servers import leaked_ports


@pytest.fixture
def neutron() -> Iterator[str]:
    (port,) = launch.free_ports(1)
    with launch.process([sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(port)]):
        yield f"http://127.0.0.1:{port}"


def ports(neutron: str, server: str) -> set[str]:
    """Ids of a server's ports, as Neutron has them."""
    request = urllib.request.Request(f"{neutron}/v2.0/ports", headers={"X-Auth-Token": "t"})
    with urllib.request.urlopen(request) as answer:
        return {one["id"] for one in json.load(answer)["ports"] if one["device_id"] == server}


def foreign_port(neutron: str) -> None:
    """A port of somebody else in the same network."""
    port = {"network_id": "00000000-0000-4000-8000-00000000000a", "device_id": "vm", "device_owner": "compute:nova"}
    body, headers = json.dumps({"port": port}).encode(), {"X-Auth-Token": "t", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{neutron}/v2.0/ports", body, headers)):
        pass


async def written(here: Stage) -> set[str]:
    return {row["id"] for row in await here.rows("SELECT id FROM network_allocations WHERE deleted = 'False'")}


async def killed(here: Stage) -> tuple[Facts, str]:
    """A share is ordered and its worker dies with the ports made; the server's id."""
    facts: Facts = {}
    await stories.make_type(here, servers=True)
    async with here.worker():
        await here.ready()
        await stories.SHARE_ON_SERVER.prepare(here, facts)
        await here.settled()
    await stories.SHARE_ON_SERVER.ask(here, facts)
    assert await here.doomed("share_create", UNWRITTEN) == -signal.SIGKILL
    (server,) = await here.rows("SELECT id, status FROM share_servers")
    assert server["status"] == "creating"
    return facts, str(server["id"])


@pytest.mark.slow
async def test_the_next_worker_takes_the_ports_over(database_url: str, neutron: str, tmp_path: pathlib.Path) -> None:
    backends_ = stories.SHARE_ON_SERVER.backends
    async with stage(tmp_path, database_url, neutron, backends_) as here:
        facts, server = await killed(here)
        made = ports(neutron, server)
        assert made and not made & await written(here)
        async with here.worker():
            await here.settled()
            await stories.SHARE_ON_SERVER.check(here, facts)
        assert made <= await written(here) and ports(neutron, server) <= await written(here)


@pytest.mark.slow
async def test_what_nobody_takes_over_is_removed(database_url: str, neutron: str, tmp_path: pathlib.Path) -> None:
    """The task was given up: not while the server is being made, nor at the first look, nor a port of somebody else."""
    async with stage(tmp_path, database_url, neutron, stories.SHARE_ON_SERVER.backends) as here:
        _, server = await killed(here)
        made = ports(neutron, server)
        await asyncio.to_thread(foreign_port, neutron)
        (backend,) = [one for one in backends.build(here.core.settings) if one.network is not None]
        now = Now(here.core, backend, expired=True)
        await leaked_ports(now)
        assert await left(here) == []
        async with here.core.db.write() as conn:
            await conn.run("UPDATE openkeel_tasks SET state = 'failed' WHERE state = 'running'")
            await conn.run("UPDATE share_servers SET status = 'error' WHERE id = %s", (server,))
        await leaked_ports(now)
        assert await left(here) == [(True, len(made))] and ports(neutron, server) == made
        await leaked_ports(Now(here.core, backend))
        assert ports(neutron, server) == made  # two looks, and not yet the time
        await leaked_ports(now)
        assert await left(here) == [] and ports(neutron, server) == set()
        assert len(ports(neutron, "vm")) == 1
        await close(backend)


async def left(here: Stage) -> list[tuple[bool, int]]:
    async with here.core.db.read() as conn:
        return [(row["ours"], row["number"]) for row in await figures(conn)]


async def close(backend: Backend) -> None:
    for one in (backend.network, backend.admin_network):
        closing: Any = getattr(one, "close", None)
        if closing is not None:
            await closing()
