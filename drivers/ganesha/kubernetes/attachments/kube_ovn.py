"""Kube-OVN: an interface in a Subnet that serves the tenant's network, with the address and MAC of the port.

The operator, or who maps networks, makes the Subnet: named ``tenant-<network id>``, with the addresses of the shares
among its ``excludeIps``, and ``disableGatewayCheck`` unless its gateway answers, since a pod waits for it. For an
additional interface its provider is ``tenant-<network id>.<namespace>.ovn``, so that the back ends of a namespace share
the attachment definition, as they share the Subnet. As the primary interface it is ``eth0``, and the pod has no other.

A SecurityGroup of the gateway's own follows the access rules. It must be there before the pod: a port whose groups do
not exist is open to everybody. So it is the second line and never the only one.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.attached import Attached, Wanted, numbered
from drivers.ganesha.kubernetes.attachments.multus import NETWORKS, compact, shared, tenant
from drivers.ganesha.kubernetes.attachments.reported import by_kube_ovn, by_multus, differs
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import SECURITY_GROUP, Object
from generated.errors import ShareBackendException

SOCKET: Final = "/run/openvswitch/kube-ovn-daemon.sock"
PRIMARY: Final = "ovn"
FORMS: Final = ("additional", "primary")
NFS: Final = 2049
MOST_RULES: Final = 16384
"""Priorities of a SecurityGroup go from 1 to this."""


def provider(network_id: str, namespace: str) -> str:
    """What ties an additional interface to its Subnet: exactly three parts between dots."""
    return f"{tenant(network_id)}.{namespace}.ovn"


def is_primary(options: KubernetesOptions) -> bool:
    """Whether the tenant's network is the pod's only one."""
    return not options.many_ports


def check(options: KubernetesOptions) -> None:
    """Raise ShareBackendException if ``kubernetes_kube_ovn_interface`` names no form."""
    if options.kubernetes_kube_ovn_interface not in FORMS:
        raise ShareBackendException(msg=f"kubernetes_kube_ovn_interface must be one of {', '.join(FORMS)}")


def attach(options: KubernetesOptions, server: Server) -> Attached:
    """Plain addresses, without a mask: Kube-OVN could not read one. Port security is on from the start."""
    groups = (security_group(options, server.id),) if options.kubernetes_kube_ovn_groups else ()
    if is_primary(options):
        if len(server.addresses) != 1:
            raise ShareBackendException(msg="a gateway has one primary interface, but its server has several ports")
        (address,) = server.addresses
        seen = functools.partial(_primary_misfit, address)
        return Attached(_annotations(PRIMARY, address, groups), ("eth0",), own=groups, misfit=seen)
    annotations: dict[str, str] = {}
    wanted: list[Object] = []
    namespace = options.kubernetes_namespace
    interfaces = numbered(len(server.addresses))
    for interface, address in zip(interfaces, server.addresses, strict=True):
        annotations |= _annotations(provider(address.network_id, namespace), address, groups)
        wanted.append({"name": tenant(address.network_id), "namespace": namespace, "interface": interface})
    annotations[NETWORKS] = compact(wanted)
    networks = sorted({address.network_id for address in server.addresses})
    definitions = tuple(_definition(options, one) for one in networks)
    seen = functools.partial(_misfit, namespace, interfaces, server)
    return Attached(annotations, interfaces, definitions, groups, misfit=seen)


def _primary_misfit(address: Address, pod: Object) -> str:
    """Kube-OVN's word, and the kubelet's: the pod's address is the port's."""
    status = pod.get("status") or {}
    ips = [one.get("ip", "") for one in status.get("podIPs") or []] or [status.get("podIP", "")]
    return by_kube_ovn(PRIMARY, "eth0", address, pod) or differs("eth0", address, filter(None, ips), "")


def _misfit(namespace: str, interfaces: Sequence[str], server: Server, pod: Object) -> str:
    for interface, address in zip(interfaces, server.addresses, strict=True):
        if why := by_kube_ovn(provider(address.network_id, namespace), interface, address, pod):
            return why
    return by_multus(interfaces, server.addresses, pod)


def _annotations(interface: str, address: Address, groups: Sequence[Wanted]) -> dict[str, str]:
    """``logical_switch`` too: without it another Subnet of the namespace might give the address."""
    own = f"{interface}.kubernetes.io"
    found = {
        f"{own}/logical_switch": tenant(address.network_id),
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
    return shared(options, tenant(network_id), config)


def group_name(server_id: str) -> str:
    """Name of a gateway's SecurityGroup. It has no dots, which Kube-OVN would take for dashes."""
    return f"manila-{server_id}"


def security_group(options: KubernetesOptions, server_id: str, networks: Sequence[str] = ()) -> Wanted:
    """A gateway's SecurityGroup: NFS from ``networks`` (CIDR) and nothing else; the gateway itself opens nothing."""
    if len(networks) > MOST_RULES:
        raise ShareBackendException(msg=f"a SecurityGroup of Kube-OVN has at most {MOST_RULES} rules")
    about = {names.SERVER: server_id, names.WITHIN: options.kubernetes_namespace}
    own = names.labels(options.share_backend_name, "wall", **about)
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
