"""Attachments: what is asked of Multus, Kube-OVN and the node agent, compared with ``tests/goldens/attachments``."""

from __future__ import annotations

import json
import os
import pathlib
from dataclasses import replace

import pytest

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.attaching import Attaching
from drivers.ganesha.kubernetes.attachments import chosen
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, POD, SECURITY_GROUP
from generated.errors import ShareBackendException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster

GOLDENS = pathlib.Path(__file__).parents[3] / "goldens" / "attachments"
ONE = Address("10.0.0.50", 24, "net.1", "fa:16:3e:00:00:01", "10.0.0.1", 1442, "port-1")
TWO = Address("2001:db8::50", 64, "net-2", "fa:16:3e:00:00:02", "2001:db8::1", 1500, "port-2")
SERVER, BOTH = Server("s1", (ONE,)), Server("s2", (ONE, TWO))
VLAN = '{"type": "vlan", "master": "bond0.{network}", "mtu": {mtu}, "ipam": {"type": "static"}}'
CASES: dict[str, tuple[dict[str, object], Server]] = {
    "multus": ({}, BOTH),
    "multus-vlan": ({"kubernetes_cni_config": VLAN, "kubernetes_cni_masks": False}, SERVER),
    "kube-ovn": ({}, BOTH),
    "kube-ovn-primary": ({"kubernetes_kube_ovn_interface": "primary"}, SERVER),
    "kube-ovn-open": ({"kubernetes_kube_ovn_groups": False}, SERVER),
    "ovn-port": ({}, BOTH),
}


def options(name: str, **changes: object) -> KubernetesOptions:
    attachment = next(one for one in ("kube-ovn", "ovn-port", "multus") if name.startswith(one))
    return replace(OPTIONS, kubernetes_attachment=attachment, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_what_is_asked_for(name: str) -> None:
    changes, server = CASES[name]
    made = chosen(options(name, **changes))(server)
    whole = {
        "annotations": made.annotations,
        "interfaces": list(made.interfaces),
        "readinessGates": list(made.gates),
        "networks": [{"apiVersion": kind.version, "kind": kind.name, **one} for kind, one in made.networks],
        "own": [{"apiVersion": kind.version, "kind": kind.name, **one} for kind, one in made.own],
    }
    text, golden = json.dumps(whole, indent=2) + "\n", GOLDENS / f"{name}.json"
    if os.environ.get("GOLDENS") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text)
    assert text == golden.read_text()


def test_names_kube_ovn_can_read() -> None:
    """A provider has three parts between dots, a list of groups no blanks, an address no mask."""
    made = chosen(options("kube-ovn"))(SERVER)
    (definition,) = [one for _, one in made.networks]
    assert json.loads(definition["spec"]["config"])["provider"].count(".") == 2
    by_end = {key.rpartition("/")[2]: value for key, value in made.annotations.items()}
    assert by_end["ip_address"] == "10.0.0.50" and by_end["security_groups"] == "manila-s1"
    assert not any(" " in value for value in made.annotations.values())


@pytest.mark.parametrize(
    ("attachment", "changes", "server", "message"),
    [
        ("vxlan", {}, SERVER, "not vxlan"),
        ("ovn-port", {}, Server("s", (replace(ONE, port_id=None),)), "no Neutron port"),
        ("kube-ovn", {"kubernetes_kube_ovn_interface": "primary"}, BOTH, "several ports"),
        ("kube-ovn", {"kubernetes_kube_ovn_interface": "eth0"}, SERVER, "one of additional, primary"),
        ("multus", {"kubernetes_cni_config": "{"}, SERVER, "kubernetes_cni_config is no JSON"),
        ("multus", {"kubernetes_cni_config": "{}"}, SERVER, "names no CNI plugin"),
    ],
)
def test_what_is_refused(attachment: str, changes: dict[str, object], server: Server, message: str) -> None:
    wrong = replace(OPTIONS, kubernetes_attachment=attachment, **changes)  # type: ignore[arg-type]
    with pytest.raises(ShareBackendException, match=message):
        chosen(wrong)(server)


def test_the_filter_is_told_which_interface_the_tenant_is_on() -> None:
    """A pod whose only interface is in the tenant's network has no net1: a filter that admits that alone drops all."""
    for name, (changes, server) in CASES.items():
        made = chosen(options(name, **changes))(server)
        (ganesha, _) = manifests.gateway(OPTIONS, server, made)["spec"]["template"]["spec"]["containers"]
        said = {one["name"]: one.get("value") for one in ganesha["env"]}["GATEWAY_INTERFACES"]
        assert said == ("eth0" if name == "kube-ovn-primary" else "net1,net2" if server is BOTH else "net1"), name


def test_who_can_be_on_several_subnets() -> None:
    assert {name: options(name, **changes).many_ports for name, (changes, _) in CASES.items()} == {
        name: name != "kube-ovn-primary" for name in CASES
    }
    # of an attachment that is not chosen
    assert options("multus", kubernetes_kube_ovn_interface="primary").many_ports


@pytest.mark.parametrize("name", CASES)
def test_the_policy_is_about_the_pod_network_only(name: str) -> None:
    """Kube-OVN takes a policy that does not say so for one about the tenants' interfaces, too."""
    policy = manifests.closed(options(name, **CASES[name][0]))
    assert policy["metadata"]["annotations"] == {"ovn.kubernetes.io/network_policy_for": "ovn"}
    (roles,) = (one["values"] for one in policy["spec"]["podSelector"]["matchExpressions"])
    # a gateway that is in the tenant's network alone has no interface that a policy may close
    assert ("gateway" in roles) == (name != "kube-ovn-primary") and "holder" in roles
    assert policy["spec"]["podSelector"]["matchLabels"] == {names.BACKEND: "kube"}


async def started(cluster: FakeCluster, chosen_options: KubernetesOptions, server: Server) -> KubernetesGateways:
    gateways = KubernetesGateways(chosen_options, cluster)
    await gateways.start(server)
    return gateways


async def test_a_network_stays_while_a_gateway_is_on_it() -> None:
    cluster, other = FakeCluster(), Server("s9", (replace(ONE, ip="10.0.0.51"),))
    for server in (BOTH, other):
        gateways = await started(cluster, options("kube-ovn"), server)
    assert set(cluster.of(NETWORK_ATTACHMENT)) == {"tenant-net-1", "tenant-net-2"}
    assert set(cluster.of(SECURITY_GROUP)) == {"manila-s2", "manila-s9"}
    await gateways.remove("s2")
    assert set(cluster.of(NETWORK_ATTACHMENT)) == {"tenant-net-1"}
    assert set(cluster.of(SECURITY_GROUP)) == {"manila-s9"}
    await gateways.remove("s9")
    assert not cluster.of(NETWORK_ATTACHMENT) and not cluster.of(SECURITY_GROUP)


@pytest.mark.parametrize("name", ["multus", "kube-ovn"])
async def test_back_ends_of_one_namespace_leave_each_other_s_networks(name: str) -> None:
    """One tenant network, two back ends: the last server of one goes, the other's gateway still has its definition."""
    cluster, mine = FakeCluster(), options(name)
    theirs = replace(mine, share_backend_name="Other_1")
    if name == "multus":
        theirs = replace(theirs, kubernetes_cni_config=VLAN)
    gateways = await started(cluster, mine, SERVER)
    await started(cluster, theirs, Server("s7", (replace(ONE, ip="10.0.0.57"),)))
    kept = json.loads(cluster.of(POD)["gateway-s7-0"]["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"])[0]
    config = cluster.of(NETWORK_ATTACHMENT)[kept["name"]]["spec"]
    await gateways.remove("s1")
    assert set(cluster.of(NETWORK_ATTACHMENT)) == {kept["name"]}
    assert cluster.of(NETWORK_ATTACHMENT)[kept["name"]]["spec"] == config
    if name == "kube-ovn":
        assert set(cluster.of(SECURITY_GROUP)) == {"manila-s7"}


async def test_a_gateway_that_starts_again_keeps_who_was_let_in() -> None:
    cluster, chosen_options = FakeCluster(), options("kube-ovn")
    attaching, wall = Attaching(chosen_options, cluster), KubeOvnWall(chosen_options, cluster)
    await attaching.before(SERVER)
    await wall.admit("s1", ["10.0.0.0/28", "2001:db8::/64"])
    await attaching.before(SERVER)
    rules = cluster.of(SECURITY_GROUP)["manila-s1"]["spec"]["ingressRules"]
    assert [(one["ipVersion"], one["remoteAddress"], one["priority"]) for one in rules] == [
        ("ipv4", "10.0.0.0/28", 1),
        ("ipv6", "2001:db8::/64", 2),
    ]
