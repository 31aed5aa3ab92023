"""A gateway counts as ready when it is attached as its ports say, and what attaches it comes back."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import replace

import pytest

from drivers.ganesha.kubernetes.attachments import chosen
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.reconcile import KubernetesOverseer
from drivers.ganesha.kubernetes.shares import Shares
from drivers.kubernetes.api import NETWORK_ATTACHMENT, NETWORK_POLICY, POD, SECURITY_GROUP, SHARE_EXPORT, Kind, Object
from drivers.reconciling import Rows
from generated.errors import ShareBackendException
from tests.drivers.ganesha.kubernetes.fake import FakeCluster, plugged
from tests.drivers.ganesha.kubernetes.test_attachments import BOTH, CASES, ONE, SERVER, options

STATUS = "k8s.v1.cni.cncf.io/network-status"
PROVIDER = "tenant-net-1.openkeel-gateways.ovn.kubernetes.io"


def pod_of(name: str) -> Object:
    """A pod of a case as it is when all went well."""
    changes, server = CASES[name]
    made = chosen(options(name, **changes))(server)
    status = {"phase": "Running", "podIP": server.addresses[0].ip if name == "kube-ovn-primary" else "10.244.0.9"}
    return {"metadata": {"annotations": plugged(made.annotations)}, "status": status}


def trouble(name: str, pod: Object) -> str:
    changes, server = CASES[name]
    return chosen(options(name, **changes))(server).trouble(pod)


@pytest.mark.parametrize("name", CASES)
def test_a_pod_that_got_what_it_asked_for(name: str) -> None:
    assert trouble(name, pod_of(name)) == ""


def reported(number: int, **changes: object) -> Callable[[Object], None]:
    def change(pod: Object) -> None:
        found = json.loads(pod["metadata"]["annotations"][STATUS])
        found[number] |= changes
        pod["metadata"]["annotations"][STATUS] = json.dumps(found)

    return change


def noted(key: str, value: str) -> Callable[[Object], None]:
    return lambda pod: pod["metadata"]["annotations"].update({key: value})


def elsewhere(pod: Object) -> None:
    pod["status"] = {"podIP": "10.244.0.9"}


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("multus", lambda pod: pod["metadata"]["annotations"].pop(STATUS), "Multus says nothing"),
        ("multus", noted(STATUS, "["), "cannot be read"),
        ("multus", reported(1, interface="net9"), "it has no interface net2"),
        ("multus", reported(0, ips=["10.0.0.99"]), "net1 has 10.0.0.99, not 10.0.0.50"),
        ("multus", reported(0, ips=[]), "net1 has no address, not 10.0.0.50"),
        ("multus", reported(1, mac="FA:16:3E:00:00:09"), "net2 has the MAC FA:16:3E:00:00:09"),
        ("kube-ovn", reported(1, ips=["2001:db8::51"]), "net2 has 2001:db8::51, not 2001:db8::50"),
        ("kube-ovn", noted(f"{PROVIDER}/allocated", ""), "Kube-OVN has not made the port of net1"),
        ("kube-ovn", noted(f"{PROVIDER}/ip_address", "10.0.0.7"), "net1 has 10.0.0.7"),
        ("kube-ovn-primary", noted("ovn.kubernetes.io/mac_address", "fa:16:3e:00:00:07"), "eth0 has the MAC"),
        ("kube-ovn-primary", elsewhere, "eth0 has 10.244.0.9, not 10.0.0.50"),
    ],
)
def test_a_pod_that_did_not_get_it(name: str, change: Callable[[Object], None], why: str) -> None:
    pod = pod_of(name)
    change(pod)
    assert why in trouble(name, pod)


def test_a_plugin_need_not_say_the_mac_nor_spell_it_our_way() -> None:
    for mac in ("", "FA:16:3E:00:00:01"):
        pod = pod_of("multus")
        reported(0, mac=mac, ips=["10.0.0.50", "fe80::1"])(pod)
        assert trouble("multus", pod) == ""


def test_a_pod_that_was_made_for_another_attachment_is_not_judged() -> None:
    """It goes on until the operator replaces it."""
    assert trouble("kube-ovn", pod_of("multus-vlan")) == ""


async def test_a_gateway_that_answers_itself_alone_is_an_error() -> None:
    """It is ready, since what it hears of itself goes over ``lo``."""
    cluster = FakeCluster()
    gateways = KubernetesGateways(options("multus"), cluster)
    await gateways.start(SERVER)
    reported(0, ips=["10.0.0.99"])(cluster.objects[POD.plural, "gateway-s1-0"])
    with pytest.raises(ShareBackendException, match="s1 is not attached as its ports say: net1 has 10.0.0.99, not"):
        await gateways.start(SERVER)


# ---- what comes back


class Kept:
    """A gateway of an attachment with a share that admits one client, and who watches over them."""

    def __init__(self, name: str) -> None:
        self.cluster = FakeCluster()
        self.options: KubernetesOptions = options(name, **CASES[name][0])
        self.overseer = KubernetesOverseer(self.options, self.cluster)

    async def begin(self) -> Kept:
        gateways = KubernetesGateways(self.options, self.cluster)
        await gateways.check()
        await gateways.start(SERVER)
        shares = Shares(self.options, self.cluster)
        about = {"name": "holder-i1", "namespace": self.options.kubernetes_namespace}
        await self.cluster.create(POD, {"metadata": about, "spec": {"nodeName": "node-1"}})
        await shares.mount("i1", "s1", "share-i1")
        clients = {"clients": [{"network": "10.0.0.5/32", "access": "RW"}]}
        await self.cluster.merge(SHARE_EXPORT, "share-i1", None, {"spec": clients})
        wall = KubeOvnWall(self.options, self.cluster)
        if wall.guards:
            await wall.admit("s1", ["10.0.0.5/32"])
        return self

    async def look(self) -> None:
        async def nothing(ids: Collection[str]) -> Rows:
            return Rows()

        await self.overseer.inspect(nothing)

    def picture(self, kind: Kind) -> dict[str, Object]:
        return {name: {"spec": one["spec"]} for name, one in self.cluster.of(kind).items()}


KINDS = [("multus", NETWORK_ATTACHMENT), ("kube-ovn", NETWORK_ATTACHMENT), ("multus", NETWORK_POLICY)]


@pytest.mark.parametrize(("name", "kind"), [*KINDS, ("kube-ovn", SECURITY_GROUP)])
async def test_what_attaches_a_gateway_comes_back(name: str, kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    kept = await Kept(name).begin()
    before, done = kept.picture(kind), list(kept.cluster.done)
    await kept.look()
    assert kept.cluster.done == done, "nothing is wrong"
    for one in before:
        await kept.cluster.delete(kind, one)
    assert kept.picture(kind) == {}
    await kept.look()
    assert kept.picture(kind) == before
    assert "was gone" in caplog.text


@pytest.mark.parametrize(
    ("name", "kind", "change"),
    [
        ("multus", NETWORK_ATTACHMENT, {"spec": {"config": "{}"}}),
        ("kube-ovn-open", NETWORK_ATTACHMENT, {"spec": {"config": "{}"}}),
        ("multus", NETWORK_POLICY, {"spec": {"ingress": [{}]}}),
        ("multus", NETWORK_POLICY, {"spec": {"policyTypes": ["Egress"]}}),
        ("multus", NETWORK_POLICY, {"spec": {"podSelector": {"matchExpressions": []}}}),
        ("kube-ovn", NETWORK_POLICY, {"metadata": {"annotations": {"ovn.kubernetes.io/network_policy_for": "ns/x"}}}),
    ],
)
async def test_what_was_changed_by_hand_is_changed_back(name: str, kind: Kind, change: Object) -> None:
    kept = await Kept(name).begin()
    before = {key: (one["spec"], one["metadata"].get("annotations")) for key, one in kept.cluster.of(kind).items()}
    for only in before:
        await kept.cluster.merge(kind, only, None, change)
    await kept.look()
    assert {
        key: (one["spec"], one["metadata"].get("annotations")) for key, one in kept.cluster.of(kind).items()
    } == before


async def test_rules_of_a_wall_that_differ_are_put_right_when_they_still_do() -> None:
    """At once it might be a change of an access rule: the wall opens before the export says so."""
    kept = await Kept("kube-ovn").begin()
    before = kept.picture(SECURITY_GROUP)
    await kept.cluster.merge(SECURITY_GROUP, "manila-s1", None, {"spec": {"ingressRules": []}})
    await kept.look()
    assert kept.picture(SECURITY_GROUP) != before
    await kept.look()
    assert kept.picture(SECURITY_GROUP) == before


async def test_a_pod_that_is_attached_wrongly_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    kept = await Kept("multus").begin()
    reported(0, ips=["10.0.0.99"])(kept.cluster.objects[POD.plural, "gateway-s1-0"])
    await kept.look()
    assert "pod gateway-s1-0 is not attached as its ports say: net1 has 10.0.0.99, not 10.0.0.50" in caplog.text


async def test_a_server_that_the_options_do_not_allow_any_more_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    kept = await Kept("kube-ovn").begin()
    await KubernetesGateways(kept.options, kept.cluster).start(BOTH)
    changed = replace(kept.options, kubernetes_kube_ovn_interface="primary")
    kept.overseer = KubernetesOverseer(changed, kept.cluster)
    await kept.look()
    assert "share server s2 cannot be attached" in caplog.text


# ---- the wall's word


def says(cluster: FakeCluster, **status: object) -> None:
    """What Kube-OVN's controller writes into the group's status."""
    cluster.objects[SECURITY_GROUP.plural, "manila-s1"].setdefault("status", {}).update(status)


async def test_a_rule_is_not_active_before_kube_ovn_says_so() -> None:
    """A rule that it takes for wrong it only logs, and the status stays as it was."""
    cluster = FakeCluster()
    wall = KubeOvnWall(replace(options("kube-ovn"), ganesha_timeout=0.1), cluster)
    await wall.admit("s1", [])
    cluster.stuck.add("manila-s1")
    for _ in range(2):  # nor when it is asked for once more
        with pytest.raises(ShareBackendException, match=r"manila-s1: not within .* kube-ovn-controller"):
            await wall.admit("s1", ["10.0.0.5/32"])
    says(cluster, ingressMd5="another", ingressLastSyncSuccess=False)
    with pytest.raises(ShareBackendException):
        await wall.admit("s1", ["10.0.0.5/32"])
    says(cluster, ingressLastSyncSuccess=True)
    await wall.admit("s1", ["10.0.0.5/32"])


async def test_back_to_rules_that_kube_ovn_never_left() -> None:
    cluster = FakeCluster()
    wall = KubeOvnWall(replace(options("kube-ovn"), ganesha_timeout=0.1), cluster)
    await wall.admit("s1", ["10.0.0.5/32"])
    cluster.stuck.add("manila-s1")
    with pytest.raises(ShareBackendException):
        await wall.admit("s1", ["10.0.0.6/32"])
    await wall.admit("s1", ["10.0.0.5/32"])


async def test_no_pod_before_its_group_is_there() -> None:
    """A port of which no group exists is open to everybody."""
    cluster = FakeCluster()
    cluster.stuck.add("manila-s1")
    gateways = KubernetesGateways(replace(options("kube-ovn"), ganesha_timeout=0.1), cluster)
    with pytest.raises(ShareBackendException, match="SecurityGroup manila-s1"):
        await gateways.start(SERVER)
    assert cluster.of(POD) == {}
    says(cluster, portGroup="ovn.sg.manila.s1", ingressMd5="x", ingressLastSyncSuccess=True)
    await gateways.start(SERVER)
    assert set(cluster.of(POD)) == {"gateway-s1-0"}
    assert ONE.ip in str(cluster.of(POD)["gateway-s1-0"]["metadata"]["annotations"])
