"""Multus: one attachment definition per tenant network, and addresses and MAC of the Neutron port in the annotation.

The annotation's JSON form only: names, namespace, interface, addresses and MAC are all said. By default the plugin is a
bridge per network with static addresses, which reaches as far as the node; ``kubernetes_cni_config`` names one that
reaches the tenant's network, for instance a VLAN's.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.attached import Attached, Wanted
from drivers.ganesha.kubernetes.options import KubernetesOptions, parsed
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, Object
from generated.errors import ShareBackendException

NETWORKS = "k8s.v1.cni.cncf.io/networks"
TENANT_MTU = 1442
"""Of a geneve network over an underlay of 1500 bytes, when the port says nothing."""


def definition(network_id: str) -> str:
    """Name of the attachment definition of a tenant network; without dots, which Kube-OVN could not read."""
    return f"tenant-{network_id.replace('.', '-').lower()}"


def bridge(network_id: str) -> str:
    """Name of a tenant network's bridge on every node: at most 15 characters."""
    return "mn" + hashlib.sha256(network_id.encode()).hexdigest()[:10]


def check(options: KubernetesOptions) -> None:
    """Raise ShareBackendException if ``kubernetes_cni_config`` is no configuration of a CNI plugin."""
    _config(options, Address("192.0.2.1", 24, "example"))


def attach(options: KubernetesOptions, server: Server) -> Attached:
    """One interface ``net1``, ``net2``, ... for each address."""
    wanted = [_selected(options, address, number) for number, address in enumerate(server.addresses, 1)]
    first = {address.network_id: address for address in reversed(server.addresses)}
    networks = tuple(shared(options, one, _config(options, address)) for one, address in sorted(first.items()))
    return Attached({NETWORKS: compact(wanted)}, networks)


def shared(options: KubernetesOptions, network_id: str, config: Object) -> Wanted:
    """The attachment definition of a tenant network, which all its gateways share."""
    own = names.labels(options.share_backend_name, "network")
    about = names.metadata(definition(network_id), options.kubernetes_namespace, own)
    return NETWORK_ATTACHMENT, {"metadata": about, "spec": {"config": compact(config)}}


def compact(value: Any) -> str:
    """JSON without blanks."""
    return json.dumps(value, separators=(",", ":"))


def _selected(options: KubernetesOptions, address: Address, number: int) -> Object:
    found: Object = {
        "name": definition(address.network_id),
        "namespace": options.kubernetes_namespace,
        "interface": f"net{number}",
        "ips": [f"{address.ip}/{address.prefix}" if options.kubernetes_cni_masks else address.ip],
    }
    if address.mac:
        found["mac"] = address.mac
    if address.gateway and number == 1:
        found["default-route"] = [address.gateway]
    return found


def _config(options: KubernetesOptions, address: Address) -> Object:
    """Configuration of the plugin: ``capabilities``, else Multus hands neither addresses nor MAC on."""
    known = {
        "{network}": address.network_id,
        "{bridge}": bridge(address.network_id),
        "{mtu}": str(address.mtu or TENANT_MTU),
    }
    text = options.kubernetes_cni_config or compact(
        {"type": "bridge", "bridge": "{bridge}", "ipam": {"type": "static"}}
    )
    for word, value in known.items():
        text = text.replace(word, value)
    config: Object = parsed("kubernetes_cni_config", text, dict)
    if not config.get("type"):
        raise ShareBackendException(msg="kubernetes_cni_config names no CNI plugin (type)")
    fixed = {"cniVersion": "1.0.0", "name": definition(address.network_id), "capabilities": {"ips": True, "mac": True}}
    return {**fixed, **config}
