"""The agent of a node, the only privileged part: binds volumes into gateways, and carries orders and answers.

It follows the ShareExports of the gateways on its node. Everything it does is level-triggered: what it finds done, by
itself or by one before it, it leaves as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from drivers.ganesha.gateway.command import CommandFailed, run
from drivers.ganesha.gateway.files import folder, mounted
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.orders import Answer, Order, Orders
from drivers.ganesha.kubernetes.shares import export_of
from drivers.ganesha.kubernetes.volumes import running
from drivers.kubernetes.api import CLAIM, POD, SHARE_EXPORT, Cluster, Object
from generated.runtime import ManilaError

LOG = structlog.get_logger("node")
PAUSE: Final = 0.2
"""Seconds between looks."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of the node, as the agent sees them: the kubelet's pods, and the gateways'."""

    pods: Path
    gateways: Path


class NodeAgent:
    """Follows what is wanted of the gateways on one node."""

    def __init__(self, cluster: Cluster, namespace: str, node: str, places: Places) -> None:
        self._cluster, self._namespace, self._node, self._places = cluster, namespace, node, places
        self._said: dict[str, Object] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Follow until ``stop`` is set. Without the API the gateways go on with the orders they have."""
        while not stop.is_set():
            try:
                await self.look()
            except (ManilaError, ConnectionError) as error:
                LOG.warning("the API cannot be asked", error=str(error))
            try:
                await asyncio.wait_for(stop.wait(), PAUSE)
            except TimeoutError:
                continue

    async def look(self) -> None:
        """One look at everything of this node."""
        pods = await self._cluster.every(POD, self._namespace, {names.MANAGED: "openkeel-manila"})
        mine = [one for one in pods if one["spec"].get("nodeName") == self._node]
        servers = {_label(one, names.SERVER) for one in mine if _label(one, names.ROLE) == "gateway"}
        holders = {_label(one, names.SHARE): one for one in mine if _label(one, names.ROLE) == "holder"}
        exports = [
            one
            for one in await self._cluster.every(SHARE_EXPORT, self._namespace)
            if one["spec"]["server"] in servers and "deletionTimestamp" not in one["metadata"]
        ]
        for one in exports:
            try:
                await self._follow(one, holders.get(export_of(one).name))
            except (ManilaError, OSError) as error:
                await self._say(one, {"node": self._node, "message": str(error) or repr(error)})
        await self._sweep({(one["spec"]["server"], export_of(one).name) for one in exports})

    async def _follow(self, wanted: Object, holder: Object | None) -> None:
        spec, export = wanted["spec"], export_of(wanted)
        place = self._places.gateways / spec["server"]
        orders, at = Orders(place / "control"), place / "shares" / export.name
        orders.make()
        folder(place / "shares")
        if spec["mounted"] and not mounted(at):
            await self._bind(spec["claim"], holder, at)
        root = spec.get("root")
        order = Order(
            name=export.name,
            generation=int(wanted["metadata"]["generation"]),
            exported=bool(spec["exported"]),
            squash=export.squash,
            clients=export.clients,
            read_only=export.read_only,
            root=(root["uid"], root["gid"], root["mode"]) if root else None,
        )
        orders.give(order)
        answer = orders.answer(export.name)
        if answer is None or answer.generation != order.generation:
            return
        if not spec["mounted"] and not answer.exported:
            await self._unbind(at)
            answer = Answer(answer.generation, mounted=False, exported=False, prepared=answer.prepared)
        await self._say(wanted, self._status(answer))

    def _status(self, answer: Answer) -> Object:
        return {
            "observedGeneration": answer.generation,
            "node": self._node,
            "mounted": answer.mounted,
            "prepared": answer.prepared,
            "exported": answer.exported,
            "sizeBytes": answer.size,
            "usedBytes": answer.used,
            "message": answer.message,
        }

    async def _bind(self, claim: str, holder: Object | None, at: Path) -> None:
        """Bind the volume that a holder has mounted into the gateway's folder; later, if there is none yet."""
        if holder is None or not running(holder):
            return
        found = await self._cluster.get(CLAIM, claim, self._namespace)
        volume = ((found or {}).get("spec") or {}).get("volumeName")
        if not volume:
            return
        source = self._places.pods / holder["metadata"]["uid"] / "volumes" / "kubernetes.io~csi" / volume / "mount"
        if not mounted(source):
            return
        folder(at, 0o000)
        await run("mount", "--bind", str(source), str(at))
        LOG.info("volume bound", share=at.name, volume=volume)

    async def _unbind(self, at: Path) -> None:
        if mounted(at):
            await run("umount", str(at))
        _remove(at)

    async def _sweep(self, wanted: set[tuple[str, str]]) -> None:
        """Take away orders and binds that no ShareExport of this node stands for any more."""
        for place in self._places.gateways.iterdir() if self._places.gateways.exists() else ():
            orders = Orders(place / "control")
            for name in orders.names() if orders.desired.exists() else ():
                if (place.name, name) not in wanted:
                    orders.withdraw(name)
            shares = place / "shares"
            for at in shares.iterdir() if shares.exists() else ():
                if (place.name, at.name) not in wanted and orders.answer(at.name) is None:
                    try:
                        await self._unbind(at)
                    except (CommandFailed, OSError) as error:
                        LOG.warning("a volume does not go", share=at.name, error=str(error))

    async def _say(self, about: Object, status: Object) -> None:
        """Write the status, if it is news."""
        name = about["metadata"]["name"]
        present = {key: value for key, value in (about.get("status") or {}).items() if key in status}
        if present != status and self._said.get(name) != status:
            await self._cluster.merge(SHARE_EXPORT, name, self._namespace, {"status": status}, "status")
        self._said[name] = status


def _remove(at: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        at.rmdir()


def _label(found: Object, name: str) -> str:
    return str(found["metadata"].get("labels", {}).get(name, ""))
