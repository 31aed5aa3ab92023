"""The agent beside a Ganesha in its pod: follows the orders on the node, answers them, and filters packets.

It needs no pod network and no API: orders are files, Ganesha's bus is a file, the packet filter is the pod's own. A
share whose volume is not mounted is never exported. What it answers is what Ganesha has confirmed. Without orders for
its own pod it changes nothing: Ganesha then serves what it served before, from the gateway's state.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterable, Set
from dataclasses import replace
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway import files, firewall, identities, places, pulse, statistics
from drivers.ganesha.gateway.beneath import Refused
from drivers.ganesha.gateway.control import Control, Unreachable
from drivers.ganesha.gateway.dbus import Refusal
from drivers.ganesha.gateway.exports import FolderExports
from drivers.ganesha.gateway.log import Log
from drivers.ganesha.gateway.notices import Notices, first_of
from drivers.ganesha.gateway.orders import Answer, Order, Orders
from drivers.ganesha.gateway.pod import Gateway
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from generated.runtime import ManilaError

LOG: Final = Log("gateway")
PAUSE: Final = 1.0
"""Seconds between looks when nothing is told."""
VERIFY: Final = 5.0
"""Seconds between two checks whether Ganesha, mounts and orders agree."""
VOUCH: Final = 0.5
"""Seconds between two words that the packet filter is loaded."""
REFRESH: Final = 30.0
"""Seconds after which sizes are told again, and the packet filter is loaded again."""
COUNT: Final = 15.0
"""Seconds between two looks at what clients do."""
GATHER: Final = 0.1
"""Seconds between looks for volumes before Ganesha starts; nobody tells of a mount."""
TIMEOUT: Final = 5.0
_NEWS: Final = 16 << 20
"""Bytes by which the use of a share must have changed to be told."""


class GatewayAgent:
    """Follows the orders of one gateway."""

    def __init__(self, gateway: Gateway) -> None:
        self._own = gateway
        self._orders = Orders(gateway.control, gateway.answers)
        self._bus = gateway.run / "bus"
        self._exports = FolderExports(lambda _: gateway.state, self._admit, TIMEOUT, self._bus)
        self._admitted: Set[str] | None = None
        self._followed: dict[str, Order] = {}
        self._stamps: dict[str, tuple[int, int]] = {}
        self._numbered: Set[str] | None = None
        self._verified = self._refreshed = self._counted = float("-inf")

    async def _admit(self, server_id: str, clients: Iterable[Client]) -> None:
        """Load the filter if it admits others than before."""
        wanted = {client.network: client for client in clients}
        if wanted.keys() != self._admitted:
            self._admitted = None
            await firewall.load((), firewall.render(wanted.values(), self._own.interfaces), TIMEOUT)
            self._admitted = wanted.keys()

    async def run(self, stop: asyncio.Event) -> None:
        """Follow until ``stop`` is set. Nobody is let in before the filter is there, as it was last."""
        (self._own.run / places.CLOSED).unlink(missing_ok=True)
        self._own.make()
        self._identify(())
        await self._exports.refilter(self._own.server)
        vouching = asyncio.create_task(self._vouch())
        changed = asyncio.Event()
        notices = Notices(changed)
        try:
            await self._gather(stop)
            while not stop.is_set():
                for folder in (self._orders.folder, self._orders.desired, self._own.state / "exports.held"):
                    with contextlib.suppress(OSError):  # the node agent has not made it yet
                        notices.watch(folder)
                changed.clear()
                await self.look(stop)
                await first_of(PAUSE, stop, changed)
        finally:
            (self._own.run / places.READY).unlink(missing_ok=True)
            vouching.cancel()
            notices.close()

    async def _gather(self, stop: asyncio.Event) -> None:
        """Wait for the volumes of what was served last, but not for ever: one that does not come stops no other.

        A Ganesha without them would answer their clients that there is no such file, where a server that is not there
        yet makes them wait; and who claims locks again must find the files.
        """
        mark, begin = self._own.run / places.BOUND, time.monotonic()
        if not mark.exists() and (missing := self._missing()):
            LOG.warning("Ganesha waits for volumes", shares=sorted(missing), at_most=self._own.volumes)
        while not mark.exists() and not stop.is_set():
            (self._own.run / places.ALIVE).touch()
            missing, waited = self._missing(), time.monotonic() - begin
            if missing and waited < self._own.volumes:
                await first_of(GATHER, stop)
                continue
            LOG.info("Ganesha may start", missing=sorted(missing), waited=round(waited, 1))
            mark.touch()

    def _missing(self) -> set[str]:
        """Shares that were served last and should be now, whose volume is not mounted."""
        served = {one.stem for one in (self._own.state / "exports.d").glob("*.conf")}
        pod, wanted = self._orders.roster()
        if pod == self._own.pod:
            served &= wanted
        return {one for one in served if not files.mounted(self._own.shares / one)}

    async def _vouch(self) -> None:
        """Say again and again that the filter is loaded, as long as it is known to be."""
        while True:
            if self._admitted is not None:
                (self._own.run / places.CLOSED).touch()
            await asyncio.sleep(VOUCH)

    async def _refilter(self) -> None:
        self._admitted = None
        try:
            await self._exports.refilter(self._own.server)
        except (ManilaError, OSError) as error:
            # what was loaded before is still there; every order is answered with this until it can be loaded
            LOG.error("the packet filter can't be loaded", error=str(error))

    async def look(self, stop: asyncio.Event) -> None:
        """Follow every order that is new, and now and then verify all. One that fails stops no other."""
        (self._own.run / places.ALIVE).touch()
        shown = await self._serving()
        mark = self._own.run / places.READY
        if shown is None:
            mark.unlink(missing_ok=True)
            self._verified = float("-inf")
            return
        mark.touch()
        pod, wanted = self._orders.roster()
        if pod != self._own.pod:
            return
        now = time.monotonic()
        fresh = now - self._refreshed > REFRESH
        if fresh:
            self._refreshed = now
            await self._refilter()
        doubted: set[str] = set()
        if fresh or now - self._verified > VERIFY:
            doubted, self._verified = self._doubted(shown), now
        self._identify(wanted)
        for name in sorted(wanted):
            if stop.is_set():
                return
            (self._own.run / places.ALIVE).touch()
            try:
                await self._consider(name, anew=fresh or name in doubted)
            except Unreachable as error:
                # Ganesha has gone meanwhile: nothing can be confirmed, and each further attempt would take its time
                LOG.warning("Ganesha does not answer", share=name, error=str(error))
                return
        for name in (*await self._exports.names(self._own.server), *self._orders.answers()):
            if name not in wanted:
                await self._drop(name)
        if now - self._counted > COUNT:
            self._counted = now
            await self._count()

    def _identify(self, more: Iterable[str]) -> None:
        """Ganesha must know who a volume is before it exports it."""
        with contextlib.suppress(OSError):  # each order is answered with what is wrong with the state
            self._numbered = {Path(one).stem for one in files.listed(self._own.state / "numbers")}
        if self._numbered is not None:
            identities.write(self._own.run / places.IDENTITIES, self._numbered | set(more), self._own.devices)

    async def _consider(self, name: str, *, anew: bool) -> None:
        """Follow an order that is new; read it only if its file is another one than before."""
        (self._own.run / places.ALIVE).touch()
        stamp = self._orders.stamp(name)
        if stamp is None or (not anew and self._stamps.get(name) == stamp):
            return
        order = self._orders.order(name)
        if order is None or order.pod != self._own.pod:
            return
        if await self._follow(order):
            self._stamps[name] = stamp
        else:
            self._stamps.pop(name, None)

    async def _serving(self) -> set[int] | None:
        """Numbers of the exports; None when Ganesha does not answer on its bus and at its addresses."""
        try:
            shown = await Control(self._bus, 1.0).shown()
        except ManilaError:
            return None
        for address in self._own.addresses:
            if not await pulse.answers(address, 1.0):
                return None
        return shown

    async def _count(self) -> None:
        """Leave for the node agent what clients do. It is shown to nobody else, and nothing depends on it."""
        exports = {number: name for name, number in self._exports.numbers(self._own.server).items()}
        try:
            self._orders.count(statistics.told(await statistics.collect(self._bus, exports, TIMEOUT)))
        except (Refusal, EOFError, OSError) as error:
            LOG.warning("what clients do can't be told", error=str(error) or repr(error))

    def _doubted(self, shown: set[int]) -> set[str]:
        """Shares that are not as they were left: taken off Ganesha, held back at its start, or their mount gone."""
        numbers = self._exports.numbers(self._own.server)
        return {
            name
            for name, order in self._followed.items()
            if order.exported and (numbers.get(name) not in shown or not files.mounted(self._own.shares / name))
        }

    async def _follow(self, order: Order) -> bool:
        """Do what an order says and answer it; whether all of it could be done."""
        at = self._own.shares / order.name
        mounted = files.mounted(at)
        prepared, exported, message = order.prepared, False, ""
        try:
            if mounted:
                prepared = self._prepare(order, at) or prepared
            if order.exported and order.bound and mounted:
                await self._exports.publish(
                    self._own.server, Export(order.name, str(at), order.squash, order.clients, order.read_only)
                )
                exported = True
            else:
                await self._exports.suspend(self._own.server, order.name)
                message = "the volume is not mounted" if order.exported else ""
            self._followed[order.name] = order
        except Unreachable:
            self._followed.pop(order.name, None)
            raise
        except (ManilaError, OSError) as error:
            self._followed.pop(order.name, None)
            message = str(error) or repr(error)
            exported = not order.exported
            LOG.error("an order is not followed", share=order.name, error=message)
        size, used = 0, 0
        try:
            size, used = _sizes(at) if mounted else (0, 0)
        except OSError as error:
            message = message or str(error)
        told = Answer(order.generation, mounted, exported, self._own.pod, prepared, size, used, message)
        self._reply(order.name, told)
        return not message

    def _reply(self, name: str, told: Answer) -> None:
        """Answer, unless nothing is news but a little more or less of what is used."""
        before = None
        with contextlib.suppress(Refused):
            before = self._orders.answer(name)
        if before is not None and abs(before.used - told.used) < max(_NEWS, told.size // 1000):
            told = replace(told, used=before.used)
        self._orders.reply(name, told)

    def _prepare(self, order: Order, at: Path) -> bool:
        """Give the root folder its looks, once: then it is the tenant's. The gateway's state says that it has them."""
        mark = self._own.state / "prepared" / order.name
        if order.root is None:
            return os.path.exists(mark)
        if order.prepared:
            # known elsewhere, too: what can't be written here must not keep clients from being shut out
            with contextlib.suppress(OSError):
                if files.read(mark) is None:
                    files.write(mark, "")
        elif files.read(mark) is None:
            uid, gid, mode = order.root
            os.chown(at, uid, gid)
            at.chmod(mode)
            files.write(mark, "")
        return True

    async def _drop(self, name: str) -> None:
        """A share that is there no more: its export goes, then what was said about it."""
        try:
            await self._exports.withdraw(self._own.server, name)
            files.remove(self._own.state / "prepared" / name)
        except (ManilaError, OSError) as error:
            LOG.error("an export does not go", share=name, error=str(error))
            return
        self._followed.pop(name, None)
        self._stamps.pop(name, None)
        self._orders.forget(name)


def _sizes(at: Path) -> tuple[int, int]:
    stat = os.statvfs(at)
    return stat.f_blocks * stat.f_frsize, (stat.f_blocks - stat.f_bfree) * stat.f_frsize
