"""The driver on a cluster in memory: what it asks for, in which order, and what it leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.kubernetes.api import (
    CAPACITY,
    CLAIM,
    NAMESPACE,
    POD,
    SHARE_EXPORT,
    SNAPSHOT,
    STATEFUL_SET,
    STORAGE_CLASS,
    VOLUME,
    Kind,
    Object,
)
from generated.errors import ShareBackendException, ShareResourceNotFound
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster

PORT = {
    "id": "port-1",
    "ip_address": "10.0.0.50",
    "mac_address": "fa:16:3e:00:00:01",
    "cidr": "10.0.0.0/24",
    "label": "user",
}
NETWORK = [{"server_id": "s1", "neutron_net_id": "net-1", "cidr": "10.0.0.0/24", "network_allocations": [PORT]}]
SHARE: Row = {"id": "i1", "share_id": "h1", "size": 1, "share_proto": "NFS", "extra_specs": {}}
SNAP: Row = {"id": "n1", "share_instance_id": "i1", "share": SHARE, "size": 1}
RULE: Row = {"id": "r1", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


def assembled(cluster: FakeCluster, options: KubernetesOptions = OPTIONS) -> GaneshaDriver:
    shares = Shares(options, cluster)
    gateways, volumes = KubernetesGateways(options, cluster), KubernetesVolumes(options, cluster, shares)
    return GaneshaDriver(options, gateways, volumes, KubernetesExports(shares))


@pytest.fixture
def driver(cluster: FakeCluster) -> GaneshaDriver:
    return assembled(cluster)


@pytest.fixture
async def server(driver: GaneshaDriver) -> Row:
    await driver.do_setup()
    return {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}


async def test_a_gateway_has_its_port_and_is_found_again(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    found = cluster.of(STATEFUL_SET)["gateway-s1"]
    template = found["spec"]["template"]
    (network,) = json.loads(template["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"])
    assert (network["ips"], network["mac"]) == (["10.0.0.50/24"], "fa:16:3e:00:00:01")
    assert template["spec"]["automountServiceAccountToken"] is False
    assert not any("emptyDir" in one for one in template["spec"]["volumes"] if one["name"] in ("shares", "control"))
    before = list(cluster.done)
    await driver.setup_server(NETWORK)
    assert [one for one in cluster.done[len(before) :] if one.startswith("create")] == []
    await driver.teardown_server(server["backend_details"])
    assert cluster.of(STATEFUL_SET) == {} == cluster.of(POD) == cluster.of(CLAIM)


async def test_a_share_goes_while_there_is_no_room_for_its_gateway(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    """Its owner would pay for it until an operator has found room for what nobody wants any more."""
    await driver.create_share(SHARE, server)
    await driver.update_access(SHARE, [RULE], [RULE], [], [], server)
    pod = cluster.of(POD)["gateway-s1-0"]
    del pod["spec"]["nodeName"]
    pod["status"] = {"phase": "Pending"}
    cluster.of(SHARE_EXPORT)["share-i1"]["status"]["node"] = ""
    await driver.delete_share(SHARE, server)
    assert not {"share-i1"} & (cluster.of(CLAIM).keys() | cluster.of(SHARE_EXPORT).keys() | cluster.of(POD).keys())
    await driver.teardown_server(server["backend_details"])
    assert cluster.of(STATEFUL_SET) == {} == cluster.of(POD) == cluster.of(CLAIM)


async def test_the_life_of_a_share_leaves_nothing(driver: GaneshaDriver, cluster: FakeCluster, server: Row) -> None:
    (location,) = await driver.create_share(SHARE, server)
    assert location["path"] == "10.0.0.50:/i1"
    assert cluster.of(SHARE_EXPORT)["share-i1"]["spec"]["root"] == {"uid": 0, "gid": 0, "mode": 0o777}
    assert await driver.update_access(SHARE, [RULE], [RULE], [], [], server) == {"r1": {"state": "active"}}
    shown = cluster.of(SHARE_EXPORT)["share-i1"]["spec"]
    assert shown["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]
    await driver.extend_share(SHARE, 3, server)
    assert cluster.of(CLAIM)["share-i1"]["spec"]["resources"]["requests"]["storage"] == "3Gi"
    await driver.delete_share(SHARE, server)
    left = {name for _, name in cluster.objects}
    assert not {name for name in left if "i1" in name}


class Meddled(FakeCluster):
    """Somebody removes an export by hand, once, while the gateway is waited for."""

    meddles = False

    def awaited(self, kind: Kind, name: str) -> None:
        if kind is SHARE_EXPORT and self.meddles:
            self.meddles = False
            del self.objects[SHARE_EXPORT.plural, name]


@pytest.mark.parametrize("before", [True, False])
async def test_a_rule_is_enforced_though_the_export_was_removed_by_hand(before: bool) -> None:
    """Before the rule came, or while the gateway was told of it."""
    cluster = Meddled()
    driver = assembled(cluster)
    await driver.do_setup()
    server = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    share = {**SHARE, "extra_specs": {"ganesha:squash": "root"}}
    await driver.create_share(share, server)
    squash = cluster.of(SHARE_EXPORT)["share-i1"]["spec"]["squash"]
    if before:
        del cluster.objects[SHARE_EXPORT.plural, "share-i1"]
    else:
        cluster.meddles = True
    assert await driver.update_access(share, [RULE], [RULE], [], [], server) == {"r1": {"state": "active"}}
    shown = cluster.of(SHARE_EXPORT)["share-i1"]["spec"]
    assert shown["clients"] == [{"network": "10.0.0.5/32", "access": "RW"}]
    assert shown["exported"] and shown["squash"] == squash


async def test_a_rule_of_a_share_without_a_volume_is_refused(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    await driver.create_share(SHARE, server)
    cluster.server.remove((SHARE_EXPORT.version, SHARE_EXPORT.plural, OPTIONS.kubernetes_namespace, "share-i1"))
    for kind in (CLAIM, VOLUME):
        for name in [one for one in cluster.of(kind) if "i1" in one]:
            del cluster.objects[kind.plural, name]
    with pytest.raises(ShareResourceNotFound):
        await driver.update_access(SHARE, [RULE], [RULE], [], [], server)


@pytest.mark.parametrize("end", ["delete", "revert"])
async def test_an_export_that_goes_while_it_is_taken_off_is_off(end: str) -> None:
    cluster = Meddled()
    driver = assembled(cluster)
    await driver.do_setup()
    server = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    await driver.create_share(SHARE, server)
    await driver.create_snapshot(SNAP, server)
    cluster.meddles = True
    if end == "delete":
        await driver.delete_snapshot(SNAP, server)
        await driver.delete_share(SHARE, server)
        assert not cluster.of(SHARE_EXPORT)
    else:
        await driver.revert_to_snapshot(SNAP, [RULE], [], server)
        assert cluster.of(SHARE_EXPORT)["share-i1"]["spec"]["exported"]


async def test_every_call_may_be_repeated(driver: GaneshaDriver, cluster: FakeCluster, server: Row) -> None:
    await driver.create_share(SHARE, server)
    before = set(cluster.objects)
    await driver.create_share(SHARE, server)
    assert set(cluster.objects) == before
    await driver.delete_share(SHARE, server)
    await driver.delete_share(SHARE, server)


async def test_a_claim_that_is_never_bound_is_told_and_removed(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    cluster.stuck.add("share-i1")
    cluster.complaints["share-i1"] = ["ProvisioningFailed: pool is full"]
    with pytest.raises(ShareBackendException, match="pool is full"):
        await driver.create_share(SHARE, server)
    assert "share-i1" not in cluster.of(CLAIM)
    assert cluster.of(SHARE_EXPORT) == {}


async def test_a_gateway_that_does_not_come_up_says_why(driver: GaneshaDriver, cluster: FakeCluster) -> None:
    await driver.do_setup()
    cluster.stuck.add("gateway-s1")
    cluster.complaints["gateway-s1-0"] = ["FailedScheduling: no node"]
    with pytest.raises(ShareBackendException, match="no node") as caught:
        await driver.setup_server(NETWORK)
    details = caught.value.detail_data["server_details"]
    await driver.teardown_server(details)
    assert cluster.of(STATEFUL_SET) == {} == cluster.of(CLAIM)


async def test_a_gateway_whose_pod_may_not_be_made_says_why(driver: GaneshaDriver, cluster: FakeCluster) -> None:
    """A quota or a level of pod security is told of the StatefulSet: there is no pod."""
    await driver.do_setup()
    cluster.stuck.add("gateway-s1")
    cluster.complaints["gateway-s1"] = ["FailedCreate: exceeded quota"]
    with pytest.raises(ShareBackendException, match="exceeded quota"):
        await driver.setup_server(NETWORK)


async def test_what_could_not_be_prepared_can_be_withdrawn(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    """A gateway whose state is full complains of each order that asks for it, and so never says that it is off."""
    await driver.create_share(SHARE, server)
    assert "root" in cluster.of(SHARE_EXPORT)["share-i1"]["spec"]
    await driver._exports.withdraw("s1", "i1")
    assert cluster.of(SHARE_EXPORT)["share-i1"]["spec"].keys().isdisjoint({"root", "squash"})


async def test_a_holder_that_is_removed_while_it_is_waited_for_is_made_again(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a drain: who waited for its pod would wait in vain."""
    until, taken = cluster.until, list[str]()

    async def away(kind: Kind, name: str, *more: Any) -> Object | None:
        if name == names.holder("i1") and not taken:
            taken.append(cluster.of(POD)[name]["metadata"]["uid"])
            await cluster.delete(POD, name)
        return await until(kind, name, *more)

    monkeypatch.setattr(cluster, "until", away)
    await driver.create_share(SHARE, server)
    assert taken and taken != [cluster.of(POD)[names.holder("i1")]["metadata"]["uid"]]


async def test_a_holder_that_no_node_takes_is_an_error_in_time(
    cluster: FakeCluster, server: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = assembled(cluster, replace(OPTIONS, kubernetes_start_timeout=0.6))
    until = cluster.until

    async def refused(kind: Kind, name: str, *more: Any) -> Object | None:
        if name in cluster.of(POD) and name == names.holder("i1"):
            cluster.of(POD)[name]["status"] = {"phase": "Failed"}
        return await until(kind, name, *more)

    monkeypatch.setattr(cluster, "until", refused)
    cluster.complaints[names.holder("i1")] = ["OutOfpods: node is full"]
    with pytest.raises(ShareBackendException, match="is mounted on node-1: not within 1 s.*node is full"):
        await driver.create_share(SHARE, server)


async def test_a_share_is_reverted_by_another_claim(driver: GaneshaDriver, cluster: FakeCluster, server: Row) -> None:
    await driver.create_share(SHARE, server)
    await driver.create_snapshot(SNAP, server)
    assert cluster.of(SNAPSHOT)["snapshot-n1"]["spec"]["source"] == {"persistentVolumeClaimName": "share-i1"}
    assert await driver.revert_to_snapshot(SNAP, [RULE], [], server) == 1
    assert [name for name in cluster.of(CLAIM) if name.startswith("share-")] == ["share-i1", "share-i1-1"]
    roles = {name: one["metadata"]["labels"][names.ROLE] for name, one in cluster.of(CLAIM).items()}
    assert (roles["share-i1"], roles["share-i1-1"]) == ("former", "share"), "the snapshot lives in what it had before"
    shown = cluster.of(SHARE_EXPORT)["share-i1"]
    assert (shown["spec"]["claim"], shown["spec"]["exported"]) == ("share-i1-1", True)
    holder = cluster.of(POD)[names.holder("i1")]
    assert holder["spec"]["volumes"] == [{"name": "share", "persistentVolumeClaim": {"claimName": "share-i1-1"}}]


async def test_a_share_from_a_snapshot_takes_its_source_s_size_first(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    await driver.create_share(SHARE, server)
    await driver.create_snapshot(SNAP, server)
    copy = {**SHARE, "id": "i2", "size": 5}
    await driver.create_share_from_snapshot(copy, SNAP, server)
    claim = cluster.of(CLAIM)["share-i2"]
    assert claim["spec"]["dataSource"]["name"] == "snapshot-n1"
    assert claim["spec"]["resources"]["requests"]["storage"] == "5Gi"
    created = cluster.done.index("create PersistentVolumeClaim share-i2")
    assert created > 0


async def test_a_missing_volume_is_never_an_empty_share(
    driver: GaneshaDriver, cluster: FakeCluster, server: Row
) -> None:
    await driver.create_share(SHARE, server)
    await cluster.delete(CLAIM, "share-i1")
    del cluster.objects[VOLUME.plural, "pv-share-i1"]
    found = await driver.ensure_shares([{**SHARE, "share_server": server, "access_rules": [RULE]}])
    assert found == {"i1": {"status": "error"}}
    with pytest.raises(ShareResourceNotFound):
        await driver.extend_share(SHARE, 2, server)
    assert "create PersistentVolumeClaim share-i1" in cluster.done
    assert cluster.done.count("create PersistentVolumeClaim share-i1") == 1


async def test_each_storage_class_is_a_pool(cluster: FakeCluster) -> None:
    options = replace(OPTIONS, kubernetes_storage_class="fast, slow")
    await cluster.create(STORAGE_CLASS, {"metadata": {"name": "slow"}, "provisioner": "csi.example"})
    await cluster.create(NAMESPACE, {"metadata": {"name": "driver"}})
    for name, room in (("fast", "10Gi"), ("slow", "30Gi")):
        report = {"metadata": {"name": name, "namespace": "driver"}, "storageClassName": name, "capacity": room}
        await cluster.create(CAPACITY, report)
    shares = Shares(options, cluster)
    volumes = KubernetesVolumes(options, cluster, shares)
    driver = GaneshaDriver(options, KubernetesGateways(options, cluster), volumes, KubernetesExports(shares))
    await driver.do_setup()
    server = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    placed = {**SHARE, "host": "node1@kube#slow"}
    await driver.create_share(placed, server)
    await driver.create_snapshot(SNAP, server)
    await driver.snapshot_update_access(SNAP, [RULE], [RULE], [], server)
    await driver.revert_to_snapshot(SNAP, [], [], server)
    claims = {name: one["spec"]["storageClassName"] for name, one in cluster.of(CLAIM).items()}
    assert claims == {"state-gateway-s1-0": "fast", "share-i1": "slow", "share-i1-1": "slow", "view-n1": "slow"}
    assert await driver.get_pool(placed) == "slow"
    pools = (await driver.get_share_stats(refresh=True))["pools"]
    found = {one["pool_name"]: (one["free_capacity_gb"], one["provisioned_capacity_gb"]) for one in pools}
    assert found == {"fast": (10.0, 0), "slow": (30.0, 2.0)}, "with what the share had before"


async def test_a_storage_class_that_is_not_there_is_named(cluster: FakeCluster) -> None:
    options = replace(OPTIONS, kubernetes_storage_class="fast,slow")
    with pytest.raises(ShareBackendException, match="no StorageClass slow"):
        await KubernetesGateways(options, cluster).check()
