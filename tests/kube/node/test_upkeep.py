"""What an operator does with a running release, in the order of docs/day-2.md, under clients that write without rest.

The release has the trial's database in it, found by its name, so that is shown here, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest

from deploy.helm import build as helm_build
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import ready
from tests.datapath.lab import Client
from tests.deploy.chart.rendered import CHART
from tests.kube.node.asking import asking
from tests.kube.node.cloud import TENANTS, Bridges, Cloud, cloud, until
from tests.kube.node.release import API, Helm, address
from tests.kube.node.site import pumping
from tests.lab.cluster import Cluster
from tests.lab.processes import Failed, sh

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.allow_hosts(["10.88.0.0/16", "127.0.0.1"]),
    pytest.mark.skipif(helm_build.built() is None, reason=helm_build.MISSING),
]
RELEASE = "trial"
DATABASE = "app.kubernetes.io/component=trial-database"
PROGRAMS = f"app.kubernetes.io/instance={RELEASE},app.kubernetes.io/component in (api,scheduler,share,data)"
DUMP = "PGPASSWORD=$POSTGRES_PASSWORD pg_dump --clean --if-exists"
RESTORE = "PGPASSWORD=$POSTGRES_PASSWORD psql --quiet --single-transaction --set ON_ERROR_STOP=1 > /dev/null"
GAP = 90.0
"""Seconds that a client may stand still; what it really was is printed."""
Row = dict[str, Any]


@pytest.fixture(scope="module")
async def trial(lab: Cluster, helm: Helm, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cloud]:
    async with cloud(lab, tmp_path_factory.mktemp("cloud"), helm, RELEASE, Bridges(), None) as made:
        yield made


@pytest.fixture(scope="module")
async def places(trial: Cloud) -> dict[str, str]:
    """A share of each tenant, with both gateways on one node: tenant -> location."""
    first, *others = sorted(trial.lab.nodes)
    with cordoned(trial, *others):
        made = {tenant: await trial.share(tenant, "docs") for tenant in TENANTS}
    assert {one["spec"]["nodeName"] for one in gateways(trial)} == {first}
    return made


@pytest.fixture(scope="module")
async def alice(trial: Cloud, places: dict[str, str]) -> AsyncIterator[Client]:
    """A machine of tenant a, beside the one that writes without rest."""
    client = await trial.client("tenant-a")
    yield client
    await client.close()


@contextlib.contextmanager
def cordoned(trial: Cloud, *nodes: str) -> Iterator[None]:
    """No pod is given to these nodes meanwhile."""
    trial.lab.kubectl("cordon", *nodes)
    try:
        yield
    finally:
        trial.lab.kubectl("uncordon", *nodes)


def gateways(trial: Cloud) -> list[Row]:
    """The gateways' pods."""
    return trial.objects("pods", f"{names.ROLE}=gateway")


def uids(trial: Cloud) -> set[str]:
    """Identities of the gateways' pods."""
    return {one["metadata"]["uid"] for one in gateways(trial)}


def all_ready(trial: Cloud, count: int = 2) -> bool:
    """Whether so many gateways are ready, and every share is served by them."""
    pods, shares = gateways(trial), trial.objects("shareexports")
    served = [one for one in shares if (one.get("status") or {}).get("exported") and not one["status"].get("message")]
    on = {one["metadata"]["labels"][names.SERVER]: one["spec"].get("nodeName") for one in pods}
    here = [one for one in served if one["status"]["node"] == on.get(one["spec"]["server"])]
    return len(pods) == count and all(map(ready, pods)) and len(here) == len(shares)


@contextlib.asynccontextmanager
async def writing(
    trial: Cloud, places: dict[str, str], what: str, most: float = GAP, *, calm: bool = False
) -> AsyncIterator[None]:
    """Both tenants' clients write without rest meanwhile; prints how they fared, nothing acknowledged may be lost.

    ``calm``: nothing of theirs is taken away, so all that they may meet is an answer that a busy machine gives late.
    """
    async with contextlib.AsyncExitStack() as stack:
        ends: dict[str, Callable[[], Awaitable[Row]]] = {}
        for tenant in TENANTS:
            ends[tenant] = await stack.enter_async_context(pumping(trial.machine(tenant), places[tenant]))
        await asyncio.sleep(1)
        yield
        await asyncio.sleep(3)
        seen = {tenant: await end() for tenant, end in ends.items()}
    for tenant, one in seen.items():
        print(f"{what}: {tenant} gap {one['gap']:.1f} s, {one['writes']} writes, errors {one['errors']}")
    for one in seen.values():
        assert one["lost"] == 0 and one["gap"] < most
        assert not calm or set(one["errors"]) <= {"NfsTimeoutError"}


async def test_an_operator_asks_in_a_pod(trial: Cloud, places: dict[str, str]) -> None:
    """The commands of the page, as they stand there."""
    for component in ("api", "scheduler", "share", "data"):
        assert "ganesha" in trial.in_pod(component, "manila-manage", "service", "list")
    assert trial.in_pod("api", "manila-manage", "task", "list", "--failed").strip().count("\n") == 0
    assert "Result: Success" in trial.in_pod("api", "manila-status", "upgrade", "check")


async def test_the_trial_s_database_is_started_anew(trial: Cloud, places: dict[str, str], alice: Client) -> None:
    await alice.mount(places["tenant-a"])
    await alice("write", name="hello", text="before")
    rows = {tenant: await trial.openstack(tenant, "share list") for tenant in TENANTS}
    (old,) = trial.objects("pods", DATABASE, namespace=RELEASE)
    async with writing(trial, places, "database started anew", calm=True):
        trial.lab.kubectl("-n", RELEASE, "delete", "pod", old["metadata"]["name"], "--wait=false")
        gone = await until("its pod is another", lambda: _another(trial, old))
        back = await until("it is ready", lambda: address(trial.lab, RELEASE, DATABASE))
        again = await trial.answers()
        print(f"database: another pod after {gone:.1f} s, ready {back:.1f} s, the API answers {again:.1f} s later")
    (new,) = trial.objects("pods", DATABASE, namespace=RELEASE)
    assert new["status"]["podIP"] != old["status"]["podIP"], "it is found by its name"
    assert {tenant: await trial.openstack(tenant, "share list") for tenant in TENANTS} == rows
    begin = time.monotonic()
    await trial.share("tenant-a", "next")
    print(f"a share made afterwards: {time.monotonic() - begin:.1f} s with the client's own time")
    await trial.openstack("tenant-a", "share delete next --wait")


def _another(trial: Cloud, old: Row) -> bool:
    found = trial.objects("pods", DATABASE, namespace=RELEASE)
    return [one["metadata"]["uid"] for one in found] not in ([], [old["metadata"]["uid"]])


async def test_an_upgrade_disturbs_nobody(trial: Cloud, places: dict[str, str], helm: Helm) -> None:
    """Another image and other options: programs and agents are replaced, gateways and holders are not."""
    for node in trial.lab.nodes.values():
        for name in ("api", "worker", "gateway", "node-agent", "postgresql-trial"):
            node.ctr("images", "tag", "--force", f"localhost/manila-{name}:latest", f"localhost/manila-{name}:next")
    before, holders = _running(trial, "gateway"), _running(trial, "holder")
    text = trial.values(None, image={"pullPolicy": "Never", "tag": "next"}, data={"replicas": 2})
    words = (RELEASE, str(CHART), "--namespace", RELEASE, "--wait", "--timeout", "8m")
    async with writing(trial, places, "upgraded", calm=True):
        with asking(trial.lab, RELEASE) as asked:
            begin = time.monotonic()
            await asyncio.to_thread(helm, "upgrade", *words, text=text)
            await until("every agent is another", lambda: _agents(trial) == {"next"})
        # one pod, and the trial's only database is started anew, too
        print(f"upgraded after {time.monotonic() - begin:.1f} s: {asked}")
        assert asked.bad == [] and asked.gap < GAP
        await until("one API pod is left", lambda: address(trial.lab, RELEASE, API), 180)
    assert _running(trial, "gateway") == before and _running(trial, "holder") == holders
    async with writing(trial, places, "rolled back", calm=True):
        begin = time.monotonic()
        await asyncio.to_thread(helm, "rollback", RELEASE, "1", *words[2:])
        await until("every agent is another", lambda: _agents(trial) == {"latest"})
        print(f"rolled back after {time.monotonic() - begin:.1f} s")
    assert _running(trial, "gateway") == before and _running(trial, "holder") == holders
    await asyncio.to_thread(trial.api_is_there)
    assert len(await trial.openstack("tenant-a", "share list")) == 1


def _running(trial: Cloud, role: str) -> set[str]:
    """Containers of the pods of a role: what was not started anew has the same."""
    pods = trial.objects("pods", f"{names.ROLE}={role}")
    return {one["containerID"] for pod in pods for one in pod["status"]["containerStatuses"]}


def _agents(trial: Cloud) -> set[str]:
    """Tags of the images of the agents, when all are ready."""
    found = trial.objects("pods", "app.kubernetes.io/component=node-agent")
    good = len(found) == len(trial.lab.nodes) and all(map(ready, found))
    return {one["spec"]["containers"][0]["image"].rpartition(":")[2] for one in found} if good else set()


async def test_a_node_is_drained(trial: Cloud, places: dict[str, str], alice: Client) -> None:
    """Its gateways go one after another, as their budget says, and the shares follow; the programs go, too."""
    (node,) = {str(one["spec"]["nodeName"]) for one in gateways(trial)}
    drain = ("drain", node, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=180s")
    with pytest.raises(Failed, match="declare no controller"):
        trial.lab.kubectl(*drain)
    before, down = uids(trial), []
    selector = f"--pod-selector={names.ROLE}!=holder,app!=db"  # the second is of these tests
    async with writing(trial, places, f"{node} drained"):
        begin = time.monotonic()
        job = asyncio.create_task(asyncio.to_thread(trial.lab.kubectl, *drain, selector))
        while not job.done():
            down.append(2 - len([one for one in gateways(trial) if ready(one)]))
            await asyncio.sleep(0.2)
        await job
        drained = time.monotonic() - begin
        await until("everything is served elsewhere", lambda: all_ready(trial), 120)
        print(f"drained after {drained:.1f} s, served again after {time.monotonic() - begin:.1f} s, "
              f"gateways away at once: {max(down)}")  # fmt: skip
        await asyncio.sleep(12)
    assert max(down) == 1 and not before & uids(trial)
    assert node not in {one["spec"]["nodeName"] for one in (*gateways(trial), *_pods(trial))}
    trial.lab.kubectl("uncordon", node)
    await asyncio.to_thread(trial.api_is_there)
    await trial.answers()
    await alice.mount(places["tenant-a"])
    assert await alice("read", name="hello") == "before"


def _pods(trial: Cloud) -> list[Row]:
    """Pods of holders and of the release's programs."""
    return trial.objects("pods", f"{names.ROLE}=holder") + trial.objects("pods", PROGRAMS, namespace=RELEASE)


def told(trial: Cloud) -> dict[str, str]:
    """What ``kubectl get shareexports`` says of each share that is not well."""
    found = trial.objects("shareexports")
    return {one["metadata"]["name"]: one["status"]["message"] for one in found if one["status"].get("message")}


async def test_a_stuck_gateway_says_why(trial: Cloud, places: dict[str, str]) -> None:
    """No node fits; the volume is not held; the agent is away: each is told where the page says, each is mended."""
    server = _server_of(trial, places["tenant-a"])
    pod = names.gateway_pod(server)
    async with writing(trial, places, "gateway without a node"):
        with cordoned(trial, *trial.lab.nodes):
            trial.lab.kubectl("-n", trial.gateways, "delete", "pod", pod, "--wait=false")
            await until("its pod waits", lambda: _phase(trial, pod) == "Pending")
            await until("it is told", lambda: "FailedScheduling" in _described(trial, pod))
        await until("it is served", lambda: all_ready(trial))
        await asyncio.sleep(12)
    (share,) = [one for one in trial.objects("shareexports") if one["spec"]["server"] == server]
    name = share["metadata"]["name"].removeprefix(names.share(""))
    # for as long as nobody is there to mend it
    async with writing(trial, places, "volume without a holder", 3 * GAP):
        async with _stopped(trial):
            # another node: on this one its volume stays bound, and clients notice nothing
            with cordoned(trial, str(share["status"]["node"])):
                trial.lab.kubectl("-n", trial.gateways, "delete", "pod", names.holder(name), pod, "--wait=false")
                await until("its pod is elsewhere", lambda: _elsewhere(trial, share))
            await until("it is told", lambda: told(trial))
            print(f"told: {told(trial)}")
            begin = time.monotonic()
        await until("it is served", lambda: all_ready(trial), 120)
        print(f"held again {time.monotonic() - begin:.1f} s after the programs were started")
        await asyncio.sleep(12)
    await _without_its_agent(trial, places, str(share["status"]["node"]))


async def _without_its_agent(trial: Cloud, places: dict[str, str], node: str) -> None:
    """A rule waits for the node's agent; meanwhile the gateway serves who is admitted already."""
    agents = f"/apis/apps/v1/namespaces/{trial.gateways}/daemonsets/{trial.name}-node-agent"
    away = {"spec": {"template": {"spec": {"nodeSelector": {"kubernetes.io/hostname": "nowhere"}}}}}
    back = {"spec": {"template": {"spec": {"nodeSelector": None}}}}
    async with writing(trial, places, "node without an agent", calm=True):
        _merge(trial, agents, away)
        await until("no agent is left", lambda: not trial.objects("pods", "app.kubernetes.io/component=node-agent"))
        asked = asyncio.create_task(trial.openstack("tenant-a", "share access create docs ip 10.0.0.77 --wait"))
        await until("the table shows it", lambda: _behind(trial))
        print(trial.lab.kubectl("-n", trial.gateways, "get", "shareexports"))
        _merge(trial, agents, back)
        late = await until("it is enforced", lambda: not _behind(trial))
        assert (await asked)["state"] == "active"
        print(f"agent away: the rule was active {late:.1f} s after the agent was wanted again")


def _behind(trial: Cloud) -> bool:
    """Whether some share's gateway has not taken the newest wish."""
    found = trial.objects("shareexports")
    return any(one["status"].get("observedGeneration") != one["metadata"]["generation"] for one in found)


def _merge(trial: Cloud, path: str, body: Row) -> None:
    status, text = trial.lab.api("PATCH", path, body, kind="application/merge-patch+json")
    assert status == 200, text


def _server_of(trial: Cloud, location: str) -> str:
    """The share server of a share."""
    share = location.rpartition("/")[2]
    (found,) = [one for one in trial.objects("shareexports") if one["metadata"]["name"] == names.share(share)]
    return str(found["spec"]["server"])


def _phase(trial: Cloud, pod: str) -> str:
    found = trial.lab.api.get(f"/api/v1/namespaces/{trial.gateways}/pods/{pod}")
    return "" if "deletionTimestamp" in found["metadata"] else str(found["status"].get("phase"))


def _described(trial: Cloud, pod: str) -> str:
    return trial.lab.kubectl("-n", trial.gateways, "describe", "pod", pod)


def _elsewhere(trial: Cloud, share: Row) -> bool:
    """Whether the gateway of a share has another node than the share's status tells."""
    found = [one for one in gateways(trial) if one["metadata"]["labels"][names.SERVER] == share["spec"]["server"]]
    return any(one["spec"].get("nodeName") not in (None, share["status"]["node"]) for one in found)


@contextlib.asynccontextmanager
async def _stopped(trial: Cloud) -> AsyncIterator[None]:
    """None of the release's programs runs meanwhile; afterwards the API is there again, at another address."""
    scale = ("-n", RELEASE, "scale", "deployment", "--selector", PROGRAMS)
    trial.lab.kubectl(*scale, "--replicas=0")
    try:
        yield
    finally:
        trial.lab.kubectl(*scale, "--replicas=1")
        await asyncio.to_thread(trial.api_is_there)


def in_database(trial: Cloud, script: str, stdin: str | None = None) -> str:
    """What a script prints in the database's pod."""
    pod = f"{trial.name}-trial-database-0"
    kubectl = (trial.lab.place.program("kubectl"), f"--kubeconfig={trial.lab.kubeconfig}")
    more = ("--stdin",) if stdin is not None else ()
    return sh(*kubectl, "-n", RELEASE, "exec", *more, pod, "--", "sh", "-ec", script, stdin=stdin)


async def test_the_database_is_restored_from_a_dump(trial: Cloud, places: dict[str, str], alice: Client) -> None:
    """Gateways serve meanwhile. What was removed since ends in error, what was made since is taken over."""
    await trial.share("tenant-a", "removed")
    dump = await asyncio.to_thread(in_database, trial, DUMP)
    await trial.openstack("tenant-a", "share delete removed --wait")
    made = await trial.share("tenant-a", "made")
    await alice.mount(made)
    await alice("write", name="hello", text="since the dump")
    async with writing(trial, places, "database restored", calm=True):
        begin = time.monotonic()
        async with _stopped(trial):
            await until("all programs have ended", lambda: not trial.objects("pods", PROGRAMS, namespace=RELEASE))
            await asyncio.to_thread(in_database, trial, RESTORE, dump)
        await trial.answers()
        print(f"restored from {len(dump) / 1024:.0f} KiB, the API answers after {time.monotonic() - begin:.1f} s")
        assert await alice("read", name="hello") == "since the dump", "its clients go on"
        await _rows_and_volumes(trial, made)
    await _adopted(trial, made, alice)


async def _rows_and_volumes(trial: Cloud, made: str) -> None:
    """The share without a volume is in error, its tenant is told; the volume without a share is reported and stays."""
    begin = time.monotonic()
    status: dict[str, str] = {}
    while status.get("removed") != "error":
        assert time.monotonic() - begin < 90, status
        listed = await trial.openstack("tenant-a", "share list")
        status = {one["Name"]: one["Status"] for one in listed}
    print(f"in error {time.monotonic() - begin:.1f} s later: the share that was removed since")
    assert status == {"docs": "available", "removed": "error"}
    assert await trial.openstack("tenant-a", "share message list")
    orphans = json.loads(trial.in_pod("share", "manila-manage", "backend", "orphans", "--json"))["orphans"]
    ident = made.rpartition("/")[2]
    assert {one["about"] for one in orphans} == {ident}, orphans
    assert "PersistentVolumeClaim" in {one["kind"] for one in orphans}
    await trial.openstack("tenant-a", "share delete removed --wait")


async def _adopted(trial: Cloud, made: str, alice: Client) -> None:
    """An operator lets go of the volume without a row, and takes it over as a share."""
    ident = made.rpartition("/")[2]
    server = _server_of(trial, made)
    listed = await trial.openstack("admin", "share list --all-projects --long")
    (host,) = {one["Host"] for one in listed if one["Name"] == "docs" and one["Host"]}
    options = f"--name made --share-type default --share-server-id {server} --wait"
    trial.in_pod("share", "manila-manage", "backend", "release", ident)
    await trial.openstack(trial.operator("tenant-a"), f"share adopt {host} NFS {made} {options}")
    shown = await trial.openstack("tenant-a", "share show made")
    assert shown["status"] == "available", await trial.complaint("tenant-a")
    await trial.openstack("tenant-a", "share access create made ip 10.0.0.5 --wait")
    path = (await trial.openstack("tenant-a", "share export location list made"))[0]["Path"]
    await alice.mount(path)
    assert await alice("read", name="hello") == "since the dump"
    assert json.loads(trial.in_pod("share", "manila-manage", "backend", "orphans", "--json"))["orphans"] == []


async def test_nothing_is_left(trial: Cloud) -> None:
    await trial.openstack("tenant-a", "share delete made --wait")
    for tenant in TENANTS:
        await trial.openstack(tenant, "share delete docs --wait")
        await trial.openstack(tenant, "share network delete net")
    took = await until("nothing is left", lambda: trial.left() == [])
    print(f"nothing is left after {took:.1f} s")
    claims = trial.objects("persistentvolumeclaims", namespace=RELEASE)
    assert [one["metadata"]["labels"]["app.kubernetes.io/component"] for one in claims] == ["trial-database"]
