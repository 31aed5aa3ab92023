"""Where the dummy driver says that shares and snapshots are mounted from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from drivers.base import ExportLocation
from generated.runtime import Row

SERVICE_ADDRESS = "11.0.0.11"
ADDRESSES = ({"primary_public_ip": "10.0.0.10", "secondary_public_ip": "10.0.0.20"},)
"""Addresses of a back end without share servers."""


def share_name(share: Row) -> str:
    """Last part of a share's path: its mount point name, else made of both ids."""
    name = share.get("mount_point_name")
    if name is not None:
        return str(name)
    return f"share_{share['share_id']}_{share['id']}".replace("-", "_")


def snapshot_name(snapshot: Row) -> str:
    """Last part of a snapshot's path."""
    return f"snapshot_{snapshot['snapshot_id']}_{snapshot['id']}".replace("-", "_")


def locations(path: str, share_server: Row | None) -> list[ExportLocation]:
    """Export locations of a path: one for administrators, then two a subnet, the first of them preferred."""
    service, subnets = SERVICE_ADDRESS, list(ADDRESSES)
    if share_server:
        details: Mapping[str, Any] = share_server["backend_details"]
        service = details["service_ip"]
        subnets = json.loads(details["subnet_allocations"]) if "subnet_allocations" in details else [dict(details)]
    found = [_location(service, path, admin=True, preferred=False)]
    for subnet in subnets:
        found.append(_location(subnet["primary_public_ip"], path, admin=False, preferred=True))
        found.append(_location(subnet["secondary_public_ip"], path, admin=False, preferred=False))
    return found


def _location(address: str, path: str, *, admin: bool, preferred: bool) -> ExportLocation:
    return {"path": f"{address}:{path}", "is_admin_only": admin, "preferred": preferred}
