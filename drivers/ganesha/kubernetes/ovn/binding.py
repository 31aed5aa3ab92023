"""Binds the ports of gateways to the hosts on which they run, also after they moved.

Two switches may claim one port: that of a node which is taken for dead and lives, and that of the gateway's new one.
OVN gives it to the host that Neutron names, so nobody but the control plane decides which of two gateways is reached.
Which host that is, the node's agent says; it is believed about its own node only, for a binding leads a tenant's
packets there. The agent plugs a port when the pod says that the worker has bound it there.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final

import structlog

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.multus import compact
from drivers.ganesha.kubernetes.ovn.plug import INSTALLED, PLUGGED, WAITING, bound_of, wanted_of
from drivers.kubernetes.api import NODE, POD, Cluster, Kind, Object
from drivers.kubernetes.labels import label
from drivers.tenant_ports import TenantPorts
from generated.errors import NetworkException
from generated.runtime import ManilaError

LOG = structlog.get_logger("binding")
AGAIN: Final = 30.0
"""Seconds after which a binding that was seen to be right is verified again: other workers bind ports, too."""
SOON, PAUSE = 0.1, 1.0
"""Seconds between looks at a gateway that is starting, and at all of them."""


Every = Callable[[Kind, Mapping[str, str]], Awaitable[list[Object]]]
"""The objects of a kind with these labels, wherever a back end has any."""


class Binding:
    """Follows the gateways of one back end.

    Args:
        namespace: where those are that are followed by name.
        every: finds all of them; None: they are there, too.
    """

    def __init__(
        self, cluster: Cluster, namespace: str, backend: str, ports: TenantPorts, every: Every | None = None
    ) -> None:
        self._every = every
        self._cluster, self._namespace, self._backend, self._ports = cluster, namespace, backend, ports
        self._bound: dict[str, tuple[str, float]] = {}
        self._hosts: dict[str, str] = {}
        self._read = float("-inf")
        self._task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Bind what is not bound to where it is."""
        own = {names.ROLE: "gateway", names.BACKEND: self._backend}
        pods = await (self._every(POD, own) if self._every else self._cluster.every(POD, self._namespace, own))
        here = {one.port for pod in pods for one in wanted_of(pod)}
        self._bound = {port: one for port, one in self._bound.items() if port in here}
        for pod in pods:
            try:
                await self.follow(pod)
            except ManilaError as error:
                LOG.error("a port is not bound", pod=pod["metadata"]["name"], error=str(error))

    async def follow(self, pod: Object) -> None:
        """Bind the ports of one gateway to the host where it is, or waits to be plugged, and note that on the pod.

        Raises:
            NetworkException: Neutron refuses, or the host is not that of the pod's node.
        """
        host, node = host_of(pod), str(pod["spec"].get("nodeName") or "")
        if host is None:
            return
        if not same(host, await self._host(node)):
            where = f"{pod['metadata']['name']} is on node {node}, and said to be plugged on host {host}"
            raise NetworkException(f"{where}; if they are one, the node's label {names.HOST} should say so")
        wanted = {one.port: host for one in wanted_of(pod)}
        for port in wanted:
            bound, when = self._bound.get(port, ("", 0.0))
            if bound != host or time.monotonic() - when > AGAIN:
                await self._ports.bind(port, host)
                self._bound[port] = (host, time.monotonic())
        if bound_of(pod) != wanted:
            note = {"metadata": {"annotations": {names.BOUND: compact(wanted)}}}
            where = pod["metadata"].get("namespace", self._namespace)
            await self._cluster.merge(POD, pod["metadata"]["name"], where, note)

    async def _host(self, node: str) -> str:
        """Name of a node in OVN, as far as the control plane knows: by its label, else its own name."""
        if time.monotonic() - self._read > AGAIN:
            nodes = await self._cluster.every(NODE)
            self._hosts = {one["metadata"]["name"]: label(one, names.HOST) for one in nodes}
            self._read = time.monotonic()
        return self._hosts.get(node) or node

    def begin(self) -> None:
        """Look again and again from now on, as long as the worker lives."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except (ManilaError, ConnectionError) as error:
                LOG.warning("gateways can't be looked at", error=str(error))
            await asyncio.sleep(PAUSE)

    @contextlib.asynccontextmanager
    async def following(self, pod: str) -> AsyncIterator[None]:
        """Meanwhile the ports of the pod of that name are bound as soon as it is plugged.

        Raises:
            NetworkException: Neutron refuses; at the end.
        """
        task = asyncio.create_task(self._watch(pod))
        try:
            yield
        finally:
            if not task.done():
                task.cancel()
            await asyncio.wait([task])  # not the task itself: that would hide that we are cancelled ourselves
            if not task.cancelled():
                task.result()

    async def _watch(self, name: str) -> None:
        while True:
            with contextlib.suppress(ConnectionError):
                pod = await self._cluster.get(POD, name, self._namespace)
                if pod is not None:
                    await self.follow(pod)
            await asyncio.sleep(SOON)


def same(host: str, known: str) -> bool:
    """Whether a host is the known one; either may have its domain behind it."""
    return bool(known) and (host == known or host.startswith(f"{known}.") or known.startswith(f"{host}."))


def host_of(pod: Object) -> str | None:
    """The host on which a gateway is said to be, in OVN's words; None: nowhere yet, or it is going."""
    if "deletionTimestamp" in pod["metadata"] or not wanted_of(pod):
        return None
    for one in pod.get("status", {}).get("conditions", []):
        if one["type"] == names.ATTACHED and one.get("reason") in (WAITING, PLUGGED, INSTALLED):
            return str(one["message"])
    return None
