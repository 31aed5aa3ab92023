"""What a driver is told of the network of a new share server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from db.connection import Row
from generated.errors import NetworkBadConfigurationException

NetworkInfo = Row
SECURITY_KEYS = ("name", "ou", "domain", "server", "dns_ip", "user", "type", "password", "default_ad_site")
LIMITS = {"vlan": ("VLAN", "[1,4094]", 4094), "vxlan": ("VXLAN", "[1,16777215]", 16777215)}
LIMITS["gre"] = ("GRE", "[1, 4294967295]", 4294967295)


def network_info(
    server: Row, subnets: Sequence[Row], services: Sequence[Row], allocations: Sequence[Row]
) -> list[NetworkInfo]:
    """One entry per subnet, as ``drivers.base`` promises.

    Raises:
        NetworkBadConfigurationException: a segmentation id that its network type can't have.
    """
    admin = [one for one in allocations if one["label"] == "admin"]
    found = []
    for subnet in subnets:
        entry = {
            "server_id": server["id"],
            "segmentation_id": subnet["segmentation_id"],
            "cidr": subnet["cidr"],
            "neutron_net_id": subnet["neutron_net_id"],
            "neutron_subnet_id": subnet["neutron_subnet_id"],
            "security_services": list(services),
            "network_allocations": [one for one in allocations if one["share_network_subnet_id"] == subnet["id"]],
            "admin_network_allocations": admin,
            "subnet_metadata": subnet["metadata"],
            "backend_details": server["backend_details"],
            "network_type": subnet["network_type"],
        }
        check_segment(entry["network_type"], entry["segmentation_id"])
        found.append(entry)
    return found


def check_segment(kind: str | None, segment: int | None) -> None:
    """Raise NetworkBadConfigurationException for a segmentation id that this network type can't have."""
    if kind in (None, "flat") and segment:
        raise NetworkBadConfigurationException(
            reason=f"segmentation id {segment} can't be used with a network of type {kind}"
        )
    if kind in LIMITS and not 1 <= int(segment or 0) <= LIMITS[kind][2]:
        name, bounds, _ = LIMITS[kind]
        raise NetworkBadConfigurationException(reason=f"segmentation id {segment} of a {name} must be in {bounds}")


def security_services_of(details: Mapping[str, str]) -> list[Row]:
    """The security services that ``security_details`` kept."""
    return [json.loads(value) for key, value in details.items() if key.startswith("security_service_")]


def security_details(services: Sequence[Row]) -> dict[str, str]:
    """Security services as backend details: the server can be removed when its share network is long gone."""
    return {f"security_service_{one['type']}": json.dumps({key: one[key] for key in SECURITY_KEYS}) for one in services}
