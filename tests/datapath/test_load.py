"""Under load: many at once, changes without a gap, parts that die in the middle of a call."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys

import pytest

from drivers.ganesha.gateway.command import until
from generated.runtime import Row
from tests.datapath.lab import Client, Lab, port

pytestmark = pytest.mark.datapath

WORKER = """
import asyncio, json, os, signal, sys, uvloop
from drivers.ganesha.embedded import driver
from drivers.ganesha.options import GaneshaOptions
settings, network_info = json.loads(sys.argv[1])
async def work():
    made = driver(GaneshaOptions(**settings))
    await made.do_setup()
    await made.setup_server(network_info)
with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
    runner.run(work())
os.killpg(0, signal.SIGKILL)
"""


async def test_many_shares_at_once(lab: Lab, server: Row, five: Client) -> None:
    shares = await asyncio.gather(*(lab.share(server, 1, "rw 10.0.0.5") for _ in range(20)))
    for number, share in enumerate(shares):
        await five.mount(share["location"])
        await five("write", name="f", text=str(number))
    for number, share in enumerate(shares):
        await five.mount(share["location"])
        assert await five("read", name="f") == str(number)
    await asyncio.gather(*(lab.driver.delete_share(share, server) for share in shares))
    assert await lab.driver._exports.names(server["id"]) == []


async def test_many_gateways_at_once(lab: Lab) -> None:
    servers = await asyncio.gather(*(lab.server(f"n{number}") for number in range(6)))
    assert len({lab.ganesha(server) for server in servers}) == 6
    await asyncio.gather(*(lab.driver.teardown_server(server["backend_details"]) for server in servers))


async def test_the_bus_dies_while_rules_change(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1)
    for last in range(3):
        allowing = asyncio.create_task(lab.allow(share, "rw 10.0.0.5", f"ro 10.0.9.{last}"))
        await asyncio.sleep(0)
        await lab.kill(lab.bus(server))
        assert set((await allowing).values()) == {"active"}
        assert await until(lambda: lab.supervisor(server) is not None, 5)
    await five.mount(share["location"])


async def test_a_thousand_rules(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server)
    rules = [f"ro 10.{number // 250}.{number % 250}.0/24" for number in range(1, 1000)]
    assert set((await lab.allow(share, *rules, "rw 10.0.0.5")).values()) == {"active"}
    await five.mount(share["location"])
    await five("write", name="f", text="x")


async def test_gateways_outlive_a_killed_worker(lab: Lab) -> None:
    """The worker, on the event loop of the service, is killed with its process group; the next finds the gateway."""
    server_id = "outlives-its-worker"
    settings = {name: getattr(lab.options, name) for name in lab.options.__dataclass_fields__}
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WORKER, json.dumps([settings, [port(server_id, "w", "10.0.0.50/24")]])),
        start_new_session=True,
        cwd=os.getcwd(),
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert await worker.wait() == -signal.SIGKILL
    server = {"id": server_id}
    before = lab.ganesha(server)
    share = await lab.share(server, 1, "rw 10.0.0.5")
    assert lab.ganesha(server) == before
    client = await lab.client("w", "10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="x")


async def test_both_families(lab: Lab) -> None:
    server = await lab.server("dual", "10.0.0.50/24", "fd00::50/64")
    share = await lab.share(server, 1, "rw fd00::/64", "ro 10.0.0.0/24")
    six = await lab.client("dual", "fd00::6", 64)
    four = await lab.client("dual", "10.0.0.6")
    export = await lab.driver._exports.find(server["id"], share["id"])
    assert export is not None
    await six.mount(f"[fd00::50]:{export.pseudo}")
    await six("write", name="f", text="x")
    await four.mount(share["location"])
    assert await four("read", name="f") == "x"
    assert await four.outcome("write", name="f", text="y") == "NFS4ERR_ROFS"
    await lab.allow(share, "rw ::/0")
    with pytest.raises(Exception, match=r"NOENT|NotFound|Connection"):
        await four.mount(share["location"])
