"""What is removed by hand comes back; what nobody knows is reported."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import replace

import pytest

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import (
    CLAIM,
    LONGHORN_VOLUME,
    NAMESPACE,
    NETWORK_POLICY,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    SNAPSHOT_CONTENT,
    STATEFUL_SET,
    VOLUME,
    Kind,
)
from drivers.kubernetes.ownership import IDENTITY
from drivers.reconciling import Broken, Findings, Rows
from generated.errors import SnapshotResourceNotFound
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import FakeCluster
from tests.drivers.ganesha.kubernetes.installation import Installation
from tests.drivers.ganesha.kubernetes.test_driver import RULE, SHARE, SNAP
from tests.drivers.kubernetes.memory import Key


@pytest.fixture
async def installation() -> Installation:
    return await Installation().begin()


async def test_a_whole_back_end_has_nothing_to_put_right(installation: Installation) -> None:
    before = list(installation.cluster.done)
    assert await installation.look() == Findings()
    assert installation.cluster.done == before, "a look changes nothing"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (STATEFUL_SET, "gateway-s1"),
        (CLAIM, "state-gateway-s1-0"),
        (POD, "holder-i1"),
        (POD, "holder-n1"),
        (SHARE_EXPORT, "share-i1"),
        (SHARE_EXPORT, "share-n1"),
        (CLAIM, "view-n1"),
        (CLAIM, "share-i1"),
        (NETWORK_POLICY, names.of_backend("gateways-closed", "kube")),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
async def test_what_is_removed_by_hand_comes_back(installation: Installation, kind: Kind, name: str) -> None:
    await installation.cluster.delete(kind, name)
    for _ in range(3):
        if not await installation.mend():
            break
    assert (await installation.look()).broken == ()
    assert name in installation.cluster.of(kind)
    shown = installation.cluster.of(SHARE_EXPORT)
    assert shown["share-i1"]["status"]["exported"] and shown["share-n1"]["status"]["exported"]
    assert shown["share-i1"]["spec"]["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]


@pytest.mark.parametrize(
    ("kind", "name", "change", "why"),
    [
        (SHARE_EXPORT, "share-i1", {"spec": {"exported": False}}, "its export was changed"),
        (SHARE_EXPORT, "share-i1", {"spec": {"clients": []}}, "its export has other clients"),
        (SHARE_EXPORT, "share-i1", {"spec": {"readOnly": True}}, "its export was changed"),
        (SHARE_EXPORT, "share-n1", {"spec": {"clients": []}}, "its view has other clients"),
        (STATEFUL_SET, "gateway-s1", {"spec": {"replicas": 0}}, "its gateway was changed"),
        (STATEFUL_SET, "gateway-s1", {"spec": {"template": {"spec": {"containers": []}}}}, "its gateway was changed"),
        (POD, "holder-i1", {"status": {"phase": "Failed"}}, "its volume is not held"),
        (POD, "holder-i1", {"spec": {"nodeName": "node-2"}}, "its volume is held on another node"),
    ],
)
async def test_what_is_changed_by_hand_is_changed_back(
    installation: Installation, kind: Kind, name: str, change: Row, why: str
) -> None:
    installation.cluster.stuck.add(name)
    await installation.cluster.merge(kind, name, None, change, "status" if "status" in change else "")
    installation.cluster.stuck.clear()
    assert why in {one.why for one in await installation.mend()}
    assert (await installation.look()).broken == ()


def protect(cluster: FakeCluster, claim: str, pod: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a real cluster: a claim that is removed stays, marked, until the pod that uses it is gone."""
    collect = cluster._collect

    def collected(key: Key) -> None:
        if key[1] == CLAIM.plural and key[3] == claim and (POD.plural, pod) in cluster.objects:
            return
        collect(key)
        found = next((one for one in cluster.server.objects if (one[1], one[3]) == (CLAIM.plural, claim)), None)
        if key[3] == pod and found and "deletionTimestamp" in cluster.server.objects[found]["metadata"]:
            collect(found)

    monkeypatch.setattr(cluster, "_collect", collected)


async def test_the_claim_of_a_view_that_is_marked_for_removal_is_made_again(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would stay marked for as long as its holder has it, and nothing could be done about the view."""
    cluster = installation.cluster
    protect(cluster, "view-n1", "holder-n1", monkeypatch)
    await cluster.delete(CLAIM, "view-n1")
    assert await installation.mend() == (Broken("snapshot", "n1", "its view is gone"),)
    assert (await installation.look()).broken == ()
    assert "deletionTimestamp" not in cluster.of(CLAIM)["view-n1"]["metadata"]


async def test_a_state_that_is_marked_for_removal_stops_no_work_and_comes_back_with_the_next_pod(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, driver, (server,) = installation.cluster, installation.driver, installation.rows.servers
    state = "state-gateway-s1-0"
    volume = cluster.of(CLAIM)[state]["spec"]["volumeName"]
    protect(cluster, state, "gateway-s1-0", monkeypatch)
    await cluster.delete(CLAIM, state)
    assert (await installation.look()).broken == (), "nothing can be done while its pod runs"
    await driver.update_access(SHARE, [RULE], [], [], [], server)
    await cluster.delete(POD, "gateway-s1-0")
    assert state not in cluster.of(CLAIM)
    why = "the claim of its gateway's state is gone"
    assert Broken("share_server", "s1", why) in await installation.mend()
    assert cluster.of(CLAIM)[state]["spec"]["volumeName"] == volume
    assert (await installation.look()).broken == ()


async def test_a_share_given_to_another_gateway_by_hand_comes_back(installation: Installation) -> None:
    """It admits nobody there any more, and here whom its rules name."""
    cluster = installation.cluster
    await cluster.merge(SHARE_EXPORT, "share-i1", None, {"spec": {"server": "of-somebody-else"}})
    assert await installation.mend() == (Broken("share", "i1", "its export was changed"),)
    assert (await installation.look()).broken == ()
    spec = cluster.of(SHARE_EXPORT)["share-i1"]["spec"]
    assert (spec["server"], spec["exported"]) == ("s1", True)
    assert spec["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]


async def test_a_rule_that_was_refused_leaves_a_view_in_care(installation: Installation) -> None:
    (snapshot,) = installation.rows.snapshots
    refused = {**RULE, "id": "refused", "access_to": "::ffff:10.0.0.1", "state": "error"}
    snapshot["access_rules"] = [*snapshot["access_rules"], refused]
    assert (await installation.look()).broken == ()
    await installation.cluster.delete(SHARE_EXPORT, "share-n1")
    assert (await installation.look()).broken == (Broken("snapshot", "n1", "its view is gone"),)
    snapshot["access_rules"] = [refused]
    assert (await installation.look()).broken == (), "nobody is to see it"


async def test_a_missing_volume_is_an_error_and_never_an_empty_share(installation: Installation) -> None:
    await installation.cluster.delete(CLAIM, "share-i1")
    del installation.cluster.objects[VOLUME.plural, "pv-share-i1"]
    assert (await installation.look()).broken == (Broken("share", "i1", "its volume is gone"),)
    assert await installation.driver.ensure_shares(installation.rows.shares) == {"i1": {"status": "error"}}
    assert "share-i1" not in installation.cluster.of(CLAIM)


async def longhorn_says(installation: Installation, **status: str) -> None:
    """The share's volume is Longhorn's, and in this state."""
    cluster = installation.cluster
    noted = {"volume.kubernetes.io/storage-provisioner": "driver.longhorn.io"}
    cluster.objects[CLAIM.plural, "share-i1"]["metadata"]["annotations"] |= noted
    path = f"{LONGHORN_VOLUME.path('longhorn-system')}/pv-share-i1"
    if (NAMESPACE.plural, "longhorn-system") not in cluster.objects:
        await cluster.create(NAMESPACE, {"metadata": {"name": "longhorn-system"}})
    if await cluster.get(LONGHORN_VOLUME, "pv-share-i1", "longhorn-system") is None:
        wanted = {"metadata": {"name": "pv-share-i1", "namespace": "longhorn-system"}, "spec": {}}
        await cluster.create(LONGHORN_VOLUME, wanted)
    await cluster.merge(LONGHORN_VOLUME, path.rpartition("/")[2], "longhorn-system", {"status": status}, "status")


async def test_a_mount_that_died_under_its_holder_is_made_again(installation: Installation) -> None:
    """The pod may be older than its mount: its node was lost, or the storage had to copy before."""
    holder = installation.cluster.of(POD)["holder-i1"]
    holder["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    started = {"state": {"running": {"startedAt": "2026-01-01T00:10:00Z"}}}
    holder["status"]["containerStatuses"] = [started]
    await longhorn_says(installation, robustness="healthy", remountRequestedAt="2026-01-01T00:09:59Z")
    assert (await installation.look()).broken == (), "it was mounted after that"
    await longhorn_says(installation, remountRequestedAt="2026-01-01T00:10:01Z")
    before = installation.cluster.of(POD)["holder-i1"]["metadata"]["uid"]
    assert await installation.mend() == (Broken("share", "i1", "its volume must be mounted again"),)
    assert installation.cluster.of(POD)["holder-i1"]["metadata"]["uid"] != before
    shown = installation.cluster.of(SHARE_EXPORT)["share-i1"]
    assert shown["status"]["exported"]
    assert shown["spec"]["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]


async def test_a_faulted_volume_is_not_exported_until_it_is_well(installation: Installation) -> None:
    await longhorn_says(installation, robustness="faulted")
    assert await installation.mend() == (Broken("share", "i1", "its volume is faulted"),)
    assert not installation.cluster.of(SHARE_EXPORT)["share-i1"]["status"]["exported"]
    assert (await installation.look()).broken == (), "nothing more can be done"
    await longhorn_says(installation, robustness="healthy")
    assert await installation.mend() == (Broken("share", "i1", "its export was changed"),)
    assert installation.cluster.of(SHARE_EXPORT)["share-i1"]["status"]["exported"]


async def test_rules_that_a_task_works_on_are_left_to_it(installation: Installation) -> None:
    queued = {**installation.rows.shares[0]["access_rules"][0], "id": "r2", "state": "queued_to_apply"}
    queued["access_to"] = "10.0.0.6"
    installation.rows.shares[0]["access_rules"].append(queued)
    assert (await installation.look()).broken == ()


async def test_a_snapshot_whose_data_went_with_it_is_not_taken_again(installation: Installation) -> None:
    await installation.cluster.delete(SNAPSHOT, "snapshot-n1")
    del installation.cluster.objects[SNAPSHOT_CONTENT.plural, "content-snapshot-n1"]
    assert (await installation.look()).broken == (Broken("snapshot", "n1", "it is gone"),)
    with pytest.raises(SnapshotResourceNotFound):
        await installation.driver.ensure_snapshot(SNAP, [], installation.rows.servers[0])
    assert installation.cluster.of(SNAPSHOT) == {}


async def test_a_snapshot_that_the_storage_retained_comes_back(installation: Installation) -> None:
    await installation.cluster.delete(SNAPSHOT, "snapshot-n1")
    await installation.mend()
    (again,) = installation.cluster.of(SNAPSHOT_CONTENT).values()
    assert again["spec"]["source"] == {"snapshotHandle": "taken-snapshot-n1"}
    source = installation.cluster.of(SNAPSHOT)["snapshot-n1"]["spec"]["source"]
    assert source == {"volumeSnapshotContentName": again["metadata"]["name"]}
    assert (await installation.look()).broken == ()


# ---- orphans


async def test_objects_without_a_row_are_reported_and_stay(installation: Installation) -> None:
    installation.rows = Rows()
    found = await installation.look()
    assert {(one.kind, one.about) for one in found.orphans} == {
        ("ShareExport", "i1"), ("ShareExport", "n1"), ("Pod", "i1"), ("Pod", "n1"), ("StatefulSet", "s1"),
        ("VolumeSnapshot", "n1"), ("PersistentVolumeClaim", "i1"), ("PersistentVolumeClaim", "n1"),
        ("PersistentVolumeClaim", "s1"),
    }  # fmt: skip
    assert not found.may_remove
    assert {one.why for one in found.orphans} == {"it was seen without a row a short time ago"}
    await a_year_passes(installation)
    assert all(one.proven for one in (await installation.look()).orphans)


async def a_year_passes(installation: Installation) -> None:
    """Since orphans were first seen."""
    entity = str(uuid.uuid5(uuid.UUID(IDENTITY), "kube"))
    storage = installation.driver.private_storage
    await storage.put(entity, dict.fromkeys(await storage.get(entity), "2025-01-01T00:00:00+00:00"))


async def test_the_time_without_a_row_counts_again_after_it_had_one(installation: Installation) -> None:
    rows, installation.rows = installation.rows, Rows()
    await installation.look()
    await a_year_passes(installation)
    installation.rows = rows
    assert (await installation.look()).orphans == ()
    installation.rows = Rows()
    assert not any(one.proven for one in (await installation.look()).orphans)


async def test_only_what_this_installation_made_long_ago_is_proven(installation: Installation) -> None:
    installation.rows = Rows()
    claims = installation.cluster.objects
    claims[CLAIM.plural, "share-i1"]["metadata"]["annotations"] = {"manila.openkeel.io/owner": "another"}
    claims[POD.plural, "holder-i1"]["metadata"]["annotations"] = {}
    await installation.look()
    await a_year_passes(installation)
    found = {one.name: one.why for one in (await installation.look()).orphans if not one.proven}
    assert found == {
        "share-i1": "another installation made it",
        "holder-i1": "nothing says who made it",
    }


async def test_what_was_let_go_of_is_no_orphan(installation: Installation) -> None:
    await installation.driver.unmanage_with_server(SHARE)
    installation.rows = replace(installation.rows, shares=[], known=frozenset({"s1", "n1"}))
    assert (await installation.look()).orphans == ()


async def test_an_orphan_that_was_replaced_meanwhile_stays(installation: Installation) -> None:
    installation.rows = Rows()
    (orphan,) = [one for one in (await installation.look()).orphans if one.name == "holder-i1"]
    await installation.driver.remove_orphan(replace(orphan, uid="of-another"))
    assert "holder-i1" in installation.cluster.of(POD)
    await installation.driver.remove_orphan(orphan)
    assert "holder-i1" not in installation.cluster.of(POD)


# ---- changes


async def test_removals_are_told_at_once(installation: Installation) -> None:
    told: list[str] = []

    async def follow() -> None:
        async for what in installation.driver.changes():
            told.append(what)

    job = asyncio.create_task(follow())
    try:
        await installation.cluster.watched()
        await installation.cluster.delete(POD, "holder-i1")
        async with asyncio.timeout(5):
            while not told:
                await asyncio.sleep(0.01)
        assert told[0] == "Pod holder-i1 was removed"
    finally:
        job.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await job
