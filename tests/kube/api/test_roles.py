"""The chart's roles: the whole work of the driver goes with them, nothing in them is unused, nothing else is let."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
from collections.abc import AsyncIterator, Collection
from dataclasses import replace

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments import chosen
from drivers.ganesha.kubernetes.attachments.kube_ovn import group_name
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.kubernetes.definition import DEFINITION, shareexports
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
from drivers.ganesha.kubernetes.observed import WORD
from drivers.ganesha.kubernetes.ovn.ovsdb import Database
from drivers.ganesha.kubernetes.ovn.plug import Plugger
from drivers.ganesha.kubernetes.ovn.switch import Switch
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import (
    CLAIM,
    NODE,
    POD,
    SECURITY_GROUP,
    SHARE_EXPORT,
    SNAPSHOT_CLASS,
    SNAPSHOT_CONTENT,
    STORAGE_CLASS,
    VOLUME_ATTACHMENT,
    Cluster,
)
from drivers.reconciling import Rows
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE, SNAP
from tests.drivers.kubernetes.memory import Object
from tests.kube.api import accounts
from tests.kube.api.accounts import Account, Use
from tests.kube.api.kube_ovn import controller, define
from tests.kube.api.player import NODE_NAME, READY, Player
from tests.lab.cluster import Cluster as Lab
from tests.lab.processes import wait

pytestmark = pytest.mark.kube_api
MERGE = "application/merge-patch+json"
ELSEWHERE: dict[Use, str] = {
    ("longhorn.io", "nodes", "list"): "Longhorn is not in the lab",
    ("longhorn.io", "settings", "get"): "Longhorn is not in the lab",
    ("longhorn.io", "volumes", "get"): "Longhorn is not in the lab",
    ("longhorn.io", "volumes", "list"): "Longhorn is not in the lab",
}
"""Granted, and not to be seen here."""


@pytest.fixture
async def admin(lab: Lab, namespace: str) -> AsyncIterator[Cluster]:
    """A client as the administrator, with everything in place that a back end expects."""
    lab.api.apply(DEFINITION.path(None), {"apiVersion": DEFINITION.version, "kind": DEFINITION.name, **shareexports()})
    wait("ShareExports are served", lambda: lab.api("GET", SHARE_EXPORT.path(namespace))[0] == 200)
    cluster = Cluster(str(lab.kubeconfig))
    fast = {"metadata": {"name": "fast"}, "provisioner": "csi.example", "allowVolumeExpansion": True}
    await cluster.create(STORAGE_CLASS, fast)
    snapshots = {"metadata": {"name": "fast"}, "driver": "csi.example", "deletionPolicy": "Delete"}
    await cluster.create(SNAPSHOT_CLASS, snapshots)
    await cluster.create(NODE, {"metadata": {"name": NODE_NAME}})
    await cluster.merge(NODE, NODE_NAME, None, {"status": {"conditions": [READY]}}, "status")
    try:
        yield cluster
    finally:
        await cluster.close()


@pytest.fixture
async def share_account(lab: Lab, admin: Cluster, namespace: str, tmp_path: pathlib.Path) -> Account:
    return accounts.make(lab, tmp_path, namespace, "share", "share-role", "share-cluster-role")


class BackEnd:
    """The driver with the rights of a service account."""

    def __init__(self, account: Account, patience: float = 20) -> None:
        self.options = replace(
            OPTIONS,
            kubernetes_namespace=account.namespace,
            kubernetes_bind_timeout=patience,
            kubernetes_start_timeout=patience,
            kubernetes_snapshot_class="fast",
        )
        self.account, self.cluster = account, Cluster(str(account.kubeconfig))
        shares = Shares(self.options, self.cluster)
        self.overseer = KubernetesOverseer(self.options, self.cluster)
        self.volumes = KubernetesVolumes(self.options, self.cluster, shares)
        self.driver = GaneshaDriver(
            self.options,
            KubernetesGateways(self.options, self.cluster),
            self.volumes,
            KubernetesExports(shares),
            overseer=self.overseer,
        )

    async def live(self) -> None:
        """From the first start to the last share's end, with all that a tenant asks for."""
        driver = self.driver
        await driver.do_setup()
        server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
        await driver.create_share(SHARE, server)
        assert await driver.update_access(SHARE, [RULE], [RULE], [], [], server) == {"r1": {"state": "active"}}
        await driver.extend_share(SHARE, 3, server)
        assert next(iter((await self.volumes.rooms()).values())).provisioned > 0
        await driver.create_snapshot(SNAP, server)
        rule = {**RULE, "state": "active"}
        await driver.snapshot_update_access(SNAP, [rule], [rule], [], server)
        await self.oversee(Rows([server], [], [], frozenset()))
        await driver.snapshot_update_access(SNAP, [], [], [rule], server)
        copy = {**SHARE, "id": "i2", "size": 3}
        await driver.create_share_from_snapshot(copy, SNAP, server)
        await driver.revert_to_snapshot(SNAP, [RULE], [], server)
        await driver.ensure_shares([{**SHARE, "share_server": server, "access_rules": [rule]}])
        await self.volumes.rename_snapshot("n1", "n2")  # as when it is managed under another id
        await self.volumes.rename_snapshot("n2", "n1")
        await driver.delete_share(copy, server)
        await driver.delete_snapshot(SNAP, server)
        await driver.delete_share(SHARE, server)
        await driver.teardown_server(server["backend_details"])

    async def oversee(self, rows: Rows) -> None:
        """What the reconciler does: compare, watch, remove what nobody knows."""

        async def read(_: Collection[str]) -> Rows:
            return rows

        changes = self.driver.changes()
        watching = asyncio.ensure_future(anext(changes))
        found = await self.driver.inspect(read)
        assert {"i1", "n1"} <= {one.about for one in found.orphans}
        await self.driver.remove_orphan(replace(found.orphans[0], uid="of-another"))
        known = accounts.granted("share-role") | accounts.granted("share-cluster-role")
        await self.account.used(*(use for use in known if use[2] == "watch"))
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await changes.aclose()  # type: ignore[attr-defined]


async def _node_is_out(admin: Cluster, back_end: BackEnd, namespace: str) -> None:
    """A node that an operator has declared out: its pods and attachments are let go of."""
    await admin.merge(NODE, NODE_NAME, None, {"metadata": {"annotations": {WORD: "power is off"}}})
    silent = {"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}}
    await admin.merge(NODE, NODE_NAME, None, silent, "status")
    own = names.labels(back_end.options.share_backend_name, "share", **{names.SHARE: "i9"})
    spec: Object = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "fast",
        "resources": {"requests": {"storage": "1Gi"}},
        "volumeName": "pv-i9",
    }
    metadata = names.metadata("share-i9", namespace, own)
    await admin.create(CLAIM, {"metadata": metadata, "spec": spec})
    held = {"attacher": "csi.example", "nodeName": NODE_NAME, "source": {"persistentVolumeName": "pv-i9"}}
    await admin.create(VOLUME_ATTACHMENT, {"metadata": {"name": f"a-{namespace}"}, "spec": held})

    async def read(_: Collection[str]) -> Rows:
        return Rows()

    await back_end.driver.inspect(read)
    assert _leaves(await admin.get(VOLUME_ATTACHMENT, f"a-{namespace}"))


def _leaves(found: Object | None) -> bool:
    """Nobody collects here what is removed in the foreground."""
    return found is None or "deletionTimestamp" in found["metadata"]


async def _snapshot_comes_back(admin: Cluster, back_end: BackEnd, namespace: str) -> None:
    name = f"kept-{namespace}"
    reference = {"namespace": namespace, "name": "snapshot-n7"}
    spec = {
        "deletionPolicy": "Retain",
        "driver": "d",
        "source": {"snapshotHandle": "h"},
        "volumeSnapshotRef": reference,
    }
    await admin.create(SNAPSHOT_CONTENT, {"metadata": {"name": name}, "spec": spec})
    await back_end.overseer.revive_snapshot("n7")
    assert _leaves(await admin.get(SNAPSHOT_CONTENT, name))


async def test_the_share_manager_s_role_is_enough_and_nothing_in_it_is_unused(
    admin: Cluster, share_account: Account
) -> None:
    back_end, hasty, namespace = BackEnd(share_account), BackEnd(share_account, 1), share_account.namespace
    try:
        async with Player(admin, namespace).playing():
            await back_end.live()
            await _snapshot_comes_back(admin, back_end, namespace)
            async with asyncio.timeout(30):  # what is removed may be there for a moment
                while any([await admin.every(kind, namespace) for kind in (POD, CLAIM, SHARE_EXPORT)]):
                    await asyncio.sleep(0.1)
            await _node_is_out(admin, back_end, namespace)
        # nobody plays the storage any more
        with pytest.raises(ShareBackendException, match="claim state-gateway-s1-0 is bound: not within"):
            await hasty.driver.setup_server(NETWORK)
    finally:
        await back_end.cluster.close()
        await hasty.cluster.close()
    known = accounts.granted("share-role") | accounts.granted("share-cluster-role")
    unused = known - share_account.uses() - ELSEWHERE.keys()
    assert not unused, f"granted for nothing: {sorted(unused)}"


async def test_the_node_agent_s_role_with_ovn_is_used(
    lab: Lab, admin: Cluster, namespace: str, tmp_path: pathlib.Path
) -> None:
    account = accounts.make(lab, tmp_path, namespace, "node", "node-role")
    accounts.grant(lab, account, "node-ovn-role")
    pod = {"metadata": {"name": "p", "namespace": namespace}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    made = await admin.create(POD, pod)
    cluster = Cluster(str(account.kubeconfig))
    try:
        await Plugger(cluster, namespace, Switch(Database("/nowhere")))._say(made, "Plugged", NODE_NAME)
        await account.used(*accounts.granted("node-ovn-role"))
    finally:
        await cluster.close()
    kept = (await admin.get(POD, "p", namespace) or {})["status"]["conditions"]
    assert [one["message"] for one in kept if one["type"] == names.ATTACHED] == [NODE_NAME]
    assert not accounts.granted("node-ovn-role") - account.uses()
    path = f"{_pods(namespace)}/p"
    asked = {
        "change a pod": account.may("PATCH", path, {"metadata": {"annotations": {"x": "y"}}}, MERGE),
        "remove a pod": account.may("DELETE", path),
        "enter a pod": account.may("POST", f"{path}/exec?command=sh"),
    }
    assert asked == dict.fromkeys(asked, 403)


async def test_the_share_manager_s_role_with_kube_ovn_is_used(
    lab: Lab, admin: Cluster, namespace: str, tmp_path: pathlib.Path
) -> None:
    account = accounts.make(lab, tmp_path, namespace, "share", "share-role", "share-kube-ovn-role")
    await define(admin, lab)
    options = replace(OPTIONS, kubernetes_namespace=namespace, kubernetes_attachment="kube-ovn")
    cluster = Cluster(str(account.kubeconfig))
    try:
        server = Server(f"s-{namespace}", (Address("10.0.0.50", 24, "n", "fa:16:3e:00:00:01"),))
        for kind, wanted in chosen(options)(server).own:
            await cluster.create(kind, wanted)
        wall = KubeOvnWall(options, cluster)
        async with controller(admin, group_name(server.id)):
            await wall.admit(server.id, ["10.0.0.5/32"])
        await wall.keep({server.id: ["10.0.0.5/32"]})
        found = await cluster.every(SECURITY_GROUP, None, {names.WITHIN: namespace})
        assert [one["spec"]["ingressRules"][0]["remoteAddress"] for one in found] == ["10.0.0.5/32"]
        assert await cluster.get(SECURITY_GROUP, group_name(server.id)) is not None
        await cluster.delete(SECURITY_GROUP, group_name(server.id))
        await account.used(*accounts.granted("share-kube-ovn-role"))
    finally:
        await cluster.close()
    unused = accounts.granted("share-kube-ovn-role") - account.uses()
    assert not unused, f"granted for nothing: {sorted(unused)}"
    assert account.may("GET", NODE.path(None)) == 403


def _pods(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/pods"


async def test_the_share_manager_may_do_nothing_else(share_account: Account) -> None:
    own, may = share_account.namespace, share_account.may
    pod = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    role = f"/apis/{accounts.RBAC}/v1/namespaces/{own}/roles/share"
    asked = {
        "read secrets": may("GET", f"/api/v1/namespaces/{own}/secrets"),
        "make a pod elsewhere": may("POST", _pods("default"), pod),
        "read pods of all namespaces": may("GET", "/api/v1/pods"),
        "enter a pod": may("POST", f"{_pods(own)}/gateway-s1-0/exec?command=sh"),
        "change a node": may("PATCH", f"/api/v1/nodes/{NODE_NAME}", {"spec": {"taints": []}}, MERGE),
        "make a namespace": may("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}}),
        "take more rights": may("PATCH", role, {"rules": []}, MERGE),
        "be another account": may("POST", f"/api/v1/namespaces/{own}/serviceaccounts/default/token", {"spec": {}}),
        "remove a volume": may("DELETE", "/api/v1/persistentvolumes/x"),
        "make a volume": may("POST", "/api/v1/persistentvolumes", {"metadata": {"name": "x"}}),
        "change a storage class": may("PATCH", "/apis/storage.k8s.io/v1/storageclasses/fast", {}, MERGE),
        "say that a rule is enforced": may("PATCH", f"{SHARE_EXPORT.path(own)}/x/status", {"status": {}}, MERGE),
        "remove a network policy": may("DELETE", f"/apis/networking.k8s.io/v1/namespaces/{own}/networkpolicies/x"),
    }
    assert asked == dict.fromkeys(asked, 403)


async def test_the_node_agent_may_report_and_nothing_else(
    lab: Lab, admin: Cluster, namespace: str, tmp_path: pathlib.Path
) -> None:
    account = accounts.make(lab, tmp_path, namespace, "node", "node-role")
    spec = {"server": "s1", "claim": "share-i1", "mounted": False, "exported": False}
    await admin.create(SHARE_EXPORT, {"metadata": {"name": "share-i1", "namespace": namespace}, "spec": spec})
    # of a gateway that is gone: what is bound on this node is to be let go of
    served = {"status": {"node": NODE_NAME, "mounted": True}}
    await admin.merge(SHARE_EXPORT, "share-i1", namespace, served, "status")
    cluster, stop = Cluster(str(account.kubeconfig)), asyncio.Event()
    agent = NodeAgent(cluster, namespace, NODE_NAME, Places(tmp_path / "pods", tmp_path / "gateways"))
    running = asyncio.create_task(agent.run(stop))

    def reported(found: Object | None) -> bool:
        return found is not None and found["status"]["mounted"] is False

    try:
        await admin.until(SHARE_EXPORT, "share-i1", namespace, reported, 15, "the agent reports")
        await account.used(*accounts.granted("node-role"))
    finally:
        stop.set()
        await running
        await cluster.close()
    unused = accounts.granted("node-role") - account.uses()
    assert not unused, f"granted for nothing: {sorted(unused)}"
    export, claim = f"{SHARE_EXPORT.path(namespace)}/share-i1", f"{CLAIM.path(namespace)}/share-i1"
    asked = {
        "change what is exported": account.may("PATCH", export, {"spec": {"exported": True}}, MERGE),
        "remove an export": account.may("DELETE", export),
        "remove a claim": account.may("DELETE", claim),
        "read claims of all": account.may("GET", CLAIM.path(namespace)),
        "read secrets": account.may("GET", f"/api/v1/namespaces/{namespace}/secrets"),
        "make a pod": account.may("POST", _pods(namespace), {"metadata": {"name": "x"}}),
        "read exports elsewhere": account.may("GET", SHARE_EXPORT.path("default")),
        "change a node": account.may("PATCH", f"/api/v1/nodes/{NODE_NAME}", {"spec": {}}, MERGE),
    }
    assert asked == dict.fromkeys(asked, 403)
