"""A namespace per project on a real API server, with the rights that the chart gives and no others."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import pathlib
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import replace

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes import assembled, names
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import naming
from drivers.kubernetes.api import NAMESPACE, SECRET, SHARE_EXPORT, Cluster, Refused
from drivers.reconciling import Rows
from drivers.storage import MemoryStorage
from generated.runtime import Row
from tests.deploy.chart import rendered
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE, SNAP
from tests.drivers.kubernetes.memory import Object
from tests.kube.api import accounts
from tests.kube.api.player import NODE_NAME
from tests.kube.api.projects import KINDS, Controllers, Installed
from tests.lab.cluster import Cluster as Lab

pytestmark = pytest.mark.kube_api
MERGE = "application/merge-patch+json"
PROJECTS = {"1": "6c0f4b1e8d0e4f639d0c2f0f7f6a9a11", "2": "6c0f4b1e8d0e4f639d0c2f0f7f6a9a12"}
PATIENCE = 20.0


@pytest.fixture(scope="module")
def installed(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    made = Installed(lab, tmp_path_factory.mktemp("accounts"))
    yield made
    made.remove()


@pytest.fixture
async def admin(lab: Lab) -> AsyncIterator[Cluster]:
    cluster = Cluster(str(lab.kubeconfig))
    yield cluster
    await cluster.close()


class Site:
    """The driver with the share manager's rights; ``spaces``: the namespaces of both projects."""

    def __init__(self, installed: Installed) -> None:
        self.options: KubernetesOptions = replace(
            OPTIONS,
            kubernetes_namespace=installed.home,
            kubernetes_namespace_form="project",
            kubernetes_pull_secrets="registry",
            kubernetes_snapshot_class="fast",
            kubernetes_bind_timeout=PATIENCE,
            kubernetes_start_timeout=PATIENCE,
        )
        self.spaces = {number: naming.of_project(self.options, project) for number, project in PROJECTS.items()}
        self.cluster, self.storage = Cluster(str(installed.share.kubeconfig)), MemoryStorage()

    async def driver(self) -> GaneshaDriver:
        made = assembled(self.options, self.cluster)
        made.private_storage = self.storage
        await made.do_setup()
        return made


@pytest.fixture
async def controllers(lab: Lab, installed: Installed, admin: Cluster) -> AsyncIterator[Controllers]:
    made = Controllers(lab, admin, installed.home)
    await made.prepare()
    async with made.playing():
        yield made


@pytest.fixture
async def site(installed: Installed, controllers: Controllers) -> AsyncIterator[Site]:
    made = Site(installed)
    yield made
    await made.cluster.close()


def _share(number: str) -> Row:
    return {**SHARE, "id": f"i{number}", "share_id": f"h{number}"}


def _snapshot(number: str) -> Row:
    return {**SNAP, "id": f"n{number}", "share_instance_id": f"i{number}", "share": _share(number)}


async def _live(driver: GaneshaDriver, number: str) -> Row:
    """All that a tenant asks for; the network is the same in both projects."""
    network = [{**NETWORK[0], "server_id": f"s{number}", "project_id": PROJECTS[number]}]
    server: Row = {"id": f"s{number}", "backend_details": await driver.setup_server(network)}
    one = _share(number)
    await driver.create_share(one, server)
    assert await driver.update_access(one, [RULE], [RULE], [], [], server) == {"r1": {"state": "active"}}
    await driver.extend_share(one, 3, server)
    await driver.create_snapshot(_snapshot(number), server)
    await driver.create_share_from_snapshot({**one, "id": f"c{number}", "size": 3}, _snapshot(number), server)
    await driver.revert_to_snapshot(_snapshot(number), [RULE], [], server)
    return server


async def _end(driver: GaneshaDriver, number: str, server: Row) -> None:
    await driver.delete_share({**_share(number), "id": f"c{number}"}, server)
    await driver.delete_snapshot(_snapshot(number), server)
    await driver.delete_share(_share(number), server)
    await driver.teardown_server(server["backend_details"])


async def _there(admin: Cluster) -> set[tuple[str, str]]:
    """Namespace and name of every object of the back end, wherever."""
    own = {names.MANAGED: "openkeel-manila", names.BACKEND: OPTIONS.share_backend_name}
    found = [one for kind in KINDS for one in await admin.every(kind, None, own)]
    return {(one["metadata"]["namespace"], f"{one['metadata']['name']}") for one in found}


async def _look(site: Site, driver: GaneshaDriver, installed: Installed, servers: list[Row]) -> None:
    """The reconciler: it compares, and watches all namespaces."""

    async def read(ids: Collection[str]) -> Rows:
        return Rows(servers, [], [], frozenset(ids))

    changes = driver.changes()
    watching = asyncio.ensure_future(anext(changes))
    found = await driver.inspect(read)
    assert (found.broken, found.orphans) == ((), ())
    await installed.share.used(*(use for use in accounts.granted("share-projects-role") if use[2] == "watch"))
    await site.cluster.delete(SHARE_EXPORT, "share-c1", site.spaces["1"])
    assert "share-c1 was removed" in await asyncio.wait_for(watching, PATIENCE)
    await changes.aclose()  # type: ignore[attr-defined]


async def test_two_projects_live_in_namespaces_of_their_own_and_leave_nothing(
    site: Site, installed: Installed, admin: Cluster, controllers: Controllers
) -> None:
    before = await _there(admin)
    driver = await site.driver()
    servers = {number: await _live(driver, number) for number in PROJECTS}
    made = await _there(admin) - before
    for number, space in site.spaces.items():
        assert servers[number]["backend_details"]["identifier"] == f"{space}/gateway-s{number}"
        mine = {name for where, name in made if where == space}
        expected = {f"gateway-s{number}", f"gateway-s{number}-0", f"state-gateway-s{number}-0", f"snapshot-n{number}"}
        expected |= {f"share-i{number}", f"share-i{number}-1", f"holder-i{number}"}
        expected |= {f"share-c{number}", f"holder-c{number}"}
        assert expected <= mine and len(mine - expected) == 2, "and the closed pod network and the tenant's network"
    outside = {one for one in made if one[0] not in site.spaces.values()}
    assert {where for where, _ in outside} <= {installed.home} and len(outside) <= 1, outside
    found = {one["metadata"]["name"]: one["metadata"]["labels"] for one in await controllers.spaces()}
    for number, space in site.spaces.items():
        assert found[space][names.PROJECT] == PROJECTS[number]
        assert found[space]["pod-security.kubernetes.io/enforce"] == "privileged"
    await _look(site, driver, installed, list(servers.values()))
    await _end(driver, "1", servers["1"])
    assert {where for where, _ in await _there(admin)} >= {site.spaces["2"]}
    await _end(driver, "2", servers["2"])
    async with asyncio.timeout(PATIENCE):
        while await controllers.spaces():
            await asyncio.sleep(0.1)
    assert await _there(admin) - before <= outside
    unused = accounts.granted("share-projects-role") - installed.share.uses()
    assert not unused, f"granted for nothing: {sorted(unused)}"


async def test_a_project_comes_back_while_its_namespace_goes(site: Site, controllers: Controllers) -> None:
    driver = await site.driver()
    network = [{**NETWORK[0], "server_id": "s3", "project_id": PROJECTS["1"]}]
    uids = []
    for _ in range(2):
        details = await driver.setup_server(network)
        uids += [one["metadata"]["uid"] for one in await controllers.spaces()]
        await driver.teardown_server(details)
    assert len(set(uids)) == 2, "the second waited for the first to be gone"
    async with asyncio.timeout(PATIENCE):
        while await controllers.spaces():
            await asyncio.sleep(0.1)


DOCKER = "kubernetes.io/dockerconfigjson"


def _secret(lab: Lab, namespace: str, text: str, name: str = "registry") -> Object:
    data = {".dockerconfigjson": base64.b64encode(json.dumps({"auths": {text: {}}}).encode()).decode()}
    wanted = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "type": DOCKER, "data": data}
    lab.api.apply(SECRET.path(namespace), wanted)
    return wanted


async def test_what_images_are_fetched_with_is_copied_and_nothing_else(
    lab: Lab, site: Site, installed: Installed, admin: Cluster, controllers: Controllers
) -> None:
    original = _secret(lab, installed.home, "one.example")
    driver, number = await site.driver(), "1"
    network = [{**NETWORK[0], "server_id": "s4", "project_id": PROJECTS[number]}]
    details = await driver.setup_server(network)
    space = site.spaces[number]
    copied = await admin.get(SECRET, "registry", space)
    assert copied is not None and copied["data"] == original["data"] and copied["type"] == DOCKER
    may, other = installed.share.may, {**original, "metadata": {"name": "other"}}
    place, apply = f"{SECRET.path(space)}/registry", "application/apply-patch+yaml"
    asked = {
        "read the copy": (may("GET", place), 403),
        "remove the copy": (may("DELETE", place), 403),
        "read others": (may("GET", f"{SECRET.path(installed.home)}/other"), 403),
        "make one of another name": (may("POST", SECRET.path(space), other), 403),
        "apply one of another name": (may("PATCH", f"{SECRET.path(space)}/other?fieldManager=x", other, apply), 403),
        "change the original": (may("PATCH", f"{SECRET.path(installed.home)}/registry", {"data": {}}, MERGE), 422),
        "write one elsewhere": (
            may("PATCH", f"{SECRET.path('default')}/registry?fieldManager=x", original, apply),
            422,
        ),
    }
    assert {what: status for what, (status, _) in asked.items()} == {what: owed for what, (_, owed) in asked.items()}
    await driver.teardown_server(details)
    async with asyncio.timeout(PATIENCE):
        while await controllers.spaces():
            await asyncio.sleep(0.1)


async def test_the_share_manager_writes_nowhere_else(installed: Installed, admin: Cluster) -> None:
    may = installed.share.may
    foreign, called = f"{installed.home}-foreign", {names.WITHIN: installed.home}
    await admin.create(NAMESPACE, {"metadata": {"name": foreign}})
    pod = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    try:
        refused = {
            "make a pod elsewhere": may("POST", "/api/v1/namespaces/default/pods", pod),
            "make a namespace": may("POST", NAMESPACE.path(None), {"metadata": {"name": "x"}}),
            "change a namespace": may("PATCH", f"{NAMESPACE.path(None)}/default", {"metadata": {"labels": {}}}, MERGE),
            "remove a namespace": may("DELETE", f"{NAMESPACE.path(None)}/{rendered.NAMESPACE}"),
            "call one its own": may(
                "PATCH", f"{NAMESPACE.path(None)}/{foreign}", {"metadata": {"labels": called}}, MERGE
            ),
            "remove its own": may("DELETE", f"{NAMESPACE.path(None)}/{installed.home}"),
            "take one by its name": may("DELETE", f"{NAMESPACE.path(None)}/{foreign}"),
        }
        assert refused == dict.fromkeys(refused, 422)
        space = f"/api/v1/namespaces/{foreign}"
        forbidden = {
            "read secrets": may("GET", f"{space}/secrets"),
            "enter a pod": may("POST", f"{space}/pods/x/exec?command=sh"),
            "be another account": may("POST", f"{space}/serviceaccounts/default/token", {"spec": {}}),
            "give rights": may("POST", f"/apis/{accounts.RBAC}/v1/namespaces/{foreign}/rolebindings", {}),
            "finish a namespace": may("PUT", f"{space}/finalize", {}),
        }
        assert forbidden == dict.fromkeys(forbidden, 403)
    finally:
        await admin.delete(NAMESPACE, foreign, grace=0)


async def test_with_the_rights_of_one_namespace_projects_are_refused_at_the_start(
    lab: Lab, installed: Installed, namespace: str, controllers: Controllers, tmp_path: pathlib.Path
) -> None:
    account = accounts.make(lab, tmp_path, namespace, "share", "share-role", "share-cluster-role")
    cluster = Cluster(str(account.kubeconfig))
    options = replace(OPTIONS, kubernetes_namespace=namespace, kubernetes_namespace_form="project")
    try:
        with pytest.raises(Refused, match="namespaces is forbidden"):
            await assembled(options, cluster).do_setup()
        await assembled(replace(options, kubernetes_namespace_form="single"), cluster).do_setup()
    finally:
        await cluster.close()


async def test_a_node_s_agent_serves_the_projects_namespaces_and_no_other(
    installed: Installed, admin: Cluster, tmp_path: pathlib.Path
) -> None:
    options = replace(OPTIONS, kubernetes_namespace=installed.home, kubernetes_namespace_form="project")
    ours, foreign = naming.of_project(options, "agents"), f"{installed.home}-other"
    await admin.create(NAMESPACE, naming.wanted(options, ours, "agents", "s1"))
    await admin.create(NAMESPACE, {"metadata": {"name": foreign}})
    for number, space in enumerate((ours, foreign, installed.home)):
        spec = {"server": f"a{number}", "claim": "c", "mounted": False, "exported": False}
        metadata = {"name": f"share-a{number}", "namespace": space}
        await admin.create(SHARE_EXPORT, {"metadata": metadata, "spec": spec})
        served = {"status": {"node": NODE_NAME, "mounted": True}}
        await admin.merge(SHARE_EXPORT, f"share-a{number}", space, served, "status")
    cluster, stop = Cluster(str(installed.node.kubeconfig)), asyncio.Event()
    places = Places(tmp_path / "pods", tmp_path / "gateways")
    agent = NodeAgent(cluster, installed.home, NODE_NAME, places, projects=True)
    running = asyncio.create_task(agent.run(stop))

    def reported(found: Object | None) -> bool:
        return found is not None and found["status"]["mounted"] is False

    try:
        for number, space in ((0, ours), (2, installed.home)):
            await admin.until(SHARE_EXPORT, f"share-a{number}", space, reported, PATIENCE, "the agent reports")
        await installed.node.used(*accounts.granted("node-projects-role"))
        other = await admin.get(SHARE_EXPORT, "share-a1", foreign)
        assert not reported(other), "nobody labelled that namespace"
    finally:
        stop.set()
        await running
        await cluster.close()
        for number, space in enumerate((ours, foreign, installed.home)):
            await admin.delete(SHARE_EXPORT, f"share-a{number}", space, grace=0)
            with contextlib.suppress(Refused):
                if space != installed.home:
                    await admin.delete(NAMESPACE, space, grace=0)
    assert not accounts.granted("node-projects-role") - installed.node.uses()
    assert installed.node.may("DELETE", f"{NAMESPACE.path(None)}/{ours}") == 403
    assert installed.node.may("GET", f"/api/v1/namespaces/{ours}/secrets") == 403
