"""kill -9 of a share worker that drives the cluster, after every step of making and removing: nothing is lost or left.

Each round makes the first share of a network, writes to it, and removes share and share server; a worker dies once in
each of the three, and another one goes on.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import signal
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator

import pytest

from db.embedded import EmbeddedPostgres
from drivers.ganesha.kubernetes.attachments.multus import bridge
from tests.conformance import launch
from tests.datapath.lab import Client
from tests.faults import stories
from tests.faults.stage import Stage, stage
from tests.kube.node.hands import volumes
from tests.kube.node.site import Site, machine, nfs_client, written
from tests.lab.cluster import Cluster
from tests.lab.processes import sh, wait
from worker.registry import operations

pytestmark = pytest.mark.kube_node
MACHINE, TEXT = "10.0.0.5", "written " * 1000
TENANTS = ("pods", "persistentvolumeclaims", "statefulsets", "shareexports", "volumesnapshots")
OPTIONS = (
    "name", "ganesha_grace_period", "ganesha_lease_lifetime", "kubernetes_kubeconfig", "kubernetes_namespace",
    "kubernetes_storage_class", "kubernetes_snapshot_class", "kubernetes_gateways_path", "kubernetes_gateway_resources",
)  # fmt: skip


def _steps(operation: str) -> list[str]:
    return [one.name for one in operations()[operation].steps]


ROUNDS = list(
    zip(
        _steps("share_create"),
        itertools.cycle(_steps("share_delete")),
        itertools.cycle(_steps("server_delete")),
        strict=False,
    )
)


@pytest.fixture(scope="module")
def neutron() -> Iterator[str]:
    """URL of a fake Neutron."""
    (port,) = launch.free_ports(1)
    with launch.process([sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(port)]):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
async def site(images: Cluster) -> AsyncIterator[Site]:
    made = Site(images, "killed")
    made.install()
    try:
        yield made
    finally:
        await made.close()


def _section(site: Site) -> str:
    said = {name: getattr(site.options, name) for name in OPTIONS[1:]}
    said |= {"share_driver": "ganesha-kubernetes", "share_backend_name": "kube", "driver_handles_share_servers": True}
    said["network_api_class"] = "manila.network.neutron.neutron_network_plugin.NeutronNetworkPlugin"
    return "".join(f"{name} = {value}\n" for name, value in said.items())


@pytest.fixture(scope="module")
async def here(
    site: Site, neutron: str, postgres: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """The API and its database; a worker once, so that the back end is known."""
    folder, database = tmp_path_factory.mktemp("killed"), postgres.create("killed", "template")
    own = {"section": _section(site), "lease": 3.0, "patience": 120.0}
    async with stage(folder, database, neutron, ["kube"], **own) as made:  # type: ignore[arg-type]
        await stories.make_type(made, servers=True)
        async with made.other():
            await made.ready()
        yield made


@pytest.fixture(scope="module")
async def client(site: Site) -> AsyncIterator[Client]:
    """A machine in the tenant's network."""
    made = await nfs_client(machine(bridge(stories.NETWORK), "killed-5", MACHINE, 24))
    yield made
    await made.close()
    sh("ip", "netns", "del", "killed-5")


def counted(site: Site, neutron: str) -> dict[str, int]:
    """What of tenants is there, by kind."""
    found = json.loads(site.lab.kubectl("-n", site.namespace, "get", ",".join(TENANTS), "-o", "json"))["items"]
    kinds = [one["kind"] for one in found if "app" not in one["metadata"]["labels"]]
    kinds += ["PersistentVolume" for _ in volumes(site)]
    request = urllib.request.Request(f"{neutron}/v2.0/ports", headers={"X-Auth-Token": "neutron-service-token"})
    with urllib.request.urlopen(request) as answer:
        kinds += ["Port" for _ in json.load(answer)["ports"]]
    folder = pathlib.Path("/run/netns")
    assert folder.exists()
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


async def _killed(here: Stage, operation: str, step: str) -> float:
    """A worker that dies after a step, then one that goes on until all is done; seconds that the second took."""
    assert await here.doomed(operation, step) == -signal.SIGKILL
    begin = time.monotonic()
    async with here.other():
        await here.settled()
    return time.monotonic() - begin


async def _used(here: Stage, facts: stories.Facts, client: Client) -> None:
    """A rule, a mount, a file."""
    async with here.other():
        await stories.ask_allow(here, facts)
        await here.settled()
        await stories.check_rule(here, facts)
    (place,) = await here.rows("SELECT path FROM share_instance_export_locations WHERE deleted = 0")
    # the last gateway had the same address and another MAC, which a client's machine knows for some seconds
    await written(client, {"location": place["path"], "id": TEXT}, 60, 0.2)
    await client("write", name="f", text=TEXT)
    assert await client("read", name="f") == TEXT


@pytest.mark.parametrize(("makes", "removes", "tears_down"), ROUNDS, ids=["-".join(one) for one in ROUNDS])
async def test_a_worker_is_killed(
    site: Site, here: Stage, client: Client, neutron: str, makes: str, removes: str, tears_down: str
) -> None:
    facts: stories.Facts = {}
    await stories.a_network(here, facts)
    await stories.ask_share(here, facts)
    made = await _killed(here, "share_create", makes)
    await stories.check_share_on_server(here, facts)
    await _used(here, facts, client)
    whole = {"PersistentVolume": 2, "PersistentVolumeClaim": 2, "Pod": 2, "Port": 1, "ShareExport": 1, "StatefulSet": 1}
    assert counted(site, neutron) == whole, "one of each, and a claim of the gateway's state"
    await stories.ask_delete(here, facts)
    removed = await _killed(here, "share_delete", removes)
    await stories.check_gone(here, facts)
    assert counted(site, neutron).keys() == {"PersistentVolume", "PersistentVolumeClaim", "Pod", "Port", "StatefulSet"}
    await stories.ask_delete_server(here, facts)
    torn = await _killed(here, "server_delete", tears_down)
    await stories.check_no_server(here, facts)
    wait("nothing is left", lambda: counted(site, neutron) == {}, 60)
    failed = await here.rows("SELECT kind, last_error FROM openkeel_tasks WHERE state <> 'done'")
    assert failed == []
    print(
        f"\nkilled after {makes}, {removes}, {tears_down}: the next worker made it in {made:.1f} s, "
        f"removed it in {removed:.1f} s and its server in {torn:.1f} s"
    )
