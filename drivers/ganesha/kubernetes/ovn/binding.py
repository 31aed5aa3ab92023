"""Binds the ports of gateways to the hosts on which they run, also after they moved.

Two switches may claim one port: that of a node which is taken for dead and lives, and that of the gateway's new one.
OVN gives it to the host that Neutron names, so nobody but the control plane decides which of two gateways is reached.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Final

import structlog

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.ovn.plug import INSTALLED, PLUGGED, wanted_of
from drivers.kubernetes.api import POD, Cluster, Object
from drivers.tenant_ports import TenantPorts
from generated.runtime import ManilaError

LOG = structlog.get_logger("binding")
AGAIN: Final = 30.0
"""Seconds after which a binding that was seen to be right is verified again: other workers bind ports, too."""
SOON, PAUSE = 0.1, 1.0
"""Seconds between looks at a gateway that is starting, and at all of them."""


class Binding:
    """Follows the gateways of one back end."""

    def __init__(self, cluster: Cluster, namespace: str, backend: str, ports: TenantPorts) -> None:
        self._cluster, self._namespace, self._backend, self._ports = cluster, namespace, backend, ports
        self._bound: dict[str, tuple[str, float]] = {}
        self._task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Bind what is not bound to where it is."""
        own = {names.ROLE: "gateway", names.BACKEND: self._backend}
        pods = await self._cluster.every(POD, self._namespace, own)
        here = {one.port for pod in pods for one in wanted_of(pod)}
        self._bound = {port: one for port, one in self._bound.items() if port in here}
        for pod in pods:
            try:
                await self.follow(pod)
            except ManilaError as error:
                LOG.error("a port is not bound", pod=pod["metadata"]["name"], error=str(error))

    async def follow(self, pod: Object) -> None:
        """Bind the ports of one gateway to the host where it is plugged.

        Raises:
            NetworkException: Neutron refuses.
        """
        host = host_of(pod)
        if host is None:
            return
        for one in wanted_of(pod):
            bound, when = self._bound.get(one.port, ("", 0.0))
            if bound != host or time.monotonic() - when > AGAIN:
                await self._ports.bind(one.port, host)
                self._bound[one.port] = (host, time.monotonic())

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
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _watch(self, name: str) -> None:
        while True:
            with contextlib.suppress(ConnectionError):
                pod = await self._cluster.get(POD, name, self._namespace)
                if pod is not None:
                    await self.follow(pod)
            await asyncio.sleep(SOON)


def host_of(pod: Object) -> str | None:
    """The host on which a gateway is plugged, in OVN's words; None: nowhere yet, or it is going."""
    if "deletionTimestamp" in pod["metadata"] or not wanted_of(pod):
        return None
    for one in pod.get("status", {}).get("conditions", []):
        if one["type"] == names.ATTACHED and one.get("reason") in (PLUGGED, INSTALLED):
            return str(one["message"])
    return None
