"""Neutron's own OVN: the pod's interface is bound to the Neutron port by its id.

A CNI plugin on the node (``type: openkeel-ovn``) plugs a veth into ``br-int`` with the port's id as ``iface-id``. Who
binds the port's host does it through Neutron, always: two rows of one port without it make the binding flap.
"""

from __future__ import annotations

import json

from drivers.ganesha.kubernetes.attachments.multus import NETWORKS
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, Kind, Object
from generated.errors import ShareBackendException

PLUGIN = "openkeel-ovn"
TENANT_MTU = 1442
"""Of a geneve network over an underlay of 1500 bytes, when the port says nothing."""


def attach(server: Server, namespace: str) -> tuple[dict[str, str], tuple[tuple[Kind, Object], ...]]:
    """One interface for each port; the plugin is told the port's id and MTU."""
    wanted = [_selected(address, namespace, number) for number, address in enumerate(server.addresses, 1)]
    return {NETWORKS: json.dumps(wanted, separators=(",", ":"))}, ((NETWORK_ATTACHMENT, _definition(namespace)),)


def _selected(address: Address, namespace: str, number: int) -> Object:
    if not address.port_id or not address.mac:
        raise ShareBackendException(msg=f"the address {address.ip} has no Neutron port to bind")
    found: Object = {
        "name": PLUGIN,
        "namespace": namespace,
        "interface": f"net{number}",
        "ips": [f"{address.ip}/{address.prefix}"],
        "mac": address.mac,
        "cni-args": {"port": address.port_id, "mtu": address.mtu or TENANT_MTU},
    }
    if address.gateway:
        found["default-route"] = [address.gateway]
    return found


def _definition(namespace: str) -> Object:
    config = {"cniVersion": "1.0.0", "name": PLUGIN, "type": PLUGIN, "capabilities": {"ips": True, "mac": True}}
    text = json.dumps(config, separators=(",", ":"))
    return {"metadata": {"name": PLUGIN, "namespace": namespace}, "spec": {"config": text}}
