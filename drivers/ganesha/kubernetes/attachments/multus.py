"""Multus: an attachment definition per tenant network and back end, the port's address and MAC in an annotation.

The annotation's JSON form only: names, namespace, interface, addresses and MAC are all said. By default the plugin is a
bridge per network with static addresses, which reaches as far as the node; ``kubernetes_cni_config`` names one that
reaches the tenant's network, for instance a VLAN's.
"""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.attached import Attached, Wanted, numbered
from drivers.ganesha.kubernetes.attachments.reported import by_multus
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, Object
from drivers.kubernetes.pods import parsed
from generated.errors import ShareBackendException

NETWORKS = "k8s.v1.cni.cncf.io/networks"
TENANT_MTU = 1442
"""Of a geneve network over an underlay of 1500 bytes, when the port says nothing."""


def tenant(network_id: str) -> str:
    """What is named after a tenant network; without dots, which Kube-OVN could not read."""
    return f"tenant-{network_id.replace('.', '-').lower()}"


def definition(options: KubernetesOptions, network_id: str) -> str:
    """Name of a tenant network's attachment definition: each back end has its own, with its own plugin."""
    return names.of_backend(tenant(network_id), options.share_backend_name)


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
    networks = tuple(
        shared(options, definition(options, one), _config(options, address)) for one, address in sorted(first.items())
    )
    interfaces = numbered(len(server.addresses))
    seen = functools.partial(by_multus, interfaces, server.addresses)
    return Attached({NETWORKS: compact(wanted)}, interfaces, networks, misfit=seen)


def shared(options: KubernetesOptions, name: str, config: Object) -> Wanted:
    """An attachment definition, which all gateways on a tenant network share."""
    own = names.labels(options.share_backend_name, "network")
    about = names.metadata(name, options.kubernetes_namespace, own)
    return NETWORK_ATTACHMENT, {"metadata": about, "spec": {"config": compact(config)}}


def compact(value: Any) -> str:
    """JSON without blanks."""
    return json.dumps(value, separators=(",", ":"))


def _selected(options: KubernetesOptions, address: Address, number: int) -> Object:
    found: Object = {
        "name": definition(options, address.network_id),
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
    name = definition(options, address.network_id)
    return {"cniVersion": "1.0.0", "name": name, "capabilities": {"ips": True, "mac": True}, **config}
