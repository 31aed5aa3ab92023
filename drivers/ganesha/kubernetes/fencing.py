"""The ports of gateways whose node is declared out: turned off before anything is taken from there, on again after.

Whoever declares a node out may be wrong. With its port off, a gateway that still runs there takes no more writes that
would be lost with its volume. It is no fence for the volume itself, so it never stands for the declaration.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import ADDRESSES, ready
from drivers.ganesha.kubernetes.observed import READY, Observed
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import POD, STATEFUL_SET, Cluster, Object
from drivers.kubernetes.labels import label
from drivers.tenant_ports import TenantPorts
from generated.errors import NetworkException

log = logging.getLogger(__name__)
FENCED: Final = f"{names.PREFIX}/fenced"
"""Annotation of a StatefulSet: the node because of which its gateway's ports are off."""
SETTLE: Final = 1.0
"""Seconds that switches are given to follow; the network service does not say when they have."""


class Fence:
    """Turns ports off and on; ``ports`` of None: the attachment has none that can be."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, ports: TenantPorts | None) -> None:
        self._cluster = cluster
        self._ports = ports if options.kubernetes_fence_ports else None

    async def close(self, seen: Observed, pods: Iterable[Object]) -> set[str]:
        """Turn the ports of the gateways among these pods off; the servers for which that failed."""
        failed, fresh = set[str](), False
        for pod in pods:
            server, node = label(pod, names.SERVER), str(pod["spec"].get("nodeName"))
            owner = seen.find(STATEFUL_SET, names.gateway(server))
            if self._ports is None or label(pod, names.ROLE) != "gateway" or owner is None or _fenced(owner) == node:
                continue
            try:
                for port in _ports_of(owner):
                    await self._ports.fence(port)
            except (NetworkException, OSError) as error:
                log.error("gateway of share server %s is not moved, its port cannot be turned off: %s", server, error)
                failed.add(server)
                continue
            await self._note(owner, node)
            fresh = True
        if fresh:
            await asyncio.sleep(SETTLE)
        return failed

    async def open(self, seen: Observed) -> None:
        """Turn the ports on of gateways that are ready on a node that is well."""
        for owner in seen.of(STATEFUL_SET, "gateway") if self._ports is not None else ():
            pod = seen.objects[POD.name].get(f"{owner['metadata']['name']}-0")
            if not _fenced(owner) or pod is None or not ready(pod):
                continue
            if seen.node_state(pod["spec"].get("nodeName")) != READY:
                continue
            try:
                for port in _ports_of(owner):
                    await self._lift(port)
            except (NetworkException, OSError) as error:
                log.error("a port of %s cannot be turned on again: %s", owner["metadata"]["name"], error)
                continue
            await self._note(owner, None)

    async def _lift(self, port: str) -> None:
        if self._ports is not None:
            await self._ports.lift(port)

    async def _note(self, owner: Object, node: str | None) -> None:
        change = {"metadata": {"annotations": {FENCED: node}}}
        await self._cluster.merge(STATEFUL_SET, owner["metadata"]["name"], owner["metadata"]["namespace"], change)


def _fenced(owner: Object) -> str:
    return str((owner["metadata"].get("annotations") or {}).get(FENCED, ""))


def _ports_of(owner: Object) -> list[str]:
    text = (owner["metadata"].get("annotations") or {}).get(ADDRESSES, '{"addresses": []}')
    return [one["port_id"] for one in json.loads(text)["addresses"] if one.get("port_id")]
