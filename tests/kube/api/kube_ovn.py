"""Kube-OVN on an API server that has none: its resources with the fields that are used, and its controller's word."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import json
from collections.abc import AsyncIterator

from drivers.ganesha.kubernetes.definition import DEFINITION
from drivers.kubernetes.api import SECURITY_GROUP, Cluster, Kind, Object
from tests.lab.cluster import Cluster as Lab
from tests.lab.processes import wait

SUBNET = Kind("kubeovn.io/v1", "subnets", "Subnet", namespaced=False)
IP = Kind("kubeovn.io/v1", "ips", "IP", namespaced=False)
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
RULE: Object = {
    "type": "object",
    "properties": {
        "ipVersion": {"type": "string", "enum": ["ipv4", "ipv6"]},
        "protocol": {"type": "string", "enum": ["all", "icmp", "tcp", "udp"]},
        "priority": {"type": "integer", "minimum": 1, "maximum": 16384},
        "remoteType": {"type": "string", "enum": ["address", "securityGroup"]},
        "remoteAddress": TEXT,
        "portRangeMin": {"type": "integer"},
        "portRangeMax": {"type": "integer"},
        "policy": {"type": "string", "enum": ["allow", "drop", "pass"]},
    },
}
FIELDS: dict[Kind, Object] = {
    SUBNET: {
        "vpc": TEXT,
        "cidrBlock": TEXT,
        "gateway": TEXT,
        "excludeIps": TEXTS,
        "provider": TEXT,
        "protocol": {"type": "string", "enum": ["IPv4", "IPv6", "Dual"]},
        "disableGatewayCheck": {"type": "boolean"},
        "namespaces": TEXTS,
    },
    SECURITY_GROUP: {
        "ingressRules": {"type": "array", "items": RULE},
        "egressRules": {"type": "array", "items": RULE},
        "allowSameGroupTraffic": {"type": "boolean"},
    },
    IP: dict.fromkeys(("podName", "namespace", "subnet", "nodeName", "v4IpAddress", "macAddress", "podType"), TEXT),
}
"""Kube-OVN's resources: all of a cluster, none of a namespace."""
STATUS: Object = {
    "type": "object",
    "properties": {
        "portGroup": TEXT,
        "ingressMd5": TEXT,
        "ingressLastSyncSuccess": {"type": "boolean"},
    },
}
"""Of a SecurityGroup, as far as it is read."""


async def define(cluster: Cluster, lab: Lab) -> None:
    """Make the resources, as the administrator."""
    for kind in FIELDS:
        await cluster.apply(DEFINITION, _definition(kind))
        wait(f"{kind.plural} are served", functools.partial(lab.api.get, kind.path(None)))


def _definition(kind: Kind) -> Object:
    group, _, version = kind.version.partition("/")
    spec = {"type": "object", "properties": FIELDS[kind]}
    schema = {"type": "object", "properties": {"spec": spec, "status": STATUS}}
    served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    served["subresources"] = {"status": {}}
    own = {"plural": kind.plural, "singular": kind.name.lower(), "kind": kind.name}
    return {
        "metadata": {"name": f"{kind.plural}.{group}"},
        "spec": {"group": group, "scope": "Cluster", "names": own, "versions": [served]},
    }


@contextlib.asynccontextmanager
async def controller(cluster: Cluster, name: str) -> AsyncIterator[None]:
    """What Kube-OVN's controller writes into a group's status, a moment after each change."""

    async def run() -> None:
        while True:
            found = await cluster.get(SECURITY_GROUP, name)
            if found is not None:
                digest = hashlib.sha256(json.dumps(found["spec"]["ingressRules"]).encode()).hexdigest()
                status = {"portGroup": name, "ingressMd5": digest, "ingressLastSyncSuccess": True}
                if found.get("status") != status:
                    await cluster.merge(SECURITY_GROUP, name, None, {"status": status}, "status")
            await asyncio.sleep(0.2)

    job = asyncio.create_task(run())
    try:
        yield
    finally:
        job.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await job
