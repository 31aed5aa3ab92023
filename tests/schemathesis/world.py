"""Resources for generated requests to meet: one of each kind, made with ordinary requests."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import requests

NETWORK = "00000000-0000-4000-8000-00000000000a"
SUBNET = "00000000-0000-4000-9000-00000000000a"
PROJECT = "b0000000000000000000000000000000"
KINDS = {
    "shares": "share",
    "snapshots": "snapshot",
    "snapshot-instances": "snapshot_instance",
    "types": "type",
    "share-networks": "network",
    "subnets": "subnet",
    "security-services": "security_service",
    "share_instances": "instance",
    "export_locations": "location",
    "export-locations": "location",
    "share-access-rules": "rule",
    "quota-sets": "project",
    "os-quota-sets": "project",
    "quota-class-sets": "class",
    "os-quota-class-sets": "class",
    "metadata": "key",
    "extra_specs": "spec",
    "share-group-types": "group_type",
    "share-groups": "group",
    "share-group-snapshots": "group_snapshot",
    "group-specs": "group_spec",
    "share-replicas": "replica",
}
"""Segment of a path before a parameter -> kind of resource that the parameter names."""


class World:
    """Ids by kind. Requests may destroy what is here; ``mend`` makes it again."""

    def __init__(self, url: str, control: str) -> None:
        self.url, self.control = url, control
        self.ids: dict[str, str] = {"project": PROJECT, "class": "default", "key": "color", "spec": "snapshot_support"}
        self.ids |= {"group_spec": "consistent_snapshot_support"}
        self.groups = ""

    def call(self, method: str, path: str, body: Any = None, token: str = "member-a-token") -> Any:
        headers = {"X-Auth-Token": token, "X-OpenStack-Manila-API-Version": "2.80"}
        response = requests.request(method, f"{self.url}/v2{path}", json=body, headers=headers, timeout=30)
        return response.json() if response.ok and response.content else None

    def _ready(self, path: str, kind: str) -> bool:
        for _ in range(200):
            found = self.call("GET", path)
            status = found[kind]["status"] if found else None
            if status in ("available", None) or status.startswith("error"):
                return status == "available"
            time.sleep(0.05)
        return False

    def reset(self) -> None:
        """An empty service with one share type."""
        requests.post(f"{self.control}/reset", json={}, timeout=60)
        requests.post(f"{self.control}/config", json={"option": "shares", "value": 1000, "group": "quota"}, timeout=60)
        specs = {
            "driver_handles_share_servers": False,
            "snapshot_support": True,
            "create_share_from_snapshot_support": True,
        }
        body = {"share_type": {"name": "default", "extra_specs": specs}}
        made = self.call("POST", "/types", body, "admin-token")
        self.ids["type"] = made["share_type"]["id"]
        body = {"share_type": {"name": "replicated", "extra_specs": {**specs, "replication_type": "readable"}}}
        self.call("POST", "/types", body, "admin-token")
        given = {"share_group_type": {"name": "groups", "share_types": [self.ids["type"]]}}
        self.groups = self.call("POST", "/share-group-types", given, "admin-token")["share_group_type"]["id"]

    def settle(self) -> None:
        """Wait for the work that earlier requests queued."""
        requests.post(f"{self.control}/settle", json={}, timeout=60)

    def mend(self) -> None:
        """Make whatever is missing."""
        if self.call("GET", f"/types/{self.ids.get('type')}", token="admin-token") is None:
            self.reset()
        if not self.ids.get("share") or not self._ready(f"/shares/{self.ids['share']}", "share"):
            self._share()
        if not self.ids.get("snapshot") or not self._ready(f"/snapshots/{self.ids['snapshot']}", "snapshot"):
            self._snapshot()
        if not self.ids.get("replica") or not self._ready(f"/share-replicas/{self.ids['replica']}", "share_replica"):
            self._replica()
        self._group()
        if self.call("GET", f"/share-access-rules/{self.ids.get('rule')}") is None:
            body = {
                "allow_access": {
                    "access_type": "ip",
                    "access_to": f"10.1.{time.time_ns() % 250}.{time.time_ns() % 249}",
                }
            }
            made = self.call("POST", f"/shares/{self.ids['share']}/action", body)
            self.ids["rule"] = made["access"]["id"] if made else ""
        if self.call("GET", f"/share-networks/{self.ids.get('network')}") is None:
            body = {"share_network": {"neutron_net_id": NETWORK, "neutron_subnet_id": SUBNET, "name": "n"}}
            made = self.call("POST", "/share-networks", body)
            if made:
                self.ids["network"] = made["share_network"]["id"]
                self.ids["subnet"] = made["share_network"]["share_network_subnets"][0]["id"]
        if self.call("GET", f"/share-group-types/{self.ids.get('group_type')}", token="admin-token") is None:
            wanted: Any = {"name": "default_group", "share_types": [self.ids["type"]], "is_public": False}
            made = self.call("POST", "/share-group-types", {"share_group_type": wanted}, "admin-token")
            self.ids["group_type"] = made["share_group_type"]["id"] if made else ""
        if self.call("GET", f"/security-services/{self.ids.get('security_service')}") is None:
            made = self.call("POST", "/security-services", {"security_service": {"type": "ldap", "name": "s"}})
            self.ids["security_service"] = made["security_service"]["id"] if made else ""

    def _share(self) -> None:
        share = {"share_proto": "NFS", "size": 1, "share_type": self.ids["type"], "metadata": {"color": "red"}}
        made = self.call("POST", "/shares", {"share": share})
        if made is None:  # a generated request has set a quota, or disabled a service
            self.reset()
            made = self.call("POST", "/shares", {"share": {**share, "share_type": self.ids["type"]}})
        assert made is not None, "no share can be made"
        ident = self.ids["share"] = made["share"]["id"]
        self._ready(f"/shares/{ident}", "share")
        places = self.call("GET", f"/shares/{ident}/export_locations")
        self.ids["location"] = places["export_locations"][0]["id"]
        instances = self.call("GET", f"/shares/{ident}/instances", token="admin-token")
        self.ids["instance"] = instances["share_instances"][0]["id"]

    def _snapshot(self) -> None:
        made = self.call("POST", "/snapshots", {"snapshot": {"share_id": self.ids["share"]}})
        assert made is not None, "no snapshot can be made"
        ident = self.ids["snapshot"] = made["snapshot"]["id"]
        self._ready(f"/snapshots/{ident}", "snapshot")
        instances = self.call("GET", f"/snapshot-instances?snapshot_id={ident}", token="admin-token")
        self.ids["snapshot_instance"] = instances["snapshot_instances"][0]["id"]

    def _replica(self) -> None:
        """A replica of a share of its own; without one when a request has taken the share type away."""
        self.ids["replica"] = ""
        share = self.call("POST", "/shares", {"share": {"share_proto": "NFS", "size": 1, "share_type": "replicated"}})
        if share is None or not self._ready(f"/shares/{share['share']['id']}", "share"):
            return
        made = self.call("POST", "/share-replicas", {"share_replica": {"share_id": share["share"]["id"]}})
        ident = made["share_replica"]["id"] if made else ""
        if ident and self._ready(f"/share-replicas/{ident}", "share_replica"):
            places = self.call("GET", f"/share-replicas/{ident}/export-locations")
            self.ids |= {"replica": ident, "replica_location": places["export_locations"][0]["id"]}

    def _group(self) -> None:
        """A group without shares, and a snapshot of it; without them when a request has taken their types away."""
        if not self.ids.get("group") or not self._ready(f"/share-groups/{self.ids['group']}", "share_group"):
            given = {"share_types": [self.ids["type"]], "share_group_type_id": self.groups}
            made = self.call("POST", "/share-groups", {"share_group": given})
            self.ids["group"] = made["share_group"]["id"] if made else ""
            if not made or not self._ready(f"/share-groups/{self.ids['group']}", "share_group"):
                return
        path = f"/share-group-snapshots/{self.ids.get('group_snapshot')}"
        if not self.ids.get("group_snapshot") or not self._ready(path, "share_group_snapshot"):
            given = {"share_group_id": self.ids["group"]}
            made = self.call("POST", "/share-group-snapshots", {"share_group_snapshot": given})
            self.ids["group_snapshot"] = made["share_group_snapshot"]["id"] if made else ""

    def places(self, path: str) -> Iterator[dict[str, str]]:
        """Values for a path's parameters: real ones, then the generated ones (none given), in turn."""
        known = self.known(path)
        return itertools.cycle([known, known, {}])

    def known(self, path: str) -> dict[str, str]:
        """Real values for a path's parameters."""
        parts = path.partition("#")[0].strip("/").split("/")
        known: dict[str, str] = {}
        for segment, parameter in itertools.pairwise(parts):
            kind = KINDS.get(segment)
            if kind == "location" and parts[0] == "share-replicas":
                kind = "replica_location"
            if parameter.startswith("{") and kind and self.ids.get(kind):
                known[parameter.strip("{}")] = self.ids[kind]
        return known
