"""Neutron's own OVN: the pod's interface is bound to the Neutron port by its id.

The node agent plugs it (``drivers.ganesha.kubernetes.ovn.plug``), the worker binds the port to the node's host
(``...ovn.binding``); see ``docs/adr/0013``. Neither Multus nor a CNI plugin is needed.
"""

from __future__ import annotations

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.attached import Attached, numbered
from drivers.ganesha.kubernetes.attachments.multus import TENANT_MTU, compact
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Address, Server
from drivers.kubernetes.api import Object
from generated.errors import ShareBackendException


def attach(options: KubernetesOptions, server: Server) -> Attached:
    """One interface for each port, told to the node agent by an annotation; the pod waits until it is reached."""
    wanted = [_interface(address, number) for number, address in enumerate(server.addresses, 1)]
    interfaces = numbered(len(wanted))
    return Attached({names.PORTS: compact(wanted)}, interfaces, gates=(names.ATTACHED,))


def _interface(address: Address, number: int) -> Object:
    if not address.port_id or not address.mac:
        raise ShareBackendException(msg=f"the address {address.ip} has no Neutron port to bind")
    return {
        "port": address.port_id,
        "interface": f"net{number}",
        "ips": [f"{address.ip}/{address.prefix}"],
        "mac": address.mac,
        "mtu": address.mtu or TENANT_MTU,
        "gateway": address.gateway if number == 1 else None,
    }
