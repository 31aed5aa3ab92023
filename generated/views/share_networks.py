"""Views of ``share_networks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_network_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "neutron_net_id": row["neutron_net_id"],
        "neutron_subnet_id": row["neutron_subnet_id"],
        "network_type": row["network_type"] if see.network_details else None,
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "cidr": row["cidr"],
        "ip_version": row["ip_version"],
        "description": row["description"],
        "nova_net_id": None,
    }


def share_network_18(row: Row, see: See) -> dict[str, Json]:
    """From 2.18 on: with gateway."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "neutron_net_id": row["neutron_net_id"],
        "neutron_subnet_id": row["neutron_subnet_id"],
        "network_type": row["network_type"] if see.network_details else None,
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "cidr": row["cidr"],
        "ip_version": row["ip_version"],
        "description": row["description"],
        "gateway": row["gateway"],
        "nova_net_id": None,
    }


def share_network_20(row: Row, see: See) -> dict[str, Json]:
    """From 2.20 on: with mtu."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "neutron_net_id": row["neutron_net_id"],
        "neutron_subnet_id": row["neutron_subnet_id"],
        "network_type": row["network_type"] if see.network_details else None,
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "cidr": row["cidr"],
        "ip_version": row["ip_version"],
        "description": row["description"],
        "gateway": row["gateway"],
        "mtu": row["mtu"],
        "nova_net_id": None,
    }


def share_network_26(row: Row, see: See) -> dict[str, Json]:
    """From 2.26 on: without nova_net_id."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "neutron_net_id": row["neutron_net_id"],
        "neutron_subnet_id": row["neutron_subnet_id"],
        "network_type": row["network_type"] if see.network_details else None,
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "cidr": row["cidr"],
        "ip_version": row["ip_version"],
        "description": row["description"],
        "gateway": row["gateway"],
        "mtu": row["mtu"],
    }


def share_network_51(row: Row, see: See) -> dict[str, Json]:
    """From 2.51 on: with share_network_subnets, without neutron_net_id, without neutron_subnet_id, without
    network_type, without segmentation_id, without cidr, without ip_version, without gateway, without mtu.
    """
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "share_network_subnets": [SHARE_NETWORK_NESTED_SUBNET[51](one, see) for one in row["share_network_subnets"]],
    }


def share_network_63(row: Row, see: See) -> dict[str, Json]:
    """From 2.63 on: with status, with security_service_update_support."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "share_network_subnets": [SHARE_NETWORK_NESTED_SUBNET[63](one, see) for one in row["share_network_subnets"]],
        "status": row["status"],
        "security_service_update_support": row["security_service_update_support"],
    }


def share_network_70(row: Row, see: See) -> dict[str, Json]:
    """From 2.70 on: with network_allocation_update_support."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "share_network_subnets": [SHARE_NETWORK_NESTED_SUBNET[70](one, see) for one in row["share_network_subnets"]],
        "status": row["status"],
        "security_service_update_support": row["security_service_update_support"],
        "network_allocation_update_support": row["network_allocation_update_support"],
    }


def share_network_78(row: Row, see: See) -> dict[str, Json]:
    """From 2.78 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "project_id": row["project_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "status": row["status"],
        "security_service_update_support": row["security_service_update_support"],
        "network_allocation_update_support": row["network_allocation_update_support"],
        "share_network_subnets": [SHARE_NETWORK_NESTED_SUBNET[78](one, see) for one in row["share_network_subnets"]],
    }


SHARE_NETWORK = by_version(
    (0, share_network_0),
    (18, share_network_18),
    (20, share_network_20),
    (26, share_network_26),
    (51, share_network_51),
    (63, share_network_63),
    (70, share_network_70),
    (78, share_network_78),
)


def share_network_nested_subnet_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "neutron_net_id": row["neutron_net_id"],
        "neutron_subnet_id": row["neutron_subnet_id"],
        "ip_version": row["ip_version"],
        "cidr": row["cidr"],
        "network_type": row["network_type"] if see.network_details else None,
        "mtu": row["mtu"],
        "gateway": row["gateway"],
    }


def share_network_nested_subnet_78(row: Row, see: See) -> dict[str, Json]:
    """From 2.78 on: with metadata."""
    return {
        "id": row["id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "neutron_net_id": row["neutron_net_id"],
        "neutron_subnet_id": row["neutron_subnet_id"],
        "ip_version": row["ip_version"],
        "cidr": row["cidr"],
        "network_type": row["network_type"] if see.network_details else None,
        "mtu": row["mtu"],
        "gateway": row["gateway"],
        "metadata": row["metadata"],
    }


SHARE_NETWORK_NESTED_SUBNET = by_version(
    (0, share_network_nested_subnet_0),
    (78, share_network_nested_subnet_78),
)


def share_network_subnet_51(row: Row, see: See) -> dict[str, Json]:
    """From 2.51 on."""
    return {
        "id": row["id"],
        "availability_zone": row["availability_zone"],
        "share_network_id": row["share_network_id"],
        "share_network_name": row["share_network_name"],
        "created_at": row["created_at"],
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "neutron_subnet_id": row["neutron_subnet_id"],
        "updated_at": row["updated_at"],
        "neutron_net_id": row["neutron_net_id"],
        "ip_version": row["ip_version"],
        "cidr": row["cidr"],
        "network_type": row["network_type"] if see.network_details else None,
        "mtu": row["mtu"],
        "gateway": row["gateway"],
    }


def share_network_subnet_78(row: Row, see: See) -> dict[str, Json]:
    """From 2.78 on: with metadata."""
    return {
        "id": row["id"],
        "availability_zone": row["availability_zone"],
        "share_network_id": row["share_network_id"],
        "share_network_name": row["share_network_name"],
        "created_at": row["created_at"],
        "segmentation_id": row["segmentation_id"] if see.network_details else None,
        "neutron_subnet_id": row["neutron_subnet_id"],
        "updated_at": row["updated_at"],
        "neutron_net_id": row["neutron_net_id"],
        "ip_version": row["ip_version"],
        "cidr": row["cidr"],
        "network_type": row["network_type"] if see.network_details else None,
        "mtu": row["mtu"],
        "gateway": row["gateway"],
        "metadata": row["metadata"],
    }


SHARE_NETWORK_SUBNET = by_version(
    (51, share_network_subnet_51),
    (78, share_network_subnet_78),
)


def share_network_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
    }


SHARE_NETWORK_SUMMARY = by_version(
    (0, share_network_summary_0),
)
