"""The pod network's side of a gateway: nothing of the product listens there, and nothing that listens is reached.

A gateway with one port binds its address. Ganesha takes one address only, so with several it binds all of the pod's,
and the packet filter closes the pod network.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway.command import run
from generated.runtime import Row
from tests.datapath.pod_lab import PodLab

pytestmark = pytest.mark.datapath
NODE = "10.244.0.1"
EVERYBODY = "rw 0.0.0.0/0"


@pytest.fixture(scope="module")
async def pods() -> AsyncIterator[PodLab]:
    async with PodLab().working() as made:
        yield made


def listening(pods: PodLab, server: Row) -> set[tuple[str, str]]:
    """Protocol and local address of what listens in a gateway's pod."""
    words = inside(pods.fabric.gateway(server["id"]), "ss", "-Htuln")
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = [line.split() for line in text.splitlines()]
    # a socket of IPv6 may be bound to an address of IPv4
    return {(one[0], one[4].replace("[::ffff:", "").replace("]:", ":")) for one in found}


def reaches(namespace: str, ip: str, port: int = 2049) -> bool:
    """Whether a connection comes about."""
    words = inside(namespace, "timeout", "2", "bash", "-c", f"exec 3<>/dev/tcp/{ip}/{port}")
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


async def on_the_pod_network(pods: PodLab, server: Row, pod_ip: str) -> str:
    """A namespace on the pod network that sends packets for the tenant's addresses to the pod."""
    await pods.client("pods", NODE)
    namespace = pods.fabric.client(f"pods-{NODE}")
    for one in json.loads(server["backend_details"]["addresses"]):
        await run("ip", "-n", namespace, "route", "replace", f"{one['ip']}/32", "via", pod_ip)
    return namespace


async def test_one_port(pods: PodLab) -> None:
    server = await pods.server("a", pods="10.244.0.9/24")
    share = await pods.share(server, 1, EVERYBODY)
    assert listening(pods, server) == {("tcp", "10.0.0.50:2049")}
    client = await pods.client("a", "10.0.0.5")
    await client.mount(share["location"])
    outside = await on_the_pod_network(pods, server, "10.244.0.9")
    # the rule admits everybody: it is about the tenant's network
    assert not reaches(outside, "10.244.0.9") and not reaches(outside, "10.0.0.50")
    await pods.driver.delete_share(share, server)


async def test_several_ports(pods: PodLab) -> None:
    """Every port is served, the pod network is not, and it is the filter that closes it."""
    server = await pods.server("b", "10.0.1.50/24", c="10.0.2.50/24", pods="10.244.0.10/24")
    share = await pods.share(server, 1, EVERYBODY)
    locations = [f"{host}:/{share['id']}" for host in ("10.0.1.50", "10.0.2.50")]
    for network, host, location in zip("bc", ("10.0.1.5", "10.0.2.5"), locations, strict=True):
        client = await pods.client(network, host)
        await client.mount(location)
        await client("write", name=network, text=network)
    assert await client("read", name="b") == "b"
    assert {protocol for protocol, _ in listening(pods, server)} == {"tcp"}
    assert {place.rpartition(":")[2] for _, place in listening(pods, server)} == {"2049"}
    outside = await on_the_pod_network(pods, server, "10.244.0.10")
    places = ("10.244.0.10", "10.0.1.50", "10.0.2.50")
    assert [reaches(outside, one) for one in places] == [False, False, False]
    await run(*inside(pods.fabric.gateway(server["id"]), "nft", "delete", "table", "inet", "openkeel"))
    assert [reaches(outside, one) for one in places] == [True, True, True]
