"""Queries of every list that name a thing, made of the contract: a filter by each id, and a marker for each page."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

SPEC = pathlib.Path(__file__).resolve().parent.parent.parent / "spec" / "routes_stable-2026.2.json"
FILTERS: dict[str, tuple[str, ...]] = {
    "export_location_id": ("location", "replica_location"),
    "group_type_id": ("group_type",),
    "project_id": ("project",),
    "resource_id": ("share", "served_share", "transferred_share"),
    "security_service_id": ("security_service",),
    "share_group_id": ("group",),
    "share_group_snapshot_id": ("group_snapshot",),
    "share_group_type_id": ("group_type",),
    "share_id": ("share", "replicated_share"),
    "share_network_id": ("network", "free_network"),
    "share_network_subnet_id": ("subnet",),
    "share_server_id": ("server",),
    "share_type": ("type",),
    "share_type_id": ("type",),
    "share_types": ("type",),
    "snapshot_id": ("snapshot",),
    "source_backup_id": ("backup",),
    "source_share_group_snapshot_id": ("group_snapshot",),
    "source_share_server_id": ("server",),
    "user_id": ("user",),
    "volume_type_id": ("type",),
}
"""Parameter of a query -> the kinds of things of ``tests/contract/rows.py`` whose ids it takes."""
OF_NOBODY = frozenset({"action_id", "detail_id", "request_id", "neutron_net_id", "neutron_subnet_id", "nova_net_id"})
OF_NOBODY |= {"segmentation_id", "tenant_id"}
"""Names like those of ids that name nothing a tenant has here; ``tenant_id`` of quotas is ignored beside the path's."""
LISTED: dict[str, tuple[str, ...]] = {
    "messages": ("message",),
    "resource-locks": ("lock",),
    "security-services": ("security_service", "lone_security_service"),
    "share-access-rules": ("rule",),
    "share-backups": ("backup",),
    "share-group-snapshots": ("group_snapshot",),
    "share-group-types": ("group_type",),
    "share-groups": ("group", "empty_group"),
    "share-networks": ("network", "lone_network"),
    "share-replicas": ("replica", "active_replica"),
    "share-servers": ("server",),
    "share-transfers": ("transfer",),
    "share_instances": ("instance",),
    "shares": ("share", "plain_share"),
    "snapshot-instances": ("snapshot_instance",),
    "snapshots": ("snapshot",),
    "types": ("type",),
    "export_locations": ("location",),
    "export-locations": ("snapshot_location",),
    "subnets": ("subnet",),
    "members": ("snapshot",),
    "access-list": ("snapshot_rule",),
}
"""Last segment of a list's path -> the kinds of things in it: what its ``marker`` and its ``id`` take."""


def parameters() -> dict[str, list[str]]:
    """Operation -> names of the parameters of its query, as the contract has them."""
    every: list[dict[str, Any]] = json.loads(SPEC.read_text())["operations"]
    return {one["operation_id"]: [query["name"] for query in one["query_params"]] for one in every}


DECLARED = parameters()


def listed(path: str) -> tuple[str, ...]:
    """Kinds of the things that a list at ``path`` holds; none for a path that is no list."""
    segments = [one for one in path.strip("/").split("/") if one != "detail"]
    return LISTED.get(segments[-1], ())


def queries(operation: str, path: str) -> Iterator[str]:
    """The queries of one list."""
    names = DECLARED[operation]
    wide = [name for name in ("all_tenants", "all_projects") if name in names]
    for name in names:
        for kind in listed(path) if name == "id" else FILTERS.get(name, ()):
            yield f"{name}=${{{kind}}}"
            yield from (f"{name}=${{{kind}}}&{one}=1" for one in wide)
    needed = "share_id=${own.share}&" if operation == "share_access_rules.list" else ""  # asked without, it is refused
    for kind in listed(path):
        yield f"{needed}marker=${{{kind}}}"
        yield f"{needed}limit=1&marker=${{{kind}}}"
        yield from (f"marker=${{{kind}}}&limit=1&{one}=1" for one in wide)


def _properties(schema: Any, schemas: dict[str, Any]) -> Iterator[str]:
    """Names of all properties of a schema, those of its parts too."""
    if isinstance(schema, list):
        for one in schema:
            yield from _properties(one, schemas)
    elif isinstance(schema, dict):
        if "$ref" in schema:
            yield from _properties(schemas[schema["$ref"].rpartition("/")[2]], schemas)
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from _properties(inner, schemas)
        for key in ("anyOf", "allOf", "oneOf", "items"):
            yield from _properties(schema.get(key, []), schemas)


def properties_of_bodies() -> dict[str, set[str]]:
    """Operation -> names of all properties of its bodies in any version."""
    schemas = json.loads(SPEC.with_name("openapi_stable-2026.2.json").read_text())["components"]["schemas"]
    return {
        one["operation_id"]: {
            name
            for variant in one["variants"]
            for body in variant["request_body"]
            for name in _properties(schemas[body["schema"]], schemas)
        }
        for one in json.loads(SPEC.read_text())["operations"]
    }


def ids_in_bodies() -> dict[str, set[str]]:
    """Operation -> properties of its bodies that are named like an id of a tenant's thing."""
    found: dict[str, set[str]] = {}
    for operation, properties in properties_of_bodies().items():
        names = {name for name in properties if name.endswith("_id") or name in ("same_host", "different_host")}
        if names - OF_NOBODY:
            found[operation] = names - OF_NOBODY
    return found
