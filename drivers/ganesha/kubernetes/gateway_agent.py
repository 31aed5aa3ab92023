"""The agent beside a Ganesha in its pod: follows the orders on the node, answers them, and filters packets.

It needs no pod network and no API: orders are files, Ganesha's bus is a file, the packet filter is the pod's own. A
share whose volume is not mounted is never exported.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import structlog

from drivers.ganesha.gateway import files, firewall
from drivers.ganesha.gateway.control import Control
from drivers.ganesha.gateway.exports import FolderExports
from drivers.ganesha.kubernetes.manifests import CONTROL, SHARES, STATE
from drivers.ganesha.kubernetes.orders import Answer, Order, Orders
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from generated.runtime import ManilaError

LOG = structlog.get_logger("gateway")
PAUSE: Final = 0.1
"""Seconds between looks at the orders."""
CHECK_EVERY: Final = 50
"""Looks until an order that is followed already is verified again."""
TIMEOUT: Final = 10.0


class GatewayAgent:
    """Follows the orders of one gateway.

    Args:
        server_id: of the share server.
        control: folder of the orders; ``shares``: of the volumes; ``state``: of Ganesha.
    """

    def __init__(self, server_id: str, control: Path, shares: Path, state: Path) -> None:
        self._server, self._shares = server_id, shares
        self._orders = Orders(control)
        self._exports = FolderExports(lambda _: state, self._admit, TIMEOUT)
        self._followed: dict[str, Order] = {}

    async def _admit(self, server_id: str, clients: Iterable[Client]) -> None:
        await firewall.admit((), clients, TIMEOUT)

    async def run(self, stop: asyncio.Event) -> None:
        """Follow until ``stop`` is set. The filter is closed before anything is exported."""
        self._orders.make()
        await firewall.admit((), [], TIMEOUT)
        look = 0
        while not stop.is_set():
            await self.look(thorough=look % CHECK_EVERY == 0)
            look += 1
            try:
                await asyncio.wait_for(stop.wait(), PAUSE)
            except TimeoutError:
                continue

    async def look(self, *, thorough: bool) -> None:
        """Follow every order that is new; with ``thorough`` all of them. One that fails stops no other."""
        wanted = self._orders.names()
        for name in wanted:
            order = self._orders.order(name)
            if order is not None and (thorough or self._followed.get(name) != order):
                await self._follow(order)
        for name in set(await self._exports.names(self._server)) - set(wanted):
            await self._drop(name)

    async def _follow(self, order: Order) -> None:
        at = self._shares / order.name
        mounted = files.mounted(at)
        prepared, exported, message = False, False, ""
        try:
            if order.exported and not mounted:
                await self._exports.suspend(self._server, order.name)
                message = "the volume is not mounted"
            elif order.exported:
                prepared = self._prepare(order, at)
                export = Export(order.name, str(at), order.squash, order.clients, order.read_only)
                await self._exports.publish(self._server, export)
                exported = True
            else:
                prepared = mounted and self._prepare(order, at)
                await self._exports.suspend(self._server, order.name)
            self._followed[order.name] = order
        except (ManilaError, OSError) as error:
            message = str(error) or repr(error)
            LOG.error("an order is not followed", share=order.name, error=message)
        size, used = _sizes(at) if mounted else (0, 0)
        answer = Answer(order.generation, mounted, exported, prepared, size, used, message)
        self._orders.reply(order.name, answer)

    def _prepare(self, order: Order, at: Path) -> bool:
        """Give the root folder its looks, once: then it is the tenant's. The share's record says that it has them."""
        if order.root is None:
            return False
        before = self._orders.answer(order.name)
        if before is None or not before.prepared:
            uid, gid, mode = order.root
            os.chown(at, uid, gid)
            at.chmod(mode)
        return True

    async def _drop(self, name: str) -> None:
        try:
            await self._exports.withdraw(self._server, name)
        except ManilaError as error:
            LOG.error("an export does not go", share=name, error=str(error))
        else:
            self._followed.pop(name, None)
            self._orders.forget(name)


def _sizes(at: Path) -> tuple[int, int]:
    stat = os.statvfs(at)
    return stat.f_blocks * stat.f_frsize, (stat.f_blocks - stat.f_bfree) * stat.f_frsize


async def ready() -> bool:
    """Whether Ganesha answers."""
    try:
        await Control(Path(STATE) / "bus", 2.0).shown()
    except ManilaError:
        return False
    return True


def agent(server_id: str) -> GatewayAgent:
    """The agent with the folders it has in a pod."""
    return GatewayAgent(server_id, Path(CONTROL), Path(SHARES), Path(STATE))
