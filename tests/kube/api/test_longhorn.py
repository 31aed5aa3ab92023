"""Longhorn's room and its shares without servers, on the API server in memory and on a real one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from typing import Any

import pytest

from drivers.base import ExportLocation, ShareStatus
from drivers.kubernetes.api import (
    CAPACITY,
    CLAIM,
    DEPLOYMENT,
    LONGHORN_NODE,
    LONGHORN_SETTING,
    LONGHORN_VOLUME,
    NAMESPACE,
    SNAPSHOT,
    STORAGE_CLASS,
    Foreign,
    Kind,
)
from drivers.kubernetes.capacity import measured
from drivers.kubernetes.labels import SHARE as SHARE_LABEL
from drivers.kubernetes.longhorn import OVER, PROVISIONER
from drivers.reconciling import Broken, Findings, Rows
from drivers.room import Capacity
from drivers.rwx.driver import RwxDriver
from drivers.rwx.options import RwxOptions
from generated.errors import ShareBackendException, SnapshotResourceNotFound
from generated.runtime import Row
from tests.kube.api.conftest import Bench
from tests.kube.api.longhorn import ADDRESS, CLASS, KEPT, Controllers, install, put
from tests.lab import storage

GIB = 2**30
GOOD = [{"type": "Ready", "status": "True"}, {"type": "Schedulable", "status": "True"}]
SHARE: Row = {"id": "i1", "share_id": "h1", "size": 1, "share_proto": "NFS", "extra_specs": {}}
EVERYBODY: Row = {"id": "r1", "access_type": "ip", "access_to": "0.0.0.0/0", "access_level": "rw"}


@pytest.fixture
async def options(bench: Bench, request: pytest.FixtureRequest) -> RwxOptions:
    if "server" in request.node.callspec.id:
        lab: Any = request.getfixturevalue("lab")
        storage.define(lab.api, lab.place.programs)
    await install(bench)
    return RwxOptions(
        name="rwx",
        share_backend_name="rwx",
        driver_handles_share_servers=False,
        kubernetes_namespace=bench.namespace,
        kubernetes_storage_class=CLASS,
        kubernetes_snapshot_class=CLASS,
        kubernetes_bind_timeout=20.0,
        kubernetes_start_timeout=20.0,
        kubernetes_expand_timeout=20.0,
    )


def node(name: str, scheduled: int) -> Row:
    """A node as Longhorn writes it: 100 GiB, 30 of them reserved, 60 free."""
    disk = {
        "allowScheduling": True, "diskDriver": "", "diskType": "filesystem", "evictionRequested": False,
        "path": "/var/lib/longhorn/", "storageReserved": 30 * GIB, "tags": [],
    }  # fmt: skip
    seen = {
        "conditions": GOOD, "diskName": "default-disk", "diskPath": "/var/lib/longhorn/", "diskType": "filesystem",
        "diskUUID": "7ae5", "filesystemType": "ext2/ext3", "scheduledReplica": {}, "storageAvailable": 60 * GIB,
        "storageMaximum": 100 * GIB, "storageScheduled": scheduled * GIB,
    }  # fmt: skip
    spec = {
        "allowScheduling": True,
        "disks": {"default-disk": disk},
        "evictionRequested": False,
        "name": name,
        "tags": [],
    }
    status = {"conditions": GOOD, "diskStatus": {"default-disk": seen}, "region": "", "zone": ""}
    return {"metadata": {"name": name}, "spec": spec, "status": status}


async def test_room_of_longhorn_follows_nodes_settings_and_replicas(bench: Bench, options: RwxOptions) -> None:
    for name, scheduled in (("node-1", 10), ("node-2", 30), ("node-3", 70)):
        await put(bench, LONGHORN_NODE, node(name, scheduled))
    await put(bench, LONGHORN_SETTING, {"metadata": {"name": OVER}, "value": "100"})
    # 70 GiB a node for two replicas; 60 and 40 GiB are free on two of them
    assert (await measured(options, bench.cluster))[CLASS] == Capacity(105.0, 40.0, 0.0)
    await put(bench, LONGHORN_SETTING, {"metadata": {"name": OVER}, "value": "200"})
    assert (await measured(options, bench.cluster))[CLASS] == Capacity(210.0, 155.0, 0.0)
    for name in ("node-1", "node-2", "node-3"):
        await bench.admin("DELETE", f"{LONGHORN_NODE.path('longhorn-system')}/{name}")
    assert (await measured(options, bench.cluster))[CLASS].free == 0


async def test_room_of_other_storage_is_what_its_driver_reports_wherever_that_is(
    bench: Bench, options: RwxOptions
) -> None:
    fields = {field: getattr(options, field) for field in options.__dataclass_fields__}
    other = RwxOptions(**{**fields, "kubernetes_storage_class": "grows"})
    assert (await measured(other, bench.cluster))["grows"].free == float("inf")
    elsewhere = f"{bench.namespace}-driver"
    await bench.admin("POST", NAMESPACE.path(None), {"kind": "Namespace", "metadata": {"name": elsewhere}})
    for name, room in (("a", "30Gi"), ("b", "10Gi")):
        whole = {"apiVersion": CAPACITY.version, "kind": CAPACITY.name, "metadata": {"name": name}, "capacity": room}
        topology = {"nodeTopology": {"matchLabels": {"zone": name}}, "storageClassName": "grows"}
        assert (await bench.admin("POST", CAPACITY.path(elsewhere), {**whole, **topology}))[0] == 201
    assert (await measured(other, bench.cluster))["grows"] == Capacity(40.0, 40.0, 0.0)
    for name in ("a", "b"):
        await bench.admin("DELETE", f"{CAPACITY.path(elsewhere)}/{name}")
    await bench.admin("DELETE", f"{NAMESPACE.path(None)}/{elsewhere}")


@pytest.fixture
async def longhorn(bench: Bench, options: RwxOptions) -> AsyncIterator[Controllers]:
    async with Controllers(bench) as found:
        yield found


@pytest.fixture
async def driver(bench: Bench, options: RwxOptions, longhorn: Controllers) -> RwxDriver:
    made = RwxDriver(options, bench.cluster)
    await made.do_setup()
    return made


async def replicas(bench: Bench) -> int:
    found = await bench.cluster.get(DEPLOYMENT, "keeper-i1", bench.namespace)
    assert found is not None
    return int(found["spec"]["replicas"])


async def test_the_life_of_a_share_without_a_server(bench: Bench, driver: RwxDriver) -> None:
    (location,) = await driver.create_share(SHARE)
    claim = await bench.cluster.get(CLAIM, "rwx-i1", bench.namespace)
    assert claim is not None
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    assert location["path"] == f"{ADDRESS}:/{claim['spec']['volumeName']}"
    assert await replicas(bench) == 0, "without a rule nobody is let in"
    assert await driver.update_access(SHARE, [EVERYBODY], [EVERYBODY], [], []) == {"r1": {"state": "active"}}
    assert await replicas(bench) == 1
    await driver.extend_share(SHARE, 3)
    grown = await bench.cluster.get(CLAIM, "rwx-i1", bench.namespace)
    assert grown is not None and grown["status"]["capacity"]["storage"] == "3Gi"
    assert await replicas(bench) == 1, "it stays open"
    await driver.update_access(SHARE, [], [], [EVERYBODY], [])
    assert await replicas(bench) == 0
    await driver.extend_share(SHARE, 4)
    assert await replicas(bench) == 0, "it was open just to be grown"
    for _ in range(2):
        await driver.delete_share(SHARE)
    for kind in (CLAIM, DEPLOYMENT):
        assert await bench.cluster.every(kind, bench.namespace) == []


@pytest.mark.parametrize("kind", [CLAIM, DEPLOYMENT], ids=["claim", "keeper"])
async def test_what_is_somebody_elses_is_refused_and_stays(bench: Bench, driver: RwxDriver, kind: Kind) -> None:
    theirs = {"app": "theirs"}
    container = {"name": "c", "image": "example.org/theirs:1"}
    spec: Row = {
        "replicas": 0,
        "selector": {"matchLabels": theirs},
        "template": {"metadata": {"labels": theirs}, "spec": {"containers": [container]}},
    }
    if kind is CLAIM:
        resources = {"requests": {"storage": "1Gi"}}
        spec = {"accessModes": ["ReadWriteMany"], "storageClassName": "nobody-s", "resources": resources}
    name = "rwx-i1" if kind is CLAIM else "keeper-i1"
    whole = {"apiVersion": kind.version, "kind": kind.name, "metadata": {"name": name, "labels": theirs}, "spec": spec}
    assert (await bench.admin("POST", kind.path(bench.namespace), whole))[0] == 201
    before = await bench.cluster.get(kind, name, bench.namespace)
    with pytest.raises(Foreign, match=f"{kind.name} {name} .*is not this back end's"):
        await driver.create_share(SHARE)
    await driver.delete_share(SHARE)
    after = await bench.cluster.get(kind, name, bench.namespace)
    assert before is not None and after is not None
    assert (after["metadata"]["uid"], after["metadata"]["labels"]) == (before["metadata"]["uid"], theirs)
    assert {**after["spec"], "volumeName": ""} == {**before["spec"], "volumeName": ""}, "it may be bound meanwhile"
    assert "deletionTimestamp" not in after["metadata"]
    await bench.admin("DELETE", f"{kind.path(bench.namespace)}/{name}")


def _places(answer: list[ExportLocation] | ShareStatus) -> list[ExportLocation]:
    assert isinstance(answer, list), answer
    return answer


async def test_a_share_is_available_when_longhorn_has_copied_it(
    bench: Bench, driver: RwxDriver, longhorn: Controllers
) -> None:
    longhorn.copying = "initiated"
    await driver.create_share(SHARE)
    snapshot: Row = {"id": "n1", "share_instance_id": "i1", "size": 1, "share": SHARE}
    await driver.create_snapshot(snapshot)
    copy = {**SHARE, "id": "i2", "size": 1}
    assert await driver.create_share_from_snapshot(copy, snapshot) == {"status": "creating_from_snapshot"}
    assert await driver.get_share_status(copy) == {"status": "creating_from_snapshot"}
    with pytest.raises(ShareBackendException, match="snapshot n1 is needed, and stays: copy rwx-i2"):
        await driver.delete_snapshot(snapshot)
    with pytest.raises(ShareBackendException, match="of share i1 is needed, and stays: snapshot rwx-snapshot-n1, copy"):
        await driver.delete_share(SHARE)
    longhorn.copying = "copy-completed-awaiting-healthy"
    async with asyncio.timeout(20):
        while (found := await driver.get_share_status(copy))["status"] != "available":
            await asyncio.sleep(0.1)
    assert found["export_locations"][0]["path"].startswith(f"{ADDRESS}:/pvc-")
    await driver.delete_snapshot(snapshot)
    for one in (SHARE, copy):
        await driver.delete_share(one)


async def test_a_copy_that_longhorn_gave_up_is_an_error(driver: RwxDriver, longhorn: Controllers) -> None:
    longhorn.copying = "failed"
    await driver.create_share(SHARE)
    snapshot: Row = {"id": "n1", "share_instance_id": "i1", "size": 1, "share": SHARE}
    await driver.create_snapshot(snapshot)
    copy = {**SHARE, "id": "i2", "size": 1}
    with pytest.raises(ShareBackendException, match="did not copy the snapshot, after 10 attempts"):
        async with asyncio.timeout(20):
            assert await driver.create_share_from_snapshot(copy, snapshot) == {"status": "creating_from_snapshot"}
            while True:
                await driver.get_share_status(copy)
                await asyncio.sleep(0.1)
    await driver.delete_share(copy)
    await driver.delete_snapshot(snapshot)
    await driver.delete_share(SHARE)


async def test_snapshots_and_shares_of_them(bench: Bench, driver: RwxDriver) -> None:
    await driver.create_share(SHARE)
    snapshot: Row = {"id": "n1", "share_instance_id": "i1", "size": 1, "share": SHARE}
    await driver.create_snapshot(snapshot)
    copy = {**SHARE, "id": "i2", "size": 2}
    (location,) = _places(await driver.create_share_from_snapshot(copy, snapshot))
    assert location["path"].startswith(f"{ADDRESS}:/pvc-")
    claim = await bench.cluster.get(CLAIM, "rwx-i2", bench.namespace)
    assert claim is not None
    assert claim["spec"]["dataSource"]["name"] == "rwx-snapshot-n1"
    assert claim["status"]["capacity"]["storage"] == "2Gi"
    for _ in range(2):
        await driver.delete_snapshot(snapshot)
    assert await bench.cluster.every(SNAPSHOT, bench.namespace) == []
    with pytest.raises(SnapshotResourceNotFound):
        await driver.create_share_from_snapshot({**copy, "id": "i3"}, snapshot)
    for one in (SHARE, copy):
        await driver.delete_share(one)


async def test_what_is_lost_is_an_error_and_what_was_changed_is_changed_back(
    bench: Bench, driver: RwxDriver, longhorn: Controllers
) -> None:
    await driver.create_share(SHARE)
    asked = {**SHARE, "access_rules": [EVERYBODY], "share_server": None}
    found = await driver.ensure_shares([asked])
    assert found["i1"]["export_locations"][0]["path"].startswith(ADDRESS)
    await bench.cluster.delete(DEPLOYMENT, "keeper-i1", bench.namespace)
    await driver.ensure_shares([asked])
    assert await replicas(bench) == 1
    await driver.delete_share(SHARE)
    assert await driver.ensure_shares([asked]) == {"i1": {"status": "error"}}


async def kept(bench: Bench) -> dict[str, set[str]]:
    """What the storage has of the namespace, by kind."""
    found: dict[str, set[str]] = {}
    for kind, policy, owner, _ in KEPT:
        for one in await bench.cluster.every(kind):
            if one["spec"][owner]["namespace"] == bench.namespace:
                assert one["spec"][policy] == "Retain", one["metadata"]["name"]
                found.setdefault(kind.name, set()).add(one["metadata"]["name"])
    return found


async def test_a_claim_that_is_removed_by_hand_comes_back_on_its_data(bench: Bench, driver: RwxDriver) -> None:
    await driver.create_share(SHARE)
    await driver.update_access(SHARE, [EVERYBODY], [EVERYBODY], [], [])
    before = await kept(bench)
    asked = {**SHARE, "access_rules": [EVERYBODY], "share_server": None}
    await bench.cluster.delete(CLAIM, "rwx-i1", bench.namespace)
    found = await driver.ensure_shares([asked])
    (volume,) = before["PersistentVolume"]
    assert found["i1"]["export_locations"][0]["path"] == f"{ADDRESS}:/{volume}"
    assert await kept(bench) == before
    claim = await bench.cluster.get(CLAIM, "rwx-i1", bench.namespace)
    assert claim is not None and claim["spec"]["volumeName"] == volume
    # whatever is asked of the share next brings it back, too
    await bench.cluster.delete(CLAIM, "rwx-i1", bench.namespace)
    await driver.extend_share(SHARE, 2)
    assert await kept(bench) == before
    await driver.delete_share(SHARE)
    await emptied(bench)


async def emptied(bench: Bench) -> None:
    """Until nothing of the namespace is left on the storage: what was kept goes with its row."""
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(AssertionError):
                if await kept(bench) == {}:
                    return
            await asyncio.sleep(0.1)


async def test_all_files_and_snapshots_outlive_the_namespace(
    bench: Bench, driver: RwxDriver, longhorn: Controllers
) -> None:
    copy = {**SHARE, "id": "i2", "size": 1}
    snapshot: Row = {"id": "n1", "share_instance_id": "i1", "size": 1, "share": SHARE}
    await driver.create_share(SHARE)
    await driver.create_snapshot(snapshot)
    await driver.create_share_from_snapshot(copy, snapshot)
    before = await kept(bench)
    assert {kind: len(found) for kind, found in before.items()} == {"PersistentVolume": 2, "VolumeSnapshotContent": 1}
    await longhorn.remove_namespace()
    rows = [{**one, "access_rules": [EVERYBODY], "share_server": None} for one in (SHARE, copy)]
    assert await driver.ensure_shares(rows) == {}, "nothing is taken for lost while the namespace is away"
    assert await kept(bench) == before
    await longhorn.make_namespace()
    found = await driver.ensure_shares(rows)
    assert {one["export_locations"][0]["path"].rpartition("/")[2] for one in found.values()} == before[
        "PersistentVolume"
    ]
    await driver.ensure_snapshot(snapshot, [])
    assert (await kept(bench))["PersistentVolume"] == before["PersistentVolume"]
    again = {**SHARE, "id": "i3", "size": 1}
    await driver.create_share_from_snapshot(again, snapshot)
    await driver.delete_snapshot(snapshot)
    for one in (SHARE, copy, again):
        await driver.delete_share(one)
    await emptied(bench)


async def test_a_snapshot_whose_object_is_gone_is_removed_from_the_storage(bench: Bench, driver: RwxDriver) -> None:
    snapshot: Row = {"id": "n1", "share_instance_id": "i1", "size": 1, "share": SHARE}
    await driver.create_share(SHARE)
    await driver.create_snapshot(snapshot)
    await bench.cluster.delete(SNAPSHOT, "rwx-snapshot-n1", bench.namespace)
    async with asyncio.timeout(20):
        while await bench.cluster.get(SNAPSHOT, "rwx-snapshot-n1", bench.namespace):
            await asyncio.sleep(0.1)
    assert len((await kept(bench))["VolumeSnapshotContent"]) == 1
    for _ in range(2):
        await driver.delete_snapshot(snapshot)
    await driver.delete_share(SHARE)
    await emptied(bench)


async def test_volumes_of_an_older_release_are_kept_from_the_next_start_on(bench: Bench, driver: RwxDriver) -> None:
    await driver.create_share(SHARE)
    (volume,) = (await kept(bench))["PersistentVolume"]
    await driver._volumes.let_go({SHARE_LABEL: "i1"})
    with pytest.raises(AssertionError):
        await kept(bench)
    await driver.do_setup()
    assert await kept(bench) == {"PersistentVolume": {volume}}
    await driver.delete_share(SHARE)
    await emptied(bench)


async def test_shares_are_compared_with_their_rows(bench: Bench, driver: RwxDriver) -> None:
    locations = await driver.create_share(SHARE)
    await driver.update_access(SHARE, [EVERYBODY], [EVERYBODY], [], [])
    rule = {**EVERYBODY, "state": "active"}
    row = {**SHARE, "access_rules": [rule], "export_locations": locations}
    found = Rows((), [row], (), frozenset({"i1"}))

    async def read(ids: Collection[str]) -> Rows:
        return replace(found, known=found.known & set(ids))

    assert await driver.inspect(read) == Findings()
    for change, why in (
        ({"access_rules": []}, "it is open"),
        ({"export_locations": []}, "it is served elsewhere"),
        ({"access_rules": [{**rule, "state": "queued_to_deny"}]}, ""),
    ):
        found = replace(found, shares=[{**row, **change}])
        assert [one.why for one in (await driver.inspect(read)).broken] == [why] * bool(why)
    found = Rows((), [row], ({"id": "n1"},), frozenset({"i1"}))
    await bench.cluster.delete(DEPLOYMENT, "keeper-i1", bench.namespace)
    seen = (await driver.inspect(read)).broken
    assert seen == (Broken("share", "i1", "it is closed"), Broken("snapshot", "n1", "it is gone"))
    with pytest.raises(SnapshotResourceNotFound):
        await driver.ensure_snapshot({"id": "n1"}, [])
    await driver.ensure_shares([row])
    found = Rows((), [row], (), frozenset({"i1"}))
    assert (await driver.inspect(read)).broken == ()
    found = Rows()
    orphans = (await driver.inspect(read)).orphans
    assert [(one.kind, one.about) for one in orphans] == [("Deployment", "i1"), ("PersistentVolumeClaim", "i1")]
    for orphan in orphans:
        await driver.remove_orphan(orphan)
    async with asyncio.timeout(20):
        while (await driver.inspect(read)).orphans:
            await asyncio.sleep(0.1)
    found = Rows((), [row], (), frozenset())
    assert (await driver.inspect(read)).broken == (Broken("share", "i1", "its volume is gone"),)


async def test_a_volume_that_is_not_served_says_why(bench: Bench, driver: RwxDriver, longhorn: Controllers) -> None:
    await driver.create_share(SHARE)
    longhorn.serving = False
    claim = await bench.cluster.get(CLAIM, "rwx-i1", bench.namespace)
    assert claim is not None
    bad = {
        "type": "Scheduled",
        "status": "False",
        "reason": "ReplicaSchedulingFailure",
        "message": "insufficient storage",
    }
    volume = {"metadata": {"name": claim["spec"]["volumeName"]}, "spec": {}, "status": {"conditions": [bad]}}
    await put(bench, LONGHORN_VOLUME, volume)
    hasty = {field: getattr(driver._rwx, field) for field in driver._rwx.__dataclass_fields__}
    impatient = RwxDriver(RwxOptions(**{**hasty, "kubernetes_start_timeout": 1.0}), bench.cluster)
    with pytest.raises(ShareBackendException, match="insufficient storage"):
        await impatient.update_access(SHARE, [EVERYBODY], [EVERYBODY], [], [])
    longhorn.serving = True
    await driver.delete_share(SHARE)


@pytest.mark.parametrize(("kind", "says"), [("xfs", "use a class with csi.storage.k8s.io/fstype: ext4"), ("ext4", "")])
async def test_xfs_is_told_of_at_the_start(
    bench: Bench, options: RwxOptions, caplog: pytest.LogCaptureFixture, kind: str, says: str
) -> None:
    """Longhorn's share managers mount without nouuid."""
    parameters = {"csi.storage.k8s.io/fstype": kind}
    wanted = {"metadata": {"name": f"rwx-{kind}"}, "provisioner": PROVISIONER, "parameters": parameters}
    whole = {"kind": "StorageClass", "allowVolumeExpansion": True, **wanted}
    await bench.admin("POST", STORAGE_CLASS.path(None), whole)
    fields = {field: getattr(options, field) for field in options.__dataclass_fields__}
    driver = RwxDriver(RwxOptions(**{**fields, "kubernetes_storage_class": f"rwx-{kind}"}), bench.cluster)
    with caplog.at_level(logging.WARNING, "drivers.kubernetes.storage_classes"):
        await driver.do_setup()
    assert says in caplog.text and bool(says) == bool(caplog.records)
    await bench.admin("DELETE", f"{STORAGE_CLASS.path(None)}/rwx-{kind}")


async def test_it_says_what_it_can_and_what_not(driver: RwxDriver) -> None:
    stats = await driver.get_share_stats(refresh=True)
    assert [pool["pool_name"] for pool in stats["pools"]] == [CLASS]
    told = ("driver_handles_share_servers", "tenant_separation", "revert_to_snapshot_support", "mount_snapshot_support")
    assert {name: stats[name] for name in told} == dict.fromkeys(told, False)
    assert stats["snapshot_support"] and stats["create_share_from_snapshot_support"]
    assert "max_shares_per_share_server" not in stats
