"""Views of ``security_services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def security_service_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "dns_ip": row["dns_ip"],
        "server": row["server"],
        "domain": row["domain"],
        "user": row["user"],
        "password": row["password"],
        "project_id": row["project_id"],
    }


def security_service_44(row: Row, see: See) -> dict[str, Json]:
    """From 2.44 on: with ou."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "dns_ip": row["dns_ip"],
        "server": row["server"],
        "domain": row["domain"],
        "user": row["user"],
        "password": row["password"],
        "project_id": row["project_id"],
        "ou": row["ou"],
    }


def security_service_76(row: Row, see: See) -> dict[str, Json]:
    """From 2.76 on: with default_ad_site."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "dns_ip": row["dns_ip"],
        "server": row["server"],
        "domain": row["domain"],
        "user": row["user"],
        "password": row["password"],
        "project_id": row["project_id"],
        "ou": row["ou"],
        "default_ad_site": row["default_ad_site"],
    }


SECURITY_SERVICE = by_version(
    (0, security_service_0),
    (44, security_service_44),
    (76, security_service_76),
)


def security_service_list_item_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "dns_ip": row["dns_ip"],
        "server": row["server"],
        "domain": row["domain"],
        "user": row["user"],
        "password": row["password"],
        "project_id": row["project_id"],
        "share_networks": row["share_networks"],
    }


def security_service_list_item_44(row: Row, see: See) -> dict[str, Json]:
    """From 2.44 on: with ou."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "dns_ip": row["dns_ip"],
        "server": row["server"],
        "domain": row["domain"],
        "user": row["user"],
        "password": row["password"],
        "project_id": row["project_id"],
        "ou": row["ou"],
        "share_networks": row["share_networks"],
    }


def security_service_list_item_76(row: Row, see: See) -> dict[str, Json]:
    """From 2.76 on: with default_ad_site."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "description": row["description"],
        "dns_ip": row["dns_ip"],
        "server": row["server"],
        "domain": row["domain"],
        "user": row["user"],
        "password": row["password"],
        "project_id": row["project_id"],
        "ou": row["ou"],
        "default_ad_site": row["default_ad_site"],
        "share_networks": row["share_networks"],
    }


SECURITY_SERVICE_LIST_ITEM = by_version(
    (0, security_service_list_item_0),
    (44, security_service_list_item_44),
    (76, security_service_list_item_76),
)


def security_service_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "type": row["type"],
        "status": row["status"],
    }


SECURITY_SERVICE_SUMMARY = by_version(
    (0, security_service_summary_0),
)
