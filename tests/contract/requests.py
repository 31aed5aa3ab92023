"""Every operation of the contract as requests: path, query and body, each id of a thing a placeholder."""

from __future__ import annotations

import itertools
import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from generated.routes import ROUTES
from generated.runtime import Route
from tests.contract import filters

HERE = pathlib.Path(__file__).resolve().parent
BODIES: dict[str, list[Any]] = yaml.safe_load((HERE / "requests.yaml").read_text())
QUERIES: dict[str, list[str]] = yaml.safe_load((HERE / "queries.yaml").read_text())
PLACEHOLDER = re.compile(r"\$\{(own\.)?(\w+)\}")
KINDS = {
    "shares": "share",
    "share_instances": "instance",
    "os-share-unmanage": "share",
    "snapshots": "snapshot",
    "snapshot-instances": "snapshot_instance",
    "share-networks": "network",
    "subnets": "subnet",
    "security-services": "security_service",
    "share-servers": "server",
    "share-replicas": "replica",
    "share-groups": "group",
    "share-group-snapshots": "group_snapshot",
    "share-group-types": "group_type",
    "types": "type",
    "share-access-rules": "rule",
    "messages": "message",
    "resource-locks": "lock",
    "share-backups": "backup",
    "share-transfers": "transfer",
    "quota-sets": "project",
    "os-quota-sets": "project",
    "export_locations": "location",
}
"""Segment of a path -> the kind of thing whose id follows."""
FIXED = {
    "metadata": "color",
    "extra_specs": "snapshot_support",
    "group-specs": "color",
    "specs": "color",
    "quota-class-sets": "default",
    "os-quota-class-sets": "default",
    "services": "enable",
    "os-services": "enable",
    "extensions": "none",
    "qos-types": "${qos_type}",
}
"""Segment of a path -> the word that follows; a QoS type belongs to nobody."""
NEEDED = {"share_access_rules.list": "?share_id=${share}"}
"""Operation -> the query without which it is refused."""
LOCATIONS = {"snapshots": "snapshot_location", "snapshot-instances": "snapshot_location"}
LOCATIONS |= {"share-replicas": "replica_location", "share_instances": "location"}
PLAIN = (
    "delete",
    "action.soft_delete",
    "action.force_delete",
    "action.os_force_delete",
    "action.shrink",
    "action.os_shrink",
)
FREE = {
    **{f"shares.{name}": {"share": "plain_share"} for name in PLAIN},
    "os_share_unmanage.unmanage": {"share": "plain_share"},
    "shares.action.unmanage": {"share": "plain_share"},
    "shares.action.migration_cancel": {"share": "moved_share"},
    "shares.action.migration_complete": {"share": "moved_share"},
    "shares.action.migration_get_progress": {"share": "moved_share"},
    "shares.migration_progress": {"share": "moved_share"},
    "share_groups.action.force_delete": {"group": "empty_group"},
    "share_networks.action.update_security_service": {"network": "lone_network"},
    "share_networks.delete": {"network": "lone_network"},
    "share_networks.action.remove_security_service": {"network": "lone_network"},
    "share_servers.delete": {"server": "idle_server"},
    "share_servers.action.unmanage": {"server": "idle_server"},
    "share_servers.action.migration_cancel": {"server": "moved_server"},
    "share_servers.action.migration_complete": {"server": "moved_server"},
    "share_servers.action.migration_get_progress": {"server": "moved_server"},
    "share_network_subnets.delete": {"network": "free_network", "subnet": "second_subnet"},
    "share_network_subnets.create": {"network": "free_network"},
    "security_services.delete": {"security_service": "free_security_service"},
    "share_networks.action.add_security_service": {"network": "free_network"},
    "share_groups.delete": {"group": "empty_group"},
}
"""Operation -> kind -> the thing of that kind that is in no use, which the operation wants."""
GLOBAL = frozenset({"qos_type"})
"""Kinds of things that belong to no tenant."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request with placeholders. ``kinds`` are the things it names, those of the path first, without ``own``."""

    route: Route
    version: int
    path: str
    body: Any

    @property
    def kinds(self) -> list[str]:
        found = PLACEHOLDER.finditer(self.path + json.dumps(self.body))
        return [match[2] for match in found if not match[1] and match[2] not in GLOBAL]

    def filled(self, own: Mapping[str, str], others: list[str]) -> tuple[str, Any]:
        """Path and body with ids; ``others`` are those of ``kinds`` in their order."""
        rest = iter(others)

        def put(match: re.Match[str]) -> str:
            return own[match[2]] if match[1] or match[2] in GLOBAL else next(rest)

        path = PLACEHOLDER.sub(put, self.path)
        return path, json.loads(PLACEHOLDER.sub(put, json.dumps(self.body)))

    def __str__(self) -> str:
        return f"{self.route.operation} @2.{self.version} {self.route.method} {self.path} {json.dumps(self.body)}"


def path_of(route: Route) -> str:
    """The route's path with placeholders for its parameters."""
    parts = route.path.strip("/").split("/")
    filled: list[str] = []
    for before, part in itertools.pairwise(["", *parts]):
        if not part.startswith("{"):
            filled.append(part)
        elif before in FIXED:
            filled.append(FIXED[before])
        else:
            kind = LOCATIONS.get(parts[0], "location") if before.replace("-", "_") == "export_locations" else ""
            kind = kind or KINDS[before]
            filled.append("${" + FREE.get(route.operation, {}).get(kind, kind) + "}")
    return "/v2/" + "/".join(filled)


def _bodies(operation: str, version: int) -> Iterator[Any]:
    for body in BODIES.get(operation, [None]):
        since = body.get("_since", 0) if isinstance(body, dict) else 0
        if version >= since:
            yield {key: value for key, value in body.items() if key != "_since"} if since else body


def operations(*, all_versions: bool = True) -> Iterator[Request]:
    """Requests of every operation with behaviour; of each variant the first and the last version, or the last only."""
    last = {route.operation: route.until for route in ROUTES}
    for route in ROUTES:
        if route.operation == "versions.list":
            continue
        if not all_versions and route.until != last[route.operation]:
            continue
        for version in sorted({route.since, route.until} if all_versions else {route.until}):
            for body in _bodies(route.operation, version):
                yield Request(route, version, path_of(route) + NEEDED.get(route.operation, ""), body)
            if all_versions and route.method == "GET":
                found = [*QUERIES.get(route.operation, []), *filters.queries(route.operation, route.path)]
                for query in dict.fromkeys(found):
                    yield Request(route, version, f"{path_of(route)}?{query}", None)


def headers(route: Route) -> dict[str, str]:
    """What an experimental variant needs."""
    return {"X-OpenStack-Manila-API-Experimental": "true"} if route.experimental else {}
