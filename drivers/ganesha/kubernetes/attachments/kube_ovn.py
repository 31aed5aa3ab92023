"""Kube-OVN: an additional interface in a Subnet that serves the tenant's network.

The Subnet must be there, named ``tenant-<network id>``, with the provider ``tenant-<network id>.<namespace>.ovn`` and
the addresses of the shares among its ``excludeIps``; the operator, or who maps networks, makes it.
"""

from __future__ import annotations

import json

from drivers.ganesha.kubernetes.attachments.multus import NETWORKS, definition
from drivers.ganesha.ports import Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, Kind, Object

SOCKET = "/run/openvswitch/kube-ovn-daemon.sock"


def provider(network_id: str, namespace: str) -> str:
    """What ties an interface to its Subnet: exactly three parts between dots."""
    return f"{definition(network_id)}.{namespace}.ovn"


def attach(server: Server, namespace: str) -> tuple[dict[str, str], tuple[tuple[Kind, Object], ...]]:
    """Plain addresses, without a mask: Kube-OVN could not read one. Port security is on from the start."""
    annotations: dict[str, str] = {}
    wanted: list[Object] = []
    for number, address in enumerate(server.addresses, 1):
        own = f"{provider(address.network_id, namespace)}.kubernetes.io"
        annotations |= {
            f"{own}/logical_switch": definition(address.network_id),
            f"{own}/ip_address": address.ip,
            f"{own}/port_security": "true",
        }
        if address.mac:
            annotations[f"{own}/mac_address"] = address.mac
        name = definition(address.network_id)
        wanted.append({"name": name, "namespace": namespace, "interface": f"net{number}"})
    annotations[NETWORKS] = json.dumps(wanted, separators=(",", ":"))
    networks = dict.fromkeys(address.network_id for address in server.addresses)
    return annotations, tuple((NETWORK_ATTACHMENT, _definition(one, namespace)) for one in networks)


def _definition(network_id: str, namespace: str) -> Object:
    config = {
        "cniVersion": "0.3.1",
        "type": "kube-ovn",
        "server_socket": SOCKET,
        "provider": provider(network_id, namespace),
    }
    own = {"name": definition(network_id), "namespace": namespace}
    return {"metadata": own, "spec": {"config": json.dumps(config, separators=(",", ":"))}}
