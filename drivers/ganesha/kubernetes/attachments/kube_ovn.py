"""Kube-OVN: an interface in a Subnet that serves the tenant's network, with the address and MAC of the port.

The operator, or who maps networks, makes the Subnet: named ``tenant-<network id>``, with the addresses of the shares
among its ``excludeIps``, and ``disableGatewayCheck`` unless its gateway answers, since a pod waits for it. For an
additional interface its provider is ``tenant-<network id>.<namespace>.ovn``.

A SecurityGroup of the gateway's own follows the access rules. It must be there before the pod: a port whose groups do
not exist is open to everybody. So it is the second line and never the only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.attached import Attached, Wanted
from drivers.ganesha.kubernetes.attachments.multus import NETWORKS, compact, definition, shared
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import SECURITY_GROUP, Cluster, Object
from generated.errors import ShareBackendException

SOCKET: Final = "/run/openvswitch/kube-ovn-daemon.sock"
PRIMARY: Final = "ovn"
NFS: Final = 2049
MOST_RULES: Final = 16384
"""Priorities of a SecurityGroup go from 1 to this."""


def provider(network_id: str, namespace: str) -> str:
    """What ties an additional interface to its Subnet: exactly three parts between dots."""
    return f"{definition(network_id)}.{namespace}.ovn"


def attach(options: KubernetesOptions, server: Server) -> Attached:
    """Plain addresses, without a mask: Kube-OVN could not read one. Port security is on from the start."""
    groups = (security_group(options, server.id),) if options.kubernetes_kube_ovn_groups else ()
    if options.kubernetes_kube_ovn_interface == "primary":
        if len(server.addresses) != 1:
            raise ShareBackendException(msg="a gateway has one primary interface, but its server has several ports")
        return Attached(_annotations(PRIMARY, server.addresses[0], groups), own=groups)
    annotations: dict[str, str] = {}
    wanted: list[Object] = []
    namespace = options.kubernetes_namespace
    for number, address in enumerate(server.addresses, 1):
        annotations |= _annotations(provider(address.network_id, namespace), address, groups)
        name = definition(address.network_id)
        wanted.append({"name": name, "namespace": namespace, "interface": f"net{number}"})
    annotations[NETWORKS] = compact(wanted)
    networks = sorted({address.network_id for address in server.addresses})
    return Attached(annotations, tuple(_definition(options, one) for one in networks), groups)


def _annotations(interface: str, address: Address, groups: Sequence[Wanted]) -> dict[str, str]:
    """``logical_switch`` too: without it another Subnet of the namespace might give the address."""
    own = f"{interface}.kubernetes.io"
    found = {
        f"{own}/logical_switch": definition(address.network_id),
        f"{own}/ip_address": address.ip,
        f"{own}/port_security": "true",
    }
    if address.mac:
        found[f"{own}/mac_address"] = address.mac
    if groups:
        # blanks would become part of a name
        found[f"{own}/security_groups"] = ",".join(one["metadata"]["name"] for _, one in groups)
    return found


def _definition(options: KubernetesOptions, network_id: str) -> Wanted:
    config = {
        "cniVersion": "0.3.1",
        "type": "kube-ovn",
        "server_socket": SOCKET,
        "provider": provider(network_id, options.kubernetes_namespace),
    }
    return shared(options, network_id, config)


def group_name(server_id: str) -> str:
    """Name of a gateway's SecurityGroup. It has no dots, which Kube-OVN would take for dashes."""
    return f"manila-{server_id}"


def security_group(options: KubernetesOptions, server_id: str, networks: Sequence[str] = ()) -> Wanted:
    """A gateway's SecurityGroup: NFS from ``networks`` (CIDR) and nothing else; the gateway itself opens nothing."""
    if len(networks) > MOST_RULES:
        raise ShareBackendException(msg=f"a SecurityGroup of Kube-OVN has at most {MOST_RULES} rules")
    own = names.labels(options.share_backend_name, "wall", **{names.SERVER: server_id})
    rules = [_rule(number, network) for number, network in enumerate(networks, 1)]
    spec = {"ingressRules": rules, "egressRules": [], "allowSameGroupTraffic": False}
    return SECURITY_GROUP, {"metadata": {"name": group_name(server_id), "labels": own}, "spec": spec}


def _rule(priority: int, network: str) -> Object:
    return {
        "ipVersion": "ipv6" if ":" in network else "ipv4",
        "protocol": "tcp",
        "priority": priority,
        "remoteType": "address",
        "remoteAddress": network,
        "portRangeMin": NFS,
        "portRangeMax": NFS,
        "policy": "allow",
    }


class KubeOvnWall:
    """See ``wall.Wall``: the SecurityGroups of gateways.

    Kube-OVN replaces all rules at every change and cuts clients for that moment; what it takes for wrong it only logs.
    """

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self.guards = options.kubernetes_kube_ovn_groups

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        await self._cluster.apply(*security_group(self._options, server_id, networks))
