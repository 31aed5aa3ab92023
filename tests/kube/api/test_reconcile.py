"""What the comparison relies on, on the API server in memory and on a real one: watches, removals of just one object,
nodes that are out, snapshots that the storage retained."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from typing import Any

import pytest

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.observed import OUT_OF_SERVICE, WORD
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.kubernetes import claims
from drivers.kubernetes.api import (
    CLAIM,
    MERGE,
    NETWORK_POLICY,
    NODE,
    POD,
    SNAPSHOT,
    SNAPSHOT_CONTENT,
    VOLUME,
    VOLUME_ATTACHMENT,
    Kind,
)
from drivers.kubernetes.keeping import KeptVolumes
from drivers.kubernetes.labels import OWNER
from drivers.kubernetes.ownership import IDENTITY
from drivers.reconciling import Findings, Rows
from drivers.storage import MemoryStorage
from generated.errors import SnapshotResourceNotFound
from tests.drivers.kubernetes.memory import Object
from tests.kube.api.conftest import Bench
from tests.lab import storage

CLOSED = names.of_backend("gateways-closed", "kube")
ACCOUNT = Kind("v1", "serviceaccounts", "ServiceAccount")


@pytest.fixture
async def options(bench: Bench, request: pytest.FixtureRequest) -> KubernetesOptions:
    if "[server]" in request.node.name:
        lab: Any = request.getfixturevalue("lab")
        storage.define(lab.api, lab.place.programs)
    account = {"kind": "ServiceAccount", "metadata": {"name": "default"}}
    await bench.admin("POST", ACCOUNT.path(bench.namespace), account)
    return KubernetesOptions(
        name="k",
        share_backend_name="kube",
        kubernetes_namespace=bench.namespace,
        kubernetes_storage_class="grows",
        kubernetes_bind_timeout=10.0,
    )


@pytest.fixture
async def overseer(bench: Bench, options: KubernetesOptions) -> KubernetesOverseer:
    made = KubernetesOverseer(options, bench.cluster)
    await made.begin(MemoryStorage())
    return made


async def look(overseer: KubernetesOverseer) -> Findings:
    async def nothing(ids: Collection[str]) -> Rows:
        return Rows()

    return await overseer.inspect(nothing)


def share_claim(options: KubernetesOptions, name: str = "i1") -> Object:
    own = names.labels(options.share_backend_name, "share", **{names.SHARE: name, names.INCARNATION: "0"})
    return claims.claim(options, names.claim(name), "1Gi", own)


async def test_what_is_made_says_who_made_it(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer
) -> None:
    made = await bench.cluster.create(CLAIM, share_claim(options))
    await look(overseer)
    policy = await bench.cluster.get(NETWORK_POLICY, CLOSED, bench.namespace)
    assert policy is not None
    owners = {one["metadata"]["annotations"][OWNER] for one in (made, policy)}
    assert owners == {bench.cluster.owner}


async def test_an_orphan_is_removed_and_nothing_else_of_its_name(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer
) -> None:
    pod = manifests.holder(options, "i1", "share-i1", "nowhere", names.labels("kube", "holder", **{names.SHARE: "i1"}))
    await bench.cluster.create(POD, pod)
    (orphan,) = (await look(overseer)).orphans
    assert (orphan.kind, orphan.about) == ("Pod", "i1")
    assert (orphan.proven, orphan.why) == (False, "it was seen without a row a short time ago")
    path = f"{POD.path(bench.namespace)}/holder-i1"
    await bench.admin("DELETE", path, {"gracePeriodSeconds": 0})
    await bench.cluster.create(POD, pod)
    await overseer.remove(orphan)
    assert await bench.cluster.get(POD, "holder-i1", bench.namespace) is not None
    (orphan,) = (await look(overseer)).orphans
    await overseer.remove(orphan)
    assert not stays_there(await bench.cluster.get(POD, "holder-i1", bench.namespace))
    await bench.admin("DELETE", path, {"gracePeriodSeconds": 0})


async def test_the_clock_of_an_orphan_counts_from_the_first_look(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer
) -> None:
    """Not from the making of the object; another worker goes on with it, and a row stops it."""
    await bench.cluster.create(CLAIM, share_claim(options))
    await asyncio.sleep(2.2)  # longer than the grace
    strict = replace(options, kubernetes_orphan_grace=2)
    storage, row = MemoryStorage(), Rows(known=frozenset({"i1"}))

    async def seen(rows: Rows) -> list[bool]:
        """Whether it is proven, by a worker that has just started."""
        worker = KubernetesOverseer(strict, bench.cluster)
        await worker.begin(storage)

        async def read(_: Collection[str]) -> Rows:
            return rows

        return [one.proven for one in (await worker.inspect(read)).orphans if one.about == "i1"]

    await storage.put(IDENTITY, {"owner": bench.cluster.owner})
    assert await seen(Rows()) == [False]
    await asyncio.sleep(2.2)
    assert await seen(Rows()) == [True]
    assert await seen(row) == []
    assert await seen(Rows()) == [False], "it had a row meanwhile"
    # another object of its name has a clock of its own
    await asyncio.sleep(2.2)
    assert await seen(Rows()) == [True]
    path = f"{CLAIM.path(bench.namespace)}/share-i1"
    await bench.admin("DELETE", path)
    await bench.admin("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)
    await bench.cluster.create(CLAIM, share_claim(options))
    assert await seen(Rows()) == [False]


async def volume_of(bench: Bench, claim: Object) -> tuple[str, Object]:
    """What a provisioner makes: the path of the volume, and its reference to the claim."""
    name = f"pv-{bench.namespace}"
    metadata = claim["metadata"]
    reference = {key: metadata[key] for key in ("name", "namespace", "uid", "resourceVersion")}
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "1Gi"},
        "claimRef": {"kind": "PersistentVolumeClaim", "apiVersion": "v1", **reference},
        "csi": {"driver": "csi.example", "volumeHandle": name},
        "persistentVolumeReclaimPolicy": "Delete",
        "storageClassName": "grows",
    }
    notes = {"pv.kubernetes.io/provisioned-by": "csi.example"}
    wanted = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name, "annotations": notes}}
    status, text = await bench.admin("POST", VOLUME.path(None), {**wanted, "spec": spec})
    assert status == 201, text
    await bench.admin("PATCH", f"{CLAIM.path(bench.namespace)}/share-i1", {"spec": {"volumeName": name}}, MERGE)
    return f"{VOLUME.path(None)}/{name}", reference


async def test_a_volume_outlives_its_claim_until_its_row_goes(bench: Bench, options: KubernetesOptions) -> None:
    kept, own = KeptVolumes(bench.cluster, bench.namespace), {names.SHARE: "i1"}
    path, _ = await volume_of(bench, await bench.cluster.create(CLAIM, share_claim(options)))
    try:
        await kept.keep_all({names.BACKEND: "kube"}, ("share",))
        before = (await bench.admin("GET", path))[1]
        assert before["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
        await kept.keep_all({names.BACKEND: "kube"}, ("share",))
        assert (await bench.admin("GET", path))[1]["metadata"]["resourceVersion"] == before["metadata"][
            "resourceVersion"
        ]
        claim = f"{CLAIM.path(bench.namespace)}/share-i1"
        await bench.admin("DELETE", claim)
        await bench.admin("PATCH", claim, {"metadata": {"finalizers": None}}, MERGE)
        again = await kept.again(own)
        assert again is not None and again["spec"]["volumeName"] == path.rpartition("/")[2]
        assert again["metadata"]["labels"] == share_claim(options)["metadata"]["labels"]
        assert again["metadata"]["annotations"]["volume.kubernetes.io/storage-provisioner"] == "csi.example"
        free = (await bench.admin("GET", path))[1]["spec"]["claimRef"]
        assert (free["name"], "uid" in free) == ("share-i1", False), "for the next claim of that name"
        assert await KeptVolumes(bench.cluster, "elsewhere").of(own) == []
        # who comes late leaves a volume alone that a claim is bound to by now
        await bench.admin("PATCH", path, {"spec": {"claimRef": {"uid": again["metadata"]["uid"]}}}, MERGE)
        assert not await kept._freed(before)
        assert (await kept.again(own) or {})["metadata"]["uid"] == again["metadata"]["uid"]
        assert await kept.let_go(own, "another") == []
        assert await kept.let_go(own) == [path.rpartition("/")[2]]
        assert (await bench.admin("GET", path))[1]["spec"]["persistentVolumeReclaimPolicy"] == "Delete"
        assert await kept.again(own) is None
    finally:
        await bench.admin("DELETE", path)
        await bench.admin("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)


def stays_there(found: Object | None) -> bool:
    """Whether it is there and stays; nothing finishes a removal in the foreground without controllers."""
    return found is not None and "deletionTimestamp" not in found["metadata"]


async def node(bench: Bench, name: str, *, ready: bool, out: str = "") -> None:
    """A node that answers or not, declared out by a taint or by our annotation or by nobody."""
    annotations = {WORD: "power is off"} if out == "word" else {}
    taints = [{"key": OUT_OF_SERVICE, "value": "nodeshutdown", "effect": "NoExecute"}] if out == "taint" else []
    wanted = {"metadata": {"name": name, "annotations": annotations}, "spec": {"taints": taints}}
    status, text = await bench.admin("POST", NODE.path(None), {"apiVersion": "v1", "kind": "Node", **wanted})
    assert status == 201, text
    condition = {"type": "Ready", "status": "True" if ready else "Unknown"}
    await bench.admin("PATCH", f"{NODE.path(None)}/{name}/status", {"status": {"conditions": [condition]}}, MERGE)


@pytest.mark.parametrize(
    ("ready", "out", "stays"),
    [(False, "taint", False), (False, "word", False), (False, "", True), (True, "taint", True), (True, "word", True)],
)
async def test_volumes_leave_a_node_only_if_it_is_silent_and_declared_out(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer, ready: bool, out: str, stays: bool
) -> None:
    name = f"{bench.namespace}-node"
    await node(bench, name, ready=ready, out=out)
    claim = share_claim(options)
    claim["spec"]["volumeName"] = f"pv-{bench.namespace}"
    await bench.cluster.create(CLAIM, claim)
    own = names.labels("kube", "holder", **{names.SHARE: "i1"})
    pod = manifests.holder(options, "i1", "share-i1", name, own)
    await bench.cluster.create(POD, pod)
    spec = {"attacher": "a", "nodeName": name, "source": {"persistentVolumeName": f"pv-{bench.namespace}"}}
    await bench.cluster.create(VOLUME_ATTACHMENT, {"metadata": {"name": name}, "spec": spec})
    try:
        await look(overseer)
        there = [await bench.cluster.get(POD, "holder-i1", bench.namespace)]
        there.append(await bench.cluster.get(VOLUME_ATTACHMENT, name))
        assert [stays_there(one) for one in there] == [stays, stays]
    finally:
        await bench.admin("DELETE", f"{POD.path(bench.namespace)}/holder-i1", {"gracePeriodSeconds": 0})
        await bench.admin("DELETE", f"{VOLUME_ATTACHMENT.path(None)}/{name}")
        await bench.admin("DELETE", f"{NODE.path(None)}/{name}")


async def test_a_removal_is_told_by_a_watch(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer
) -> None:
    await bench.cluster.create(NETWORK_POLICY, manifests.closed(options))
    told: asyncio.Queue[str] = asyncio.Queue()

    async def follow() -> None:
        async for what in overseer.changes():
            told.put_nowait(what)

    job = asyncio.create_task(follow())
    try:
        await asyncio.sleep(1)  # the watches begin
        await bench.cluster.delete(NETWORK_POLICY, CLOSED, bench.namespace, grace=0)
        async with asyncio.timeout(10):
            while await told.get() != f"NetworkPolicy {CLOSED} was removed":
                pass
    finally:
        job.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await job


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"ingress": [{}]}},
        {"spec": {"egress": [{"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}], "policyTypes": ["Ingress"]}},
        {"spec": {"podSelector": {"matchExpressions": None}}},
        {"metadata": {"annotations": {manifests.POLICY_FOR: None}}},
    ],
)
async def test_a_policy_that_was_opened_by_hand_is_closed_again(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer, change: Object
) -> None:
    """Also what somebody else has put beside what we said."""
    await bench.cluster.apply(NETWORK_POLICY, manifests.closed(options))
    before = await policy(bench)
    path = f"{NETWORK_POLICY.path(bench.namespace)}/{CLOSED}"
    status, _ = await bench.admin("PATCH", f"{path}?fieldManager=somebody", change, MERGE)
    assert status == 200
    assert await policy(bench) != before
    await look(overseer)
    assert await policy(bench) == before


async def policy(bench: Bench) -> Object:
    """What the policy closes. The API server leaves out what is empty."""
    found = await bench.cluster.get(NETWORK_POLICY, CLOSED, bench.namespace)
    assert found is not None
    spec = {key: value for key, value in found["spec"].items() if value}
    return {**spec, "for": found["metadata"]["annotations"].get(manifests.POLICY_FOR)}


@contextlib.asynccontextmanager
async def snapshots_become_usable(bench: Bench) -> AsyncIterator[None]:
    """What the snapshot controller does."""

    async def run() -> None:
        while True:
            _, found = await bench.admin("GET", SNAPSHOT.path(bench.namespace))
            for one in found.get("items", []):
                path = f"{SNAPSHOT.path(bench.namespace)}/{one['metadata']['name']}/status"
                await bench.admin("PATCH", path, {"status": {"readyToUse": True}}, MERGE)
            await asyncio.sleep(0.1)

    job = asyncio.create_task(run())
    try:
        yield
    finally:
        job.cancel()


async def test_a_snapshot_comes_back_if_the_storage_retained_it(
    bench: Bench, options: KubernetesOptions, overseer: KubernetesOverseer
) -> None:
    with pytest.raises(SnapshotResourceNotFound):
        await overseer.revive_snapshot("n1")
    name = f"snapcontent-{bench.namespace}"
    reference = {"name": "snapshot-n1", "namespace": bench.namespace}
    spec = {
        "deletionPolicy": "Retain",
        "driver": "csi.example",
        "source": {"volumeHandle": "volume-1"},
        "sourceVolumeMode": "Filesystem",
        "volumeSnapshotClassName": "fast",
        "volumeSnapshotRef": {**reference, "kind": "VolumeSnapshot", "uid": "of-the-one-that-went"},
    }
    await bench.cluster.create(SNAPSHOT_CONTENT, {"metadata": {"name": name}, "spec": spec})
    status = {"status": {"snapshotHandle": "handle-1", "readyToUse": True}}
    await bench.admin("PATCH", f"{SNAPSHOT_CONTENT.path(None)}/{name}/status", status, MERGE)
    again = "again-n1"
    try:
        async with snapshots_become_usable(bench):
            for _ in range(2):
                await overseer.revive_snapshot("n1")
        found = await bench.cluster.get(SNAPSHOT, "snapshot-n1", bench.namespace)
        assert found is not None
        again = found["spec"]["source"]["volumeSnapshotContentName"]
        content = await bench.cluster.get(SNAPSHOT_CONTENT, again)
        assert content is not None
        assert content["spec"]["source"] == {"snapshotHandle": "handle-1"}
        assert not stays_there(await bench.cluster.get(SNAPSHOT_CONTENT, name))
    finally:
        for one in (name, again):
            await bench.admin("DELETE", f"{SNAPSHOT_CONTENT.path(None)}/{one}")
