"""What Multus and Kube-OVN say of a pod's interfaces once they are there. Pure functions.

A gateway hears its own addresses over ``lo``, so that it answers says nothing of its attachment. These words do.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Sequence
from typing import Final

from drivers.ganesha.ports import Address
from drivers.kubernetes.api import Object

STATUS: Final = "k8s.v1.cni.cncf.io/network-status"
"""Annotation that Multus writes once, when all interfaces are up."""


def by_multus(interfaces: Sequence[str], addresses: Sequence[Address], pod: Object) -> str:
    """Why the pod's interfaces are not those of the ports; empty when they are."""
    text = annotation(pod, STATUS)
    if not text:
        return "Multus says nothing of its networks, so it had no part in making its interfaces"
    try:
        found = {str(one.get("interface")): one for one in json.loads(text)}
    except (ValueError, AttributeError):
        return f"its annotation {STATUS} cannot be read"
    for interface, address in zip(interfaces, addresses, strict=True):
        if interface not in found:
            return f"it has no interface {interface}"
        one = found[interface]
        if why := differs(interface, address, one.get("ips") or (), one.get("mac") or ""):
            return why
    return ""


def by_kube_ovn(provider: str, interface: str, address: Address, pod: Object) -> str:
    """The same of one interface, from the annotations of its provider."""
    own = f"{provider}.kubernetes.io"
    if annotation(pod, f"{own}/allocated") != "true":
        return f"Kube-OVN has not made the port of {interface}"
    given = [one.strip() for one in annotation(pod, f"{own}/ip_address").split(",") if one.strip()]
    return differs(interface, address, given, annotation(pod, f"{own}/mac_address"))


def differs(interface: str, address: Address, ips: Iterable[str], mac: str) -> str:
    """Why an interface is not that of a port. Not every plugin says the MAC; it is compared if said."""
    try:
        found = {ipaddress.ip_interface(one).ip for one in ips}
    except ValueError:
        return f"the addresses of {interface} cannot be read"
    if ipaddress.ip_address(address.ip) not in found:
        return f"{interface} has {', '.join(map(str, sorted(found, key=str))) or 'no address'}, not {address.ip}"
    if address.mac and mac and mac.lower() != address.mac.lower():
        return f"{interface} has the MAC {mac}, not {address.mac}"
    return ""


def annotation(pod: Object, name: str) -> str:
    """An annotation; empty when there is none."""
    return str((pod["metadata"].get("annotations") or {}).get(name, ""))
