"""Multus with a bridge per tenant network and static addresses.

The annotation's JSON form only; namespace, interface, addresses with their mask (the CNI plugin ``static`` needs it)
and the port's MAC are all said.
"""

from __future__ import annotations

import hashlib
import json

from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import NETWORK_ATTACHMENT, Kind, Object

NETWORKS = "k8s.v1.cni.cncf.io/networks"


def definition(network_id: str) -> str:
    """Name of the attachment definition of a tenant network; without dots, which Kube-OVN could not read."""
    return f"tenant-{network_id.replace('.', '-').lower()}"


def bridge(network_id: str) -> str:
    """Name of a tenant network's bridge on every node: at most 15 characters."""
    return "mn" + hashlib.sha256(network_id.encode()).hexdigest()[:10]


def attach(server: Server, namespace: str) -> tuple[dict[str, str], tuple[tuple[Kind, Object], ...]]:
    """One interface ``net1``, ``net2``, ... for each address."""
    wanted = [_selected(address, namespace, number) for number, address in enumerate(server.addresses, 1)]
    networks = dict.fromkeys(address.network_id for address in server.addresses)
    before = tuple((NETWORK_ATTACHMENT, _definition(one, namespace)) for one in networks)
    return {NETWORKS: json.dumps(wanted, separators=(",", ":"))}, before


def _selected(address: Address, namespace: str, number: int) -> Object:
    found: Object = {
        "name": definition(address.network_id),
        "namespace": namespace,
        "interface": f"net{number}",
        "ips": [f"{address.ip}/{address.prefix}"],
    }
    if address.mac:
        found["mac"] = address.mac
    if address.gateway:
        found["default-route"] = [address.gateway]
    return found


def _definition(network_id: str, namespace: str) -> Object:
    config = {
        "cniVersion": "1.0.0",
        "name": definition(network_id),
        "type": "bridge",
        "bridge": bridge(network_id),
        "capabilities": {"ips": True, "mac": True},
        "ipam": {"type": "static"},
    }
    own = {"name": definition(network_id), "namespace": namespace}
    return {"metadata": own, "spec": {"config": json.dumps(config, separators=(",", ":"))}}
