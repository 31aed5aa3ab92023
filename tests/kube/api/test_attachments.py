"""What each attachment asks for, applied to a real API server with the resources of Multus and Kube-OVN.

Their definitions here have the fields that are used, and refuse others, so that a misspelt one is found.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.attachments import ATTACHMENTS, chosen
from drivers.ganesha.kubernetes.attachments.kube_ovn_wall import KubeOvnWall
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import (
    NETWORK_ATTACHMENT,
    NETWORK_POLICY,
    POD,
    SECURITY_GROUP,
    STATEFUL_SET,
    Cluster,
    Object,
    Refused,
)
from generated.errors import ShareBackendException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.kube.api.kube_ovn import IP, SUBNET, controller, define
from tests.lab.cluster import Cluster as Lab

pytestmark = pytest.mark.kube_api
SERVER = Server(
    "s1",
    (
        Address("10.0.0.50", 24, "net-1", "fa:16:3e:00:00:01", "10.0.0.1", 1442, "port-1"),
        Address("10.9.0.50", 16, "net-2", "fa:16:3e:00:00:02", None, 1442, "port-2"),
    ),
)


KUBE_OVN = {"kubernetes_attachment": "kube-ovn"}
FORMS: dict[str, tuple[dict[str, Any], Server]] = {
    "multus": ({"kubernetes_attachment": "multus"}, SERVER),
    "ovn-port": ({"kubernetes_attachment": "ovn-port"}, SERVER),
    "kube-ovn": (KUBE_OVN, SERVER),
    "kube-ovn open": ({**KUBE_OVN, "kubernetes_kube_ovn_groups": False}, SERVER),
    "kube-ovn primary": (
        {**KUBE_OVN, "kubernetes_kube_ovn_interface": "primary"},
        replace(SERVER, addresses=SERVER.addresses[:1]),
    ),
}


@pytest.fixture
async def cluster(lab: Lab) -> AsyncIterator[Cluster]:
    """The product's client; Multus' and Kube-OVN's resources are defined."""
    one = Cluster(str(lab.kubeconfig))
    await define(one, lab)
    try:
        yield one
    finally:
        await one.close()


async def _stored(cluster: Cluster, namespace: str, form: str) -> tuple[Object, list[Object]]:
    """A gateway with that attachment: its pod's annotations, and its definitions' configurations, as kept."""
    changes, server = FORMS[form]
    options = replace(OPTIONS, kubernetes_namespace=namespace, **changes)
    attached = chosen(options)(server)
    await cluster.apply(NETWORK_POLICY, manifests.closed(options))
    for kind, before in attached.own:
        await cluster.create(kind, before)
        assert await cluster.get(kind, before["metadata"]["name"]) is not None
    configurations = []
    for kind, before in attached.networks:
        assert kind is NETWORK_ATTACHMENT
        await cluster.apply(kind, before)
        kept = await cluster.get(kind, before["metadata"]["name"], namespace)
        configurations.append(json.loads((kept or {})["spec"]["config"]))
    await cluster.apply(STATEFUL_SET, manifests.gateway(options, server, attached))
    found = await cluster.get(STATEFUL_SET, "gateway-s1", namespace)
    assert found is not None
    annotations: Object = found["spec"]["template"]["metadata"]["annotations"]
    return annotations, configurations


@pytest.mark.parametrize("form", FORMS)
async def test_a_gateway_and_what_comes_before_it_are_taken(cluster: Cluster, namespace: str, form: str) -> None:
    """Also twice; and the networks that the annotation names are there."""
    for _ in range(2):
        annotations, configurations = await _stored(cluster, namespace, form)
    if form == "ovn-port":
        assert [one["port"] for one in json.loads(annotations[names.PORTS])] == ["port-1", "port-2"]
        return
    if form == "kube-ovn primary":
        own = {
            key.rpartition("/")[2]: value for key, value in annotations.items() if key.startswith("ovn.kubernetes.io")
        }
        assert own == {
            "logical_switch": "tenant-net-1",
            "ip_address": "10.0.0.50",
            "mac_address": "fa:16:3e:00:00:01",
            "port_security": "true",
            "security_groups": "manila-s1",
        }
        assert configurations == []
        return
    wanted = json.loads(annotations["k8s.v1.cni.cncf.io/networks"])
    assert [one["interface"] for one in wanted] == ["net1", "net2"]
    for one in wanted:
        assert await cluster.get(NETWORK_ATTACHMENT, one["name"], one["namespace"]) is not None
        assert "." not in one["name"]
    assert all(one["cniVersion"] and one["type"] for one in configurations)


async def test_the_wall_of_kube_ovn_follows_the_rules(cluster: Cluster, namespace: str) -> None:
    """And is only taken for up when Kube-OVN's controller, played here, says so; it comes back when it is removed."""
    own = replace(OPTIONS, kubernetes_namespace=namespace, kubernetes_attachment="kube-ovn")
    wall, idle = KubeOvnWall(own, cluster), KubeOvnWall(replace(own, ganesha_timeout=1.0), cluster)
    server = f"s-{namespace}"
    with pytest.raises(ShareBackendException, match=f"manila-{server}: not within"):
        await idle.admit(server, ["10.0.0.5/32"])
    async with controller(cluster, f"manila-{server}"):
        for networks in (["10.0.0.5/32", "2001:db8::/64"], ["10.0.0.5/32"], []):
            await wall.admit(server, networks)
            assert await _admitted(cluster, server) == networks
        await wall.admit(server, ["10.0.0.6/32"])
    with pytest.raises(ShareBackendException, match=f"manila-{server}: not within"):
        await idle.admit(server, ["10.0.0.7/32"])
    await cluster.delete(SECURITY_GROUP, f"manila-{server}", grace=0)
    await wall.keep({server: ["10.0.0.8/32"]})
    assert await _admitted(cluster, server) == ["10.0.0.8/32"]
    await cluster.delete(SECURITY_GROUP, f"manila-{server}", grace=0)


async def _admitted(cluster: Cluster, server: str) -> list[str]:
    kept = await cluster.get(SECURITY_GROUP, f"manila-{server}")
    return [one["remoteAddress"] for one in (kept or {})["spec"]["ingressRules"]]


async def test_a_condition_leaves_the_others(cluster: Cluster, namespace: str) -> None:
    """What the node agent says of a gateway, beside what the kubelet says."""
    pod = {"metadata": {"name": "p", "namespace": namespace}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    await cluster.create(POD, pod)
    for kind, reason in (("Other", "Before"), (names.ATTACHED, "Plugged"), (names.ATTACHED, "Installed")):
        await cluster.condition(POD, "p", namespace, {"type": kind, "status": "True", "reason": reason})
    found = await cluster.get(POD, "p", namespace) or {}
    again = {"type": names.ATTACHED, "status": "True", "reason": "Installed"}
    assert await cluster.condition(POD, "p", namespace, again, found["metadata"]["uid"]) is not None
    of_the_last = {"type": names.ATTACHED, "status": "False", "reason": "Failed"}
    uid = "11111111-1111-4111-8111-111111111111"
    assert await cluster.condition(POD, "p", namespace, of_the_last, uid) is None, "it has the name only"
    kept = (await cluster.get(POD, "p", namespace) or {})["status"]["conditions"]
    assert {one["type"]: one["reason"] for one in kept if one.get("reason") in ("Before", "Plugged", "Installed")} == {
        "Other": "Before",
        names.ATTACHED: "Installed",
    }


async def test_multus_gets_addresses_with_masks(cluster: Cluster, namespace: str) -> None:
    annotations, configurations = await _stored(cluster, namespace, "multus")
    wanted = json.loads(annotations["k8s.v1.cni.cncf.io/networks"])
    assert [(one["ips"], one["mac"]) for one in wanted] == [
        (["10.0.0.50/24"], "fa:16:3e:00:00:01"),
        (["10.9.0.50/16"], "fa:16:3e:00:00:02"),
    ]
    assert all(one["capabilities"] == {"ips": True, "mac": True} for one in configurations)
    assert len({one["bridge"] for one in configurations}) == 2


async def test_kube_ovn_finds_a_subnet_for_each_interface(cluster: Cluster, namespace: str) -> None:
    """Each annotation belongs to a provider of three parts, which a Subnet has, too, with room for the address."""
    annotations, configurations = await _stored(cluster, namespace, "kube-ovn")
    for address, configuration in zip(SERVER.addresses, configurations, strict=True):
        network = ipaddress.ip_network(f"{address.ip}/{address.prefix}", strict=False)
        provider = str(configuration["provider"])
        assert provider.count(".") == 2
        subnet = annotations[f"{provider}.kubernetes.io/logical_switch"]
        spec: Object = {"vpc": "tenant", "cidrBlock": str(network), "gateway": str(network[1]), "protocol": "IPv4"}
        spec |= {"provider": provider, "excludeIps": [address.ip], "disableGatewayCheck": True}
        made = await cluster.apply(SUBNET, {"metadata": {"name": f"{subnet}-{namespace}"}, "spec": spec})
        assert made["spec"] == spec
        own = f"{provider}.kubernetes.io"
        assert ipaddress.ip_address(annotations[f"{own}/ip_address"]) in network
        assert annotations[f"{own}/mac_address"] == address.mac
        assert annotations[f"{own}/port_security"] == "true"
        kept = {"podName": "gateway-s1-0", "namespace": namespace, "subnet": subnet, "podType": "StatefulSet"}
        kept |= {"v4IpAddress": address.ip, "macAddress": str(address.mac)}
        name = f"gateway-s1-0.{namespace}.{provider}"
        assert (await cluster.apply(IP, {"metadata": {"name": name}, "spec": kept}))["spec"] == kept


async def test_a_field_that_is_not_defined_is_refused_at_once(cluster: Cluster, namespace: str) -> None:
    """As when the definitions of a cluster are older than the program; the server's own word for it is 500."""
    with pytest.raises(Refused, match="cidr: field not declared"):
        await cluster.apply(SUBNET, {"metadata": {"name": f"bad-{namespace}"}, "spec": {"cidr": "10.0.0.0/24"}})


def test_every_attachment_is_tried() -> None:
    assert {str(changes["kubernetes_attachment"]) for changes, _ in FORMS.values()} == set(ATTACHMENTS)
