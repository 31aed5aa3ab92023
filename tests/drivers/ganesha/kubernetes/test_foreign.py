"""Objects of our names that are not ours are neither used nor changed nor removed; ours are known without labels."""

from __future__ import annotations

import copy
from typing import Final

import pytest

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import CLAIM, POD, SNAPSHOT, STATEFUL_SET, VOLUME, Foreign, Kind, Object
from drivers.kubernetes.labels import OWNER
from drivers.storage import MemoryStorage
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.installation import Installation, made
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, SHARE, SNAP

NAMESPACE: Final = OPTIONS.kubernetes_namespace
_CLAIM: Final[Object] = {
    "accessModes": ["ReadWriteOnce"],
    "storageClassName": "fast",
    "resources": {"requests": {"storage": "1Gi"}},
}
_POD: Final[Object] = {"nodeName": "node-1", "volumes": []}
_SET: Final[Object] = {
    "replicas": 1,
    "serviceName": "theirs",
    "selector": {"matchLabels": {"app": "theirs"}},
    "template": {"metadata": {"labels": {"app": "theirs"}}, "spec": {"containers": []}},
}


def theirs(cluster: FakeCluster, kind: Kind, name: str, spec: Object) -> Object:
    """An object that somebody else has made; a picture of it."""
    cluster._put(kind, {"metadata": {"name": name, "labels": {"app": "theirs"}}, "spec": copy.deepcopy(spec)})
    return copy.deepcopy(cluster.of(kind)[name])


@pytest.mark.parametrize(
    ("kind", "name", "spec"),
    [
        (STATEFUL_SET, "gateway-s1", _SET),
        (CLAIM, "state-gateway-s1-0", _CLAIM),
        (POD, "gateway-s1-0", _POD),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_gateway_does_not_take_what_is_somebody_elses(kind: Kind, name: str, spec: Object) -> None:
    cluster = FakeCluster()
    driver = made(cluster)
    await driver.do_setup()
    before = theirs(cluster, kind, name, spec)
    with pytest.raises(Foreign, match=f"{kind.name} {name} .*is not this back end's") as refused:
        await driver.setup_server(NETWORK)
    assert cluster.of(kind)[name] == before
    await driver.teardown_server(refused.value.detail_data["server_details"])
    assert cluster.of(kind)[name] == before, "nor is it removed with what there is of the gateway"
    ours = [one for one in cluster.objects if "s1" in one[1] and one[1] != name and one[0] != VOLUME.plural]
    assert ours == ([("pods", "gateway-s1-0")] if kind is STATEFUL_SET else [])


@pytest.mark.parametrize("phase", ["Bound", "Pending"])
async def test_a_share_does_not_take_somebody_elses_claim(phase: str) -> None:
    cluster = FakeCluster()
    driver = made(cluster)
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    theirs(cluster, CLAIM, "share-i1", _CLAIM)
    cluster.of(CLAIM)["share-i1"]["status"]["phase"] = phase
    before = copy.deepcopy((cluster.of(CLAIM)["share-i1"], cluster.of(VOLUME)["pv-share-i1"]))
    with pytest.raises(Foreign, match=r"PersistentVolumeClaim share-i1 in the namespace .* is not this back end's"):
        await driver.create_share(SHARE, server)
    await driver.delete_share(SHARE, server)
    assert (cluster.of(CLAIM)["share-i1"], cluster.of(VOLUME)["pv-share-i1"]) == before


async def test_a_share_is_not_held_by_somebody_elses_pod() -> None:
    cluster = FakeCluster()
    driver = made(cluster)
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    before = theirs(cluster, POD, "holder-i1", _POD)
    with pytest.raises(Foreign, match="Pod holder-i1"):
        await driver.create_share(SHARE, server)
    await driver.delete_share(SHARE, server)
    assert cluster.of(POD)["holder-i1"] == before
    assert "share-i1" not in cluster.of(CLAIM)


async def test_a_snapshot_is_never_somebody_elses() -> None:
    """It would have been shown as taken, and what a revert had brought back would have been another volume's files."""
    there = await Installation().begin()
    cluster, (server,) = there.cluster, there.rows.servers
    spec = {"source": {"persistentVolumeClaimName": "theirs"}, "volumeSnapshotClassName": "fast"}
    before = theirs(cluster, SNAPSHOT, "snapshot-n2", spec)
    with pytest.raises(Foreign, match="VolumeSnapshot snapshot-n2"):
        await there.driver.create_snapshot({**SNAP, "id": "n2"}, server)
    await there.driver.delete_snapshot({**SNAP, "id": "n2"}, server)
    assert cluster.of(SNAPSHOT)["snapshot-n2"] == before


async def test_a_claim_that_was_made_in_the_place_of_a_shares_own_is_not_served() -> None:
    there = await Installation().begin()
    cluster = there.cluster
    await cluster.delete(CLAIM, "share-i1")
    theirs(cluster, CLAIM, "share-i1", {**_CLAIM, "volumeName": "pv-theirs"})
    await there.mend()
    assert "its volume is gone" in {one.why for one in (await there.look()).broken}
    await cluster.delete(CLAIM, "share-i1")
    for _ in range(3):
        await there.mend()
    assert (await there.look()).broken == ()
    assert cluster.of(CLAIM)["share-i1"]["spec"]["volumeName"] == "pv-share-i1"


PROVEN: Final = (
    (STATEFUL_SET, "gateway-s1"),
    (CLAIM, "state-gateway-s1-0"),
    (CLAIM, "share-i1"),
    (SNAPSHOT, "snapshot-n1"),
    (POD, "gateway-s1-0"),
)
"""Something else says whose they are: a selector, a volume, a content, the state. A holder has its owner's annotation
only."""


@pytest.mark.parametrize(
    ("kind", "name", "bare"),
    [*((*one, bare) for one in PROVEN for bare in (False, True)), (POD, "holder-i1", False)],
    ids=lambda value: value.name if isinstance(value, Kind) else str(value),
)
async def test_ours_are_known_without_their_labels(kind: Kind, name: str, bare: bool) -> None:
    """``bare``: without their annotations, too."""
    there = await Installation().begin()
    cluster = there.cluster
    metadata = cluster.of(kind)[name]["metadata"]
    uid, labels = metadata["uid"], dict(metadata["labels"])
    metadata["labels"] = {}
    if bare and kind is not POD:
        metadata["annotations"] = {}
    for _ in range(3):
        await there.mend()
    assert (await there.look()).broken == ()
    after = cluster.of(kind)[name]["metadata"]
    assert (after["uid"], after["labels"]) == (uid, labels)
    assert len([one for one in cluster.objects if one[0] == "volumesnapshotcontents"]) == 1


async def test_a_share_whose_claim_lost_its_labels_is_grown_and_deleted_with_it() -> None:
    """The row would have gone, and the claim stayed for ever, found by nobody."""
    there = await Installation().begin()
    cluster, (server,), (share,) = there.cluster, there.rows.servers, there.rows.shares
    cluster.of(CLAIM)["share-i1"]["metadata"] |= {"labels": {}, "annotations": {}}
    await there.driver.extend_share(share, 2, server)
    assert cluster.of(CLAIM)["share-i1"]["status"]["capacity"] == {"storage": "2Gi"}
    cluster.of(CLAIM)["share-i1"]["metadata"] |= {"labels": {}, "annotations": {}}
    await there.driver.delete_snapshot(SNAP, server)
    await there.driver.delete_share(share, server)
    assert "share-i1" not in cluster.of(CLAIM) and "pv-share-i1" not in cluster.of(VOLUME)


async def test_a_pod_that_cannot_start_is_made_anew_when_that_helps() -> None:
    """A StatefulSet whose pods are replaced by hand only keeps one whose image is not to be had for ever."""
    there = await Installation().begin()
    cluster, owner = there.cluster, there.cluster.of(STATEFUL_SET)["gateway-s1"]
    pod = cluster.of(POD)["gateway-s1-0"]
    pod["metadata"]["labels"]["controller-revision-hash"] = "wrong"
    pod["status"] = {"phase": "Pending"}
    cluster.stuck.add("gateway-s1-0")
    owner["status"] = {"observedGeneration": owner["metadata"]["generation"], "updateRevision": "wrong"}
    with pytest.raises(ShareBackendException, match="not within"):
        await there.driver.ensure_server(there.rows.servers[0])
    assert cluster.of(POD)["gateway-s1-0"]["metadata"]["uid"] == pod["metadata"]["uid"], "the next one would be alike"
    owner["status"]["updateRevision"] = "right"
    cluster.stuck.clear()
    await there.driver.ensure_server(there.rows.servers[0])
    assert cluster.of(POD)["gateway-s1-0"]["metadata"]["uid"] != pod["metadata"]["uid"]


async def test_the_owner_of_what_was_made_proves_it() -> None:
    cluster = FakeCluster()
    driver = made(cluster)
    driver.private_storage = MemoryStorage()
    await driver.do_setup()
    await driver.prepare_to_inspect()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    await driver.create_share(SHARE, server)
    metadata = cluster.of(POD)["holder-i1"]["metadata"]
    assert metadata["annotations"][OWNER]
    metadata["annotations"][OWNER] = "another installation"
    metadata["labels"] = {}
    with pytest.raises(Foreign, match=names.ROLE):
        await driver.extend_share(SHARE, 2, server)


async def test_a_claim_that_something_keeps_says_what_and_goes_with_the_next_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = await Installation().begin()
    cluster, (server,), (share,) = there.cluster, there.rows.servers, there.rows.shares
    collect, kept = cluster._collect, ["example.org/backup"]
    await there.driver.delete_snapshot(SNAP, server)

    def collected(key: tuple[str, str, str, str]) -> None:
        if key[3] != "share-i1" or key[1] != CLAIM.plural or not kept:
            collect(key)

    monkeypatch.setattr(cluster, "_collect", collected)
    cluster.of(CLAIM)["share-i1"]["metadata"]["finalizers"] = kept
    with pytest.raises(ShareBackendException, match=r"claim share-i1 is gone: not within .*example\.org/backup"):
        await there.driver.delete_share(share, server)
    kept.clear()
    await there.driver.delete_share(share, server)
    assert "share-i1" not in cluster.of(CLAIM) and "pv-share-i1" not in cluster.of(VOLUME)


async def test_a_volume_that_somebody_told_to_go_with_its_claim_is_kept_from_the_next_start_on() -> None:
    there = await Installation().begin()
    cluster = there.cluster
    cluster.of(VOLUME)["pv-share-i1"]["spec"]["persistentVolumeReclaimPolicy"] = "Delete"
    await there.driver.do_setup()
    await cluster.delete(CLAIM, "share-i1")
    for _ in range(3):
        await there.mend()
    assert (await there.look()).broken == ()
    assert cluster.of(CLAIM)["share-i1"]["spec"]["volumeName"] == "pv-share-i1"
