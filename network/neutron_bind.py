"""Ports from Neutron that are bound to the back end's host, so that the fabric carries them to it.

A port may be bound to several hosts while one of them is active: that is how a share server moves to another back end
with its addresses. Requests besides those of ``network.neutron``: ``GET ports/{id}``, ``PUT ports/{id}``,
``POST ports/{id}/bindings``, ``PUT ports/{id}/bindings/{host}/activate``, ``DELETE ports/{id}/bindings/{host}``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_fixed

from generated.errors import NetworkBindException, NetworkException
from network.base import Allocated, Allocation, Row
from network.client import at
from network.neutron import GONE, NeutronPlugin

LOG = structlog.get_logger("neutron")
T = TypeVar("T")
BINDING_EXTENSION = "Port Binding"
BOUND, ACTIVE, UNBOUND = "PortBindingAlreadyExists", "PortBindingAlreadyActive", "PortBindingNotFound"
"""Neutron's types of a 409 and a 404 that say that a step is done."""
LOOKS = 20
"""How often a port or segment is looked at until it is there, a second apart: a client may wait for the answer."""


class NoSegment(NetworkException):
    """The network has no segment on the back end's physical network, or not yet."""


@dataclass(frozen=True, slots=True)
class BindOptions:
    """What ports are bound to; ``local_links`` are entries of Neutron's ``local_link_information``."""

    host: str
    vnic_type: str = "baremetal"
    local_links: tuple[Row, ...] = ()


@dataclass(slots=True)
class NeutronBindPlugin(NeutronPlugin):
    """As ``NeutronPlugin``, with bound ports; a network may have several segments, the binding chooses one."""

    bind: BindOptions = field(kw_only=True)

    async def allocate(
        self,
        server_id: str,
        project_id: str | None,
        subnet: Row | None,
        count: int,
        *,
        used: Sequence[str] = (),
        again: bool = False,
    ) -> Allocated:
        """See ``NetworkPlugin.allocate``. Unless the VNIC type is ``normal`` the ports are bound when it returns.

        Raises:
            NetworkBindException: the ports are not active after a while.
            NetworkException: a binding failed, or Neutron has no port binding.
        """
        got = await super(NeutronBindPlugin, self).allocate(
            server_id, project_id, subnet, count, used=used, again=again
        )
        if self.bind.vnic_type == "normal":
            return got
        try:
            await self._until(lambda: self._require_bound(got.allocations), NetworkBindException)
            if got.subnet["network_type"] is None and subnet is not None:
                return await self._with_segment(got, subnet)
        except (NetworkException, NetworkBindException) as error:
            error.detail_data |= {"allocations": got.allocations, "subnet": got.subnet}
            raise
        return got

    async def bound(self, allocations: Sequence[Allocation]) -> None:
        """Wait for ports that an agent of Neutron binds when the server is there (VNIC type ``normal``).

        Raises as ``allocate``.
        """
        if self.bind.vnic_type == "normal":
            await self._until(lambda: self._require_bound(allocations), NetworkBindException)

    async def extend(self, allocations: Sequence[Allocation], subnet: Row) -> int | None:
        """See ``BindingPlugin.extend``."""
        if not allocations:
            raise NetworkException("a server without ports can't be extended to another host")
        body = {"binding": {"host": self.bind.host, "vnic_type": self.bind.vnic_type}}
        for one in allocations:
            try:
                await self.client.request("POST", at("ports", one["id"], "bindings"), body=body)
            except NetworkException as error:
                # bound already: an attempt before this one
                if error.values.get("kind") != BOUND:
                    raise
        return await self._until(lambda: self._segment_of(subnet), NoSegment)

    async def retract(self, allocations: Sequence[Allocation]) -> None:
        """See ``BindingPlugin.retract``."""
        for one in allocations:
            try:
                await self._unbind(one, self.bind.host)
            except NetworkException as error:
                LOG.warning("a port stays bound to this host too", port=one["id"], error=repr(error))

    async def cut_over(self, allocations: Sequence[Allocation], source_host: str, server_id: str) -> None:
        """See ``BindingPlugin.cut_over``."""
        for one in allocations:
            try:
                await self.client.request("PUT", at("ports", one["id"], "bindings", self.bind.host, "activate"))
            except NetworkException as error:
                # active already: an attempt before this one
                if error.values.get("kind") != ACTIVE:
                    raise
            await self._unbind(one, source_host)
            await self.client.request("PUT", at("ports", one["id"]), body={"port": {"device_id": server_id}})

    async def _unbind(self, allocation: Allocation, host: str) -> None:
        await self.client.delete(at("ports", allocation["id"], "bindings", host), UNBOUND, GONE)

    async def _require_bound(self, allocations: Sequence[Allocation]) -> None:
        inactive = []
        for one in allocations:
            port = (await self.client.request("GET", at("ports", one["id"])))["port"]
            if port["status"] == "ERROR" or port.get("binding:vif_type") == "binding_failed":
                raise NetworkException(f"port {one['id']} could not be bound")
            if port["status"] != "ACTIVE":
                inactive.append(one["id"])
        if inactive:
            raise NetworkBindException(f"ports are not bound yet: {', '.join(inactive)}")

    async def _segment_of(self, subnet: Row) -> int | None:
        """The segmentation id of a subnet's network on this back end's physical network."""
        network = (await self.client.request("GET", at("networks", subnet["neutron_net_id"])))["network"]
        if "segments" not in network:
            found = network.get("provider:segmentation_id")
            return None if found is None else int(found)
        for segment in network["segments"]:
            if segment["provider:physical_network"] == self.client.options.physical_network:
                return int(segment["provider:segmentation_id"])
        raise NoSegment(f"the network has no segment on {self.client.options.physical_network}")

    async def _with_segment(self, got: Allocated, subnet: Row) -> Allocated:
        """What was allocated, with the segment that the bindings chose."""
        network = (await self.client.request("GET", at("networks", subnet["neutron_net_id"])))["network"]
        kind, segment = super(NeutronBindPlugin, self)._segment(network)
        known = {"network_type": kind, "segmentation_id": segment}
        return Allocated([{**one, **known} for one in got.allocations], {**got.subnet, **known})

    async def _until(
        self, look: Callable[[], Awaitable[T]], missing: type[NetworkException | NetworkBindException]
    ) -> T:
        """What ``look`` gives once it raises ``missing`` no more; that error after ``LOOKS`` times."""
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type(missing),
            stop=stop_after_attempt(LOOKS),
            wait=wait_fixed(5 * self.client.options.backoff),
            reraise=True,
        ):
            with attempt:
                return await look()
        raise AssertionError("unreachable")

    def _segment(self, network: Row) -> tuple[str | None, int | None]:
        """Nothing for a network with several segments: the binding will choose."""
        if "segments" in network:
            return None, None
        return super(NeutronBindPlugin, self)._segment(network)

    def _needs(self, extensions: Sequence[str]) -> None:
        super(NeutronBindPlugin, self)._needs(extensions)
        if BINDING_EXTENSION not in extensions:
            raise NetworkException(f"ports can't be bound to {self.bind.host}: the network service has no port binding")

    def _port(self, server_id: str, project_id: str | None, subnet: Row, name: str, enabled: bool) -> Row:
        port = super(NeutronBindPlugin, self)._port(server_id, project_id, subnet, name, enabled)
        port |= {"binding:host_id": self.bind.host, "binding:vnic_type": self.bind.vnic_type}
        if self.bind.local_links:
            port["binding:profile"] = {"local_link_information": list(self.bind.local_links)}
        return port
