"""Plugs the gateways of a node into its Open vSwitch, as the ports that Neutron made for them.

Part of the node agent. Level-triggered: a row of Open vSwitch is the last thing made and the first removed, so what a
killed agent left half-way is found and made anew. Rows whose pod is gone go, for a stale row claims a port that is
somewhere else by now.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from drivers.ganesha.gateway.command import run, succeeds
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.ovn import space
from drivers.ganesha.kubernetes.ovn.ovsdb import Database
from drivers.ganesha.kubernetes.ovn.switch import Plugged, Switch
from drivers.kubernetes.api import POD, Cluster, Object
from generated.errors import ShareBackendException
from generated.runtime import ManilaError

LOG = structlog.get_logger("plug")
INSTALLED, PLUGGED, WAITING, FAILED = "Installed", "Plugged", "Waiting", "Failed"
"""Reasons of the condition ``names.ATTACHED``: OVN serves the port here, to which it is bound; it is plugged here; it
will be plugged here when it is bound to this host; it can't be plugged, the message says why. The message of the others
is this host's name in OVN."""
PAUSE: Final = 0.2
"""Seconds between looks."""
DATABASE: Final = "/run/openvswitch/db.sock"
NODE_SPACE: Final = "/proc/1/ns/net"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An interface of a gateway, as ``attachments.ovn_port`` describes it in the pod's annotation."""

    port: str
    interface: str
    ips: tuple[str, ...]
    mac: str
    mtu: int
    gateway: str | None = None

    def device(self, sandbox: space.Sandbox) -> str:
        """Name of its end in the switch: another one for each sandbox, since the switch may still hold the old one."""
        return "ok" + hashlib.sha256(f"{self.port} {sandbox.identity}".encode()).hexdigest()[:12]


def wanted_of(pod: Object) -> list[Wanted]:
    """The interfaces that a pod asks for."""
    text = (pod["metadata"].get("annotations") or {}).get(names.PORTS)
    return [Wanted(**{**one, "ips": tuple(one["ips"])}) for one in json.loads(text)] if text else []


def bound_of(pod: Object) -> dict[str, str]:
    """Where the worker says that a pod's ports are bound: port id -> host."""
    text = (pod["metadata"].get("annotations") or {}).get(names.BOUND)
    return {str(port): str(host) for port, host in json.loads(text).items()} if text else {}


class Plugger:
    """The gateways of one node.

    A port is bound before it is plugged. OVN gives a port that is bound nowhere to whoever plugs it, and Neutron calls
    one active only if it was bound when OVN said that it is up.

    Args:
        node_space: file of the network namespace in which Open vSwitch works.
        find: the network namespace of a pod by its UID; see ``space.sandbox``.
    """

    def __init__(
        self,
        cluster: Cluster,
        namespace: str,
        switch: Switch,
        node_space: str = NODE_SPACE,
        find: Callable[[str], space.Sandbox | None] | None = None,
    ) -> None:
        self._cluster, self._namespace, self._switch, self._node = cluster, namespace, switch, node_space
        self._find = find or self._search
        self._known: dict[str, space.Sandbox] = {}
        self._said: dict[str, tuple[str, str]] = {}

    def _search(self, uid: str) -> space.Sandbox | None:
        paths = {self._node, NODE_SPACE, "/proc/self/ns/net"}
        return space.sandbox(uid, {space.identity(one) for one in paths})

    async def run(self, pods: Callable[[], Sequence[Object] | None]) -> None:
        """Look again and again until cancelled; ``pods``: see ``look``, None while they are not known."""
        while True:
            try:
                known = pods()
                if known is not None:
                    await self.look(known)
            except (ManilaError, OSError) as error:
                LOG.error("Open vSwitch can't be used", error=str(error))
            await asyncio.sleep(PAUSE)

    async def look(self, pods: Sequence[Object]) -> None:
        """Plug what is there to plug, and remove what belongs to no pod any more.

        Args:
            pods: all pods of this node that may be gateways.

        Raises:
            SwitchFailed: Open vSwitch does not answer.
        """
        gateways = {str(one["metadata"]["uid"]): (one, wanted_of(one)) for one in pods}
        gateways = {uid: found for uid, found in gateways.items() if found[1]}
        self._known = {uid: one for uid, one in self._known.items() if uid in gateways}
        self._said = {uid: one for uid, one in self._said.items() if uid in gateways}
        rows = {one.name: one for one in await asyncio.to_thread(self._switch.plugged)}
        present = await asyncio.to_thread(space.devices, self._node)
        keep: set[str] = set()
        for uid, (pod, ports) in gateways.items():
            sandbox = await asyncio.to_thread(self._sandbox, uid)
            if sandbox is None:  # not yet, or no longer
                continue
            keep |= {one.device(sandbox) for one in ports}
            try:
                missing = []
                for one in ports:
                    row = rows.get(one.device(sandbox))
                    if row is None or row.port_id != one.port or row.name not in present:
                        missing.append(one)
                await self._say(pod, *await self._attach(pod, sandbox, ports, missing))
            except (ManilaError, OSError) as error:
                LOG.error("a gateway is not plugged", pod=pod["metadata"]["name"], error=str(error))
                await self._say(pod, FAILED, str(error) or repr(error))
        await self._unplug([name for name in rows if name not in keep])

    def _sandbox(self, uid: str) -> space.Sandbox | None:
        known = self._known.get(uid)
        try:
            if known is not None and space.identity(known.path) == known.identity:
                return known
        except OSError:
            pass
        found = self._find(uid)
        if found is None:
            self._known.pop(uid, None)
        else:
            self._known[uid] = found
        return found

    async def _attach(
        self, pod: Object, sandbox: space.Sandbox, ports: Sequence[Wanted], missing: Sequence[Wanted]
    ) -> tuple[str, str]:
        """Plug what is missing and bound; reason and message of the condition."""
        host, known = await asyncio.to_thread(self._switch.host), bound_of(pod)
        bound = {one.port for one in ports if known.get(one.port) == host}
        for one in missing:
            await self._unplug([one.device(sandbox)])
            await self._nobody_else(one)
            if one.port in bound:
                await self._plug(str(pod["metadata"]["uid"]), sandbox, one)
        if any(one.port not in bound for one in missing):
            return WAITING, host
        # a gateway that an agent before this one has plugged is served, though its binding was not noted
        whole = len(bound) == len({one.port for one in ports}) or _said_of(pod) == (INSTALLED, host)
        return await asyncio.to_thread(self._state, [one.device(sandbox) for one in ports], whole, host)

    async def _nobody_else(self, one: Wanted) -> None:
        """Raise ShareBackendException: an interface that is not ours claims the port."""
        for other in await asyncio.to_thread(self._switch.claims, one.port):
            if other not in {known.name for known in await asyncio.to_thread(self._switch.plugged)}:
                raise ShareBackendException(msg=f"interface {other} of the switch claims port {one.port} too")

    async def _plug(self, uid: str, sandbox: space.Sandbox, one: Wanted) -> None:
        """A pair of devices, one end in the pod, the other in the switch."""
        name = one.device(sandbox)
        pair = ("link", "add", name, "mtu", str(one.mtu), "type", "veth", "peer", "name", one.interface)
        peer = ("mtu", str(one.mtu), "address", one.mac, "netns", sandbox.path)
        await run("nsenter", f"--net={self._node}", "ip", *pair, *peer)
        await run("nsenter", f"--net={sandbox.path}", "ip", "-batch", "-", stdin=await self._inner(sandbox, one))
        if await asyncio.to_thread(self._switch.sums_in_software):
            await asyncio.to_thread(space.for_userspace_datapath, sandbox.path, one.interface)
        await run("nsenter", f"--net={self._node}", "ip", "link", "set", name, "up")
        row = Plugged(name, one.port, uid, sandbox.identity, one.mac)
        await asyncio.to_thread(self._switch.add, row)
        LOG.info("a gateway is plugged", pod=uid, port=one.port, device=name)

    async def _inner(self, sandbox: space.Sandbox, one: Wanted) -> str:
        """Commands of ``ip`` inside the pod.

        The pod network's device goes down: nothing may reach the gateway through it, and a tenant may use the addresses
        of the pod network for its own.
        """
        lines = [f"link set {one.interface} up"]
        for ip in one.ips:
            # without nodad an IPv6 address could not be bound for a second
            lines.append(f"addr replace {ip} dev {one.interface}{' nodad' if ':' in ip else ''}")
        for device in await asyncio.to_thread(space.devices, sandbox.path):
            if device == "eth0":
                lines.insert(0, f"link set {device} down")
        if one.gateway:
            lines.append(f"route replace default via {one.gateway} dev {one.interface}")
        return "".join(f"{line}\n" for line in lines)

    async def _unplug(self, devices: Sequence[str]) -> None:
        """Rows first: without them the port is free for where the gateway is now."""
        if not devices:
            return
        await asyncio.to_thread(self._switch.remove, devices)
        present = await asyncio.to_thread(space.devices, self._node)
        for name in devices:
            if name in present:
                # it may go by itself meanwhile, with the pod
                await succeeds("nsenter", f"--net={self._node}", "ip", "link", "del", name)
                LOG.info("a gateway is unplugged", device=name)

    def _state(self, devices: Sequence[str], bound: bool, host: str) -> tuple[str, str]:
        """Reason and message of the condition of a gateway whose devices are all plugged."""
        rows = {one.name: one for one in self._switch.plugged()}
        for name in devices:
            if name not in rows or rows[name].error:
                return FAILED, rows[name].error if name in rows else "it was unplugged by somebody else"
        installed = all(rows[name].installed for name in devices)
        return (INSTALLED if installed and bound else PLUGGED), host

    async def _say(self, pod: Object, reason: str, message: str) -> None:
        """Set the condition, if it is news."""
        present = _said_of(pod)
        uid = str(pod["metadata"]["uid"])
        if (reason, message) != present and self._said.get(uid) != (reason, message):
            status = "True" if reason == INSTALLED else "False"
            condition = {"type": names.ATTACHED, "status": status, "reason": reason, "message": message}
            try:
                namespace = pod["metadata"].get("namespace", self._namespace)
                # the next pod of a gateway has the name of the last one, and may be on another node already
                if await self._cluster.condition(POD, pod["metadata"]["name"], namespace, condition, uid) is None:
                    return
            except ConnectionError as error:
                LOG.warning("the API can't be told of a gateway", pod=pod["metadata"]["name"], error=str(error))
                return
        self._said[uid] = (reason, message)


def _said_of(pod: Object) -> tuple[str, str] | None:
    """Reason and message of a pod's condition."""
    for one in pod.get("status", {}).get("conditions", []):
        if one["type"] == names.ATTACHED:
            return str(one.get("reason")), str(one.get("message"))
    return None


def from_environment(cluster: Cluster, namespace: str, settings: Mapping[str, Any] = os.environ) -> Plugger | None:
    """The plugger of a node that has Open vSwitch; None where there is none.

    ``OVN_DATABASE``: socket of Open vSwitch's database. ``OVN_NODE_SPACE``: file of its network namespace.
    """
    socket = str(settings.get("OVN_DATABASE", DATABASE))
    if not os.path.exists(socket):
        return None
    return Plugger(cluster, namespace, Switch(Database(socket)), str(settings.get("OVN_NODE_SPACE", NODE_SPACE)))
