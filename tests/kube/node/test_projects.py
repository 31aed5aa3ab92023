"""A namespace for each project on nodes, with the rights and the admission policies of the chart and no others."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from drivers.ganesha.kubernetes.spaces import naming
from drivers.kubernetes.api import NAMESPACE, SECRET, SNAPSHOT_CONTENT, VOLUME
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.api import accounts
from tests.kube.api.projects import Installed
from tests.kube.node.copying import copied, reverted
from tests.kube.node.losing import until
from tests.kube.node.site import ADDRESS, Object, Site, written
from tests.kube.node.worker import Worker
from tests.lab.cluster import Cluster

pytestmark = pytest.mark.kube_node
GIB = 2**30
PROJECTS = {"p": "6c0f4b1e8d0e4f639d0c2f0f7f6a9a11", "q": "6c0f4b1e8d0e4f639d0c2f0f7f6a9a12"}
KINDS = "pods,pvc,statefulsets,shareexports,volumesnapshots,network-attachment-definitions"
REGISTRY = "registry"
"""The Secret that the chart's sample names."""


class Projects(Site):
    """``installed``: the chart's rights; the driver and the agents have these accounts."""

    told: ClassVar[dict[str, str]] = {"NAMESPACE_FORM": "project"}

    def __init__(self, installed: Installed, **options: Any) -> None:
        self.installed, self.agents = installed, installed.agents
        super().__init__(installed.lab, installed.home, kubernetes_pull_secrets=REGISTRY, **options)

    def account(self) -> accounts.Account:
        return self.installed.share

    def allow_agents(self) -> None:
        """The chart has."""

    async def form(self, name: str) -> None:
        """The share manager is started anew with another form of namespaces."""
        self.options = replace(self.options, kubernetes_namespace_form=name)
        await self.again()

    def space(self, project: str = "") -> Any:
        """The namespace of a project by its short name; without one: make the back end's own, as ``Site``."""
        return naming.of_project(self.options, PROJECTS[project]) if project else super().space()

    def spaces(self) -> set[str]:
        """The projects' namespaces that are there."""
        found = self.lab.api.get(NAMESPACE.path(None))["items"]
        return {one["metadata"]["name"] for one in found if one["metadata"]["name"].startswith(f"{self.namespace}-")}

    def without_home(self) -> list[str]:
        """Volumes and contents of snapshots that belong to a project."""
        volumes = self.lab.api.get(VOLUME.path(None))["items"]
        contents = self.lab.api.get(SNAPSHOT_CONTENT.path(None))["items"]
        owners = [(one, one["spec"]["claimRef"]) for one in volumes]
        owners += [(one, one["spec"]["volumeSnapshotRef"]) for one in contents]
        return [one["metadata"]["name"] for one, of in owners if of["namespace"].startswith(f"{self.namespace}-")]

    def secret(self, text: str) -> None:
        """An operator makes or changes what images are fetched with, in the back end's own namespace."""
        data = {".dockerconfigjson": base64.b64encode(json.dumps({"auths": {text: {}}}).encode()).decode()}
        wanted = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": REGISTRY}, "data": data}
        self.lab.api.apply(SECRET.path(self.namespace), {**wanted, "type": "kubernetes.io/dockerconfigjson"})

    def copy_of_secret(self, project: str) -> str:
        """What a project's pods fetch images with."""
        found = self.lab.api.get(f"{SECRET.path(self.space(project))}/{REGISTRY}")
        (text,) = json.loads(base64.b64decode(found["data"][".dockerconfigjson"]))["auths"]
        return str(text)

    def asked(self) -> int:
        """Requests that the share manager's account has made until now, those of watches among them."""
        return self.installed.share.asked()


@pytest.fixture(scope="module")
def installed(images: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    made = Installed(
        images,
        tmp_path_factory.mktemp("accounts"),
        guards=("-share-projects", "-node-agent", "-node-agent-shares"),
    )
    yield made
    made.remove()
    images.api("DELETE", f"{NAMESPACE.path(None)}/{made.home}")


@pytest.fixture(scope="module")
async def projects(installed: Installed) -> AsyncIterator[Projects]:
    """At first with one namespace for all."""
    made = Projects(installed)
    made.secret("one.example")
    async with made.working():
        yield made


@pytest.fixture(scope="module")
async def old(projects: Projects) -> Row:
    """A share from before there were namespaces of projects."""
    server = await projects.set_up("o", f"{ADDRESS}/24", PROJECTS["p"])
    return await projects.share(server, 1, "rw 10.7.0.5")


@pytest.fixture(scope="module")
async def shares(projects: Projects, old: Row) -> dict[str, Row]:
    """A share of each project, made after the form has changed; all servers have one address."""
    begin = projects.asked()
    single = await _costs(projects, old["server"])
    await projects.form("project")
    made = {}
    for name, project in PROJECTS.items():
        since = time.monotonic()
        server = await projects.set_up(name, f"{ADDRESS}/24", project)
        print(f"\nproject {name}: namespace and gateway after {time.monotonic() - since:.1f} s")
        made[name] = await projects.share(server, 1, "rw 10.7.0.5")
    spread = await _costs(projects, made["p"]["server"])
    print(f"requests in one namespace {single}, in a project's {spread}; of all {projects.asked() - begin}")
    for what, number in single.items():
        assert spread[what] <= 1.5 * number + 5, what
    return made


async def _costs(projects: Projects, server: Row) -> dict[str, int]:
    """Requests of a share's life."""
    seen = [projects.asked()]
    share = await projects.share(server, 1)
    seen.append(projects.asked())
    await projects.allow(share, "rw 10.7.0.5")
    seen.append(projects.asked())
    await projects.driver.delete_share(share, server)
    seen.append(projects.asked())
    return {what: seen[number + 1] - seen[number] for number, what in enumerate(("create", "rule", "delete"))}


@pytest.fixture(scope="module")
async def machines(projects: Projects, shares: dict[str, Row]) -> dict[str, Client]:
    """A machine of each project, all of one address."""
    return {name: await projects.client(name, "10.7.0.5") for name in ("o", *shares)}


async def test_each_project_is_in_a_namespace_of_its_own(
    projects: Projects, shares: dict[str, Row], old: Row, machines: dict[str, Client]
) -> None:
    assert projects.spaces() == {projects.space(name) for name in PROJECTS}
    for name, share in {**shares, "o": old}.items():
        assert share["location"].startswith(f"{ADDRESS}:")
        await written(machines[name], share)
        await machines[name]("write", name="whose", text=name)
    for name, share in shares.items():
        pod = projects.gateway(share["server"])
        assert pod["metadata"]["namespace"] == projects.space(name)
        assert pod["spec"]["imagePullSecrets"] == [{"name": REGISTRY}]
        assert projects.copy_of_secret(name) == "one.example"
        for other, machine in machines.items():
            if other != name:
                with pytest.raises(Exception, match=r"NOENT|NotFound"):
                    await machine.mount(share["location"])
    for name, share in {**shares, "o": old}.items():
        await machines[name].mount(share["location"])
        assert await machines[name]("read", name="whose") == name


async def test_rules_growth_snapshots_and_the_way_back(
    projects: Projects, shares: dict[str, Row], old: Row, machines: dict[str, Client]
) -> None:
    for name, share in {**shares, "o": old}.items():
        machine, server = machines[name], share["server"]
        await projects.allow(share, "ro 10.7.0.5")
        assert await machine.outcome("write", name="f", text="x") == "NFS4ERR_ROFS"
        await projects.allow(share, "rw 10.7.0.5")
        await machine("write", name="f", text="old")
        await projects.driver.extend_share(share, 2, server)
        assert (await machine("df"))[0] > 1.9 * GIB
        snapshot = projects.snapshot({**share, "size": 2})
        await projects.driver.create_snapshot(snapshot, server)
        await machine("write", name="f", text="new")
        copy: Row = {"id": f"c0{share['id'][2:]}", "size": 2, "share_proto": "NFS", "extra_specs": {}, "server": server}
        copy["location"] = await copied(projects.driver, copy, snapshot, server)
        await projects.allow(copy, "rw 10.7.0.5")
        await written(machine, copy)
        assert await machine("read", name="f") == "old"
        rules = [{"id": "r", "access_type": "ip", "access_to": "10.7.0.5", "access_level": "rw"}]
        await reverted(projects.driver, snapshot, rules, server)
        await machine.mount(share["location"])
        assert await machine("read", name="f") == "old"
        await projects.driver.delete_snapshot(snapshot, server)
        await projects.driver.delete_share(copy, server)


async def test_what_is_removed_by_hand_comes_back(
    projects: Projects, shares: dict[str, Row], old: Row, machines: dict[str, Client]
) -> None:
    """A share's claim, what is in the way of gateways, a Secret that was changed; at last a whole namespace."""
    worker = Worker(projects)
    for share in (*shares.values(), old):
        worker.servers.append(share["server"])
        worker.shares.append(share)
        worker.rules[share["id"]] = ("rw 10.7.0.5",)
    space = projects.space("p")
    projects.secret("two.example")
    async with worker.running():
        await until("copies follow", lambda: {projects.copy_of_secret(one) for one in PROJECTS} == {"two.example"})
        assert worker.findings.broken == ()
        begin = time.monotonic()
        await asyncio.to_thread(projects.lab.kubectl, "delete", "namespace", space, "--timeout=120s")
        print(f"\na project's namespace is gone after {time.monotonic() - begin:.1f} s")
        await written(machines["p"], shares["p"], 150, 0.5)
        print(f"its share is written to {time.monotonic() - begin:.1f} s after the removal began")
        assert await machines["p"]("read", name="f") == "old"
        assert await machines["q"]("read", name="f") == "old"
        await until("all is as it should be", lambda: worker.findings.broken == () and projects.spaces() >= {space})
    assert projects.copy_of_secret("p") == "two.example"


async def test_back_to_one_namespace_is_refused_while_a_project_has_one(
    projects: Projects, shares: dict[str, Row]
) -> None:
    with pytest.raises(ShareBackendException, match="must be project until they are gone"):
        await projects.form("single")
    await projects.form("project")


async def test_nothing_is_left(projects: Projects, shares: dict[str, Row], old: Row) -> None:
    for name in ("p", "q"):
        share = shares[name]
        await projects.driver.delete_share(share, share["server"])
        await projects.driver.teardown_server(share["server"]["backend_details"])
        space = projects.space(name)
        took = await until("the namespace is gone", lambda space=space: space not in projects.spaces())  # type: ignore[misc]
        print(f"\nnamespace of {name} gone {took:.1f} s after its last server")
    await projects.driver.delete_share(old, old["server"])
    await projects.driver.teardown_server(old["server"]["backend_details"])
    assert projects.without_home() == []
    await until("nothing of tenants is at home", lambda: _left(projects) == [], 60)
    await projects.form("single")


def _left(projects: Projects) -> list[str]:
    found: list[Object] = projects.objects(KINDS)
    return [one["metadata"]["name"] for one in found if not one["metadata"]["name"].startswith("agent-")]
