"""What Ganesha says of its clients, and that nobody in a tenant's network can ask it."""

from __future__ import annotations

import asyncio
import pathlib
import re

import pytest

from drivers.client_counts import Counts
from generated.runtime import Row
from tests.datapath.lab import Client, Lab

pytestmark = pytest.mark.datapath
SIZE = 4


async def seen(lab: Lab, server: Row) -> tuple[dict[str, Counts], dict[str, Counts]]:
    """Counts of shares and of clients of a gateway."""
    (found,) = [one for one in await lab.driver.clients_seen() if one.server == server["id"]]
    return dict(found.statistics.shares), dict(found.statistics.clients)


async def test_operations_bytes_and_time_of_shares_and_clients(
    lab: Lab, server: Row, five: Client, six: Client
) -> None:
    busy, idle = [await lab.share(server, 1, "rw 10.0.0.5", "ro 10.0.0.6") for _ in range(2)]
    await five.mount(busy["location"])
    before, _ = await seen(lab, server)
    await five("fill", name="f", size=SIZE)
    await five("write", name="g", text="x" * 100)
    await six.mount(busy["location"])
    assert len(await six("read", name="g")) == 100
    shares, clients = await seen(lab, server)
    assert idle["id"] not in shares
    read, write, other = shares[busy["id"]]
    assert write.bytes == (SIZE << 20) + 100
    assert read.bytes == 100
    assert write.operations >= SIZE
    assert write.seconds > 0 and other.seconds > 0
    assert other.operations > (before[busy["id"]][2].operations if busy["id"] in before else 0)
    assert (clients["10.0.0.5"][1].bytes, clients["10.0.0.5"][0].bytes) == (write.bytes, 0)
    assert (clients["10.0.0.6"][1].bytes, clients["10.0.0.6"][0].bytes) == (0, 100)
    assert clients.keys() == {"10.0.0.5", "10.0.0.6"}, "whoever asks from the gateway itself is no client"
    assert await five.outcome("read", name="none") == "NFS4ERR_NOENT"
    errors = (await seen(lab, server))[1]["10.0.0.5"][2].errors
    assert errors > clients["10.0.0.5"][2].errors


async def test_a_gateway_that_stands_still_is_left_out(lab: Lab, server: Row) -> None:
    other = await lab.server("still")
    await lab.kill(lab.supervisor(other) or 0)
    found = {one.server for one in await asyncio.wait_for(lab.driver.clients_seen(), 5)}
    assert server["id"] in found and other["id"] not in found


async def test_nothing_listens_in_the_tenants_network_but_nfs(lab: Lab, server: Row) -> None:
    """No exporter, no rpcbind, nothing of the control: TCP and UDP, both families, on whatever address."""
    tables = pathlib.Path(f"/proc/{lab.ganesha(server)}/net")
    open_ports = set()
    for name, listens in (("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")):
        line = re.compile(rf"^\s*\d+: \w+:(\w{{4}}) \w+:\w+ {listens} ", re.MULTILINE)
        open_ports |= {(name[:3], int(port, 16)) for port in line.findall((tables / name).read_text())}
    assert open_ports == {("tcp", 2049)}
