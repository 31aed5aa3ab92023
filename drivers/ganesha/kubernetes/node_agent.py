"""The agent of a node, the only privileged part: binds volumes into gateways, and carries orders and answers.

What a gateway's pod can write is a stranger's: it is never followed, its size and its words are checked, and one
gateway's garbage keeps no other waiting.

It follows the ShareExports of the gateways on its node. Everything it does is level-triggered: what it finds done, by
itself or by one before it, it leaves as it is. It never removes anything but mount points that are empty folders.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import structlog

from drivers.base import Transient
from drivers.client_counts import Seen
from drivers.ganesha.gateway import statistics
from drivers.ganesha.gateway.beneath import Refused, checked
from drivers.ganesha.gateway.files import folder, mounted
from drivers.ganesha.gateway.notices import Notices, first_of
from drivers.ganesha.gateway.orders import Answer, Order, Orders
from drivers.ganesha.kubernetes import names, node_figures
from drivers.ganesha.kubernetes.binds import CONTROL, Binds, owner_of
from drivers.ganesha.kubernetes.ovn.plug import Plugger
from drivers.ganesha.kubernetes.shares import export_of
from drivers.kubernetes.api import NAMESPACE, POD, SHARE_EXPORT, Cluster, Object
from drivers.kubernetes.mirror import Mirror
from generated.runtime import ManilaError

LOG = structlog.get_logger("node")
PAUSE: Final = 2.0
"""Seconds between looks when nothing is told."""
BREATH: Final = 0.01
"""Seconds between looks however much is told: a gateway may change its answers without rest."""
AGAIN: Final = 0.3
"""Seconds until a second look when something is not done yet that nobody tells of: a mount, an unmount."""
UNUSED: Final = 60.0
"""Seconds after which the folder of a gateway that is not here goes."""
ALIVE, READY = "alive", "ready"
"""Marks for probes: its time says when the agent last did something; it knows what there is on its node."""
GARBAGE: Final = (ManilaError, OSError, ValueError, TypeError, LookupError)
"""What a gateway's folders or objects may lead to; it concerns nobody but that gateway."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of the node, as the agent sees them: the kubelet's pods, and the gateways'; ``marks``: for probes."""

    pods: Path
    gateways: Path
    marks: Path | None = None

    def answers(self, pod: str) -> Path:
        """Where a gateway's pod has its answers: a volume of its own, so that it cannot fill the node's disk."""
        return self.pods / checked(pod) / "volumes" / "kubernetes.io~empty-dir" / "answers"

    def mark(self, name: str) -> None:
        """Renew a mark."""
        if self.marks is not None:
            (self.marks / name).touch()


class NodeAgent:
    """Follows what is wanted of the gateways on one node.

    Args:
        namespace: of the back ends, and the agent's own.
        plugger: of a node with Open vSwitch.
        projects: whether there are namespaces of projects, too.
    """

    def __init__(
        self,
        cluster: Cluster,
        namespace: str,
        node: str,
        places: Places,
        plugger: Plugger | None = None,
        *,
        projects: bool = False,
    ) -> None:
        self._plugger = plugger
        self._cluster, self._namespace, self._node, self._places = cluster, namespace, node, places
        self._changed = asyncio.Event()
        own = {names.MANAGED: "openkeel-manila"}
        where = None if projects else namespace
        self._pods = Mirror(cluster, POD, where, self._changed.set, own)
        self._exports = Mirror(cluster, SHARE_EXPORT, where, self._changed.set)
        self._spaces = Mirror(cluster, NAMESPACE, None, self._changed.set, {**own, names.WITHIN: namespace})
        self._projects = projects
        self._said: dict[str, tuple[str, Object]] = {}
        self._idle: dict[str, float] = {}
        self._unfinished = self._mute = False
        self._served: dict[str, tuple[Orders, str, dict[str, str]]] = {}
        """Of each gateway here: its folders, its project, and the share of each export."""

    async def run(self, stop: asyncio.Event) -> None:
        """Follow until ``stop`` is set. Without the API the gateways go on with the orders they have."""
        # whoever has an account on the node must not get at tenants' files
        folder(self._places.gateways, 0o700)
        notices = Notices(self._changed)
        followed = (self._pods, self._exports, *((self._spaces,) if self._projects else ()))
        mirrors = [asyncio.create_task(one.run()) for one in followed]
        if self._plugger is not None:
            mirrors.append(asyncio.create_task(self._plugger.run(self._gateways_here)))
        try:
            while not stop.is_set():
                for pod in self._gateways_here() or ():
                    with contextlib.suppress(OSError, Refused):
                        notices.watch(self._places.answers(str(pod["metadata"]["uid"])))
                self._changed.clear()
                self._places.mark(ALIVE)
                await self.look()
                await asyncio.sleep(BREATH)
                await first_of(AGAIN if self._unfinished else PAUSE, stop, self._changed)
        finally:
            for one in mirrors:
                one.cancel()
            await asyncio.gather(*mirrors, return_exceptions=True)
            notices.close()

    def seen(self) -> Iterator[Seen]:
        """What clients do on the shares of this node, as their gateways say; it may be asked in another thread.

        A pod talks to strangers: what it says of others' shares is left out.
        """
        for server, (orders, project, shares) in self._served.items():
            with contextlib.suppress(*GARBAGE):
                if (text := orders.counts(statistics.LIMIT)) is not None:
                    told = statistics.parsed(text)
                    own = {name: counts for name, counts in told.shares.items() if name in shares}
                    yield Seen(server, replace(told, shares=own), project, shares)

    def _gateways_here(self) -> list[Object] | None:
        """The pods of the gateways on this node; None before they are known."""
        known = self._pods.seen and (self._spaces.seen or not self._projects)
        return [one for one in self._live("gateway") if self._here(one)] if known else None

    def _gateways(self) -> Iterator[Path]:
        """Folders of gateways that this agent has served; those of another namespace have an agent of their own."""
        if self._places.gateways.exists():
            yield from (one for one in sorted(self._places.gateways.iterdir()) if self._own(one))

    def _own(self, place: Path) -> bool:
        """Whether a folder is of a gateway that an agent of this namespace has served."""
        return not place.name.startswith(".") and owner_of(place) == self._namespace

    async def look(self) -> None:
        """One look at everything of this node; before both kinds of objects were seen nothing is known."""
        if not (self._pods.seen and self._exports.seen and (self._spaces.seen or not self._projects)):
            return
        self._places.mark(READY)
        self._unfinished = self._mute = False
        gateways = {_label(one, names.SERVER): one for one in self._live("gateway")}
        holders = {_label(one, names.SHARE): one for one in self._live("holder") if self._here(one)}
        shares: dict[str, dict[str, Object]] = {}
        for one in self._ours(self._exports):
            # a definition of an older release lets somebody make one that says nothing
            if "deletionTimestamp" not in one["metadata"] and "spec" in one:
                shares.setdefault(one["spec"]["server"], {})[export_of(one).name] = one
        for server in sorted(shares.keys() | gateways.keys()):
            with self._apart(server):
                gateway, wanted = gateways.get(server), shares.get(server, {})
                if gateway is None or not gateway["spec"].get("nodeName"):
                    await self._without_gateway(server, wanted)
                elif self._here(gateway):
                    await self._serve(server, gateway, wanted, holders)
        here = {server for server, gateway in gateways.items() if self._here(gateway)}
        self._served = {
            server: (
                Orders(
                    self._places.gateways / server / CONTROL, self._places.answers(gateways[server]["metadata"]["uid"])
                ),
                _label(gateways[server], names.PROJECT),
                {name: _label(one, names.OF_SHARE) for name, one in shares.get(server, {}).items()},
            )
            for server in here
        }
        elsewhere = {server for server, one in gateways.items() if one["spec"].get("nodeName")} - here
        for place in self._gateways():
            if place.name not in here:
                with self._apart(place.name):
                    await self._leave(place, {} if place.name in elsewhere else shares.get(place.name, {}))
        # what was said about a share that another node serves now may have been changed since
        mine = {one["metadata"]["name"] for server in here for one in shares.get(server, {}).values()}
        self._said = {name: said for name, said in self._said.items() if name in mine}
        node_figures.count(len(here), sum(len(shares.get(one, {})) for one in here))

    @contextlib.contextmanager
    def _apart(self, server: str) -> Iterator[None]:
        """What goes wrong with one gateway is tried again, and stops no other."""
        self._places.mark(ALIVE)
        try:
            yield
        except GARBAGE as error:
            self._unfinished = True
            node_figures.FAILURES.labels("gateway").inc()
            LOG.error("a gateway is not served", gateway=server, error=str(error) or repr(error))

    def _ours(self, mirror: Mirror) -> list[Object]:
        """The objects in the namespaces that this agent serves; releases of one cluster have an agent each."""
        found = mirror.every()
        if not self._projects:
            return found
        spaces = {one["metadata"]["name"] for one in self._spaces.every()}
        spaces = {self._namespace, *(one for one in spaces if one.startswith(f"{self._namespace}-"))}
        return [one for one in found if one["metadata"]["namespace"] in spaces]

    def _live(self, role: str) -> list[Object]:
        """Pods of a role that have not ended."""
        ended = ("Failed", "Succeeded")
        pods = (one for one in self._ours(self._pods) if _label(one, names.ROLE) == role)
        return [one for one in pods if one.get("status", {}).get("phase") not in ended]

    def _here(self, pod: Object) -> bool:
        return bool(pod["spec"].get("nodeName") == self._node)

    # ---- a gateway on this node

    async def _serve(
        self, server: str, gateway: Object, wanted: Mapping[str, Object], holders: Mapping[str, Object]
    ) -> None:
        """Carry orders and answers of a gateway that is here."""
        binds, pod = Binds(self._places.gateways / server), str(gateway["metadata"]["uid"])
        binds.make(self._namespace)
        orders = Orders(binds.place / CONTROL, self._places.answers(pod))
        orders.make()
        self._idle.pop(server, None)
        for name, one in wanted.items():
            try:
                await self._follow(orders, binds, pod, one, holders.get(name))
            except GARBAGE as error:
                self._unfinished = True
                node_figures.FAILURES.labels("follow").inc()
                LOG.error("a share is not served", share=name, error=str(error) or repr(error))
                await self._say(one, {"node": self._node, "message": str(error) or repr(error)})
        orders.enlist(pod, wanted.keys())
        for name in set(orders.names()) - set(wanted):
            orders.withdraw(name)
        for name in binds.names():
            if name not in wanted:
                # the gateway lets go first, and says so by forgetting it
                self._unfinished = True
                if orders.answer(name) is None:
                    await self._try_unbind(binds, name)

    async def _follow(self, orders: Orders, binds: Binds, pod: str, wanted: Object, holder: Object | None) -> None:
        spec, export = wanted["spec"], export_of(wanted)
        try:
            answer, garbage = orders.answer(export.name), None
        except Refused as error:
            answer, garbage = None, error
        source = self._source(spec["claim"], holder)
        device = binds.bound(export.name)
        bound = device is not None
        if bound and source is not None and source.stat().st_dev != device:
            # the volume is another one than before: the gateway lets go of the old, then it is changed
            bound = False
            if answer is not None and answer.pod == pod and not answer.exported:
                await binds.unbind(export.name)
        if spec["mounted"] and not bound and source is not None and binds.bound(export.name) is None:
            # before the volume is there: a Ganesha that waits for it starts at once, and asks who it is
            binds.show_device(export.name, source.stat().st_dev)
            await binds.bind(source, export.name)
            bound = True
        if bound and (device := binds.bound(export.name)) is not None:
            binds.show_device(export.name, device)
        self._unfinished |= bool(spec["mounted"]) != bound
        status = wanted.get("status") or {}
        root = spec.get("root")
        order = Order(
            name=export.name,
            generation=int(wanted["metadata"]["generation"]),
            exported=bool(spec["exported"]),
            pod=pod,
            bound=bound,
            squash=export.squash,
            clients=export.clients,
            read_only=export.read_only,
            root=(root["uid"], root["gid"], root["mode"]) if root else None,
            prepared=bool(status.get("prepared")),
        )
        orders.give(order)
        if garbage is not None:
            raise garbage
        if answer is None or answer.pod != pod or answer.generation != order.generation:
            return
        if not spec["mounted"] and not answer.exported:
            await binds.unbind(export.name)
            answer = Answer(
                answer.generation, mounted=False, exported=False, prepared=answer.prepared, message=answer.message
            )
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

    def _source(self, claim: str, holder: Object | None) -> Path | None:
        """Where the kubelet has mounted a claim for a holder; None while it has not, or for a holder of another."""
        if holder is None or "deletionTimestamp" in holder["metadata"]:
            return None
        claims = [one.get("persistentVolumeClaim", {}).get("claimName") for one in holder["spec"].get("volumes", ())]
        if claim not in claims:
            return None
        volumes = self._places.pods / holder["metadata"]["uid"] / "volumes" / "kubernetes.io~csi"
        found = [one / "mount" for one in volumes.iterdir()] if volumes.exists() else []
        return found[0] if len(found) == 1 and mounted(found[0]) else None

    async def _try_unbind(self, binds: Binds, name: str) -> bool:
        """Unbind, if nobody uses it any more; whether it is gone."""
        try:
            await binds.unbind(name)
        except (ManilaError, OSError) as error:
            self._unfinished = True
            node_figures.FAILURES.labels("unbind").inc()
            LOG.warning("a volume does not go", share=name, error=str(error))
            return False
        return True

    # ---- a gateway that is not on this node

    async def _without_gateway(self, server: str, wanted: Mapping[str, Object]) -> None:
        """A gateway whose pod is nowhere, if it has one: what is bound here stays, what should not be is unbound."""
        for name, one in wanted.items():
            status = one.get("status") or {}
            if one["spec"]["mounted"] or status.get("node") != self._node:
                continue
            if await self._try_unbind(Binds(self._places.gateways / server), name):
                done = Answer(int(one["metadata"]["generation"]), False, False, prepared=bool(status.get("prepared")))
                await self._say(one, self._status(done))

    async def _leave(self, place: Path, kept: Mapping[str, Object]) -> None:
        """Let go of what a gateway had here that is elsewhere or gone; in the end its folder goes.

        ``kept``: its shares, when it has no pod at all: it may come back here.
        """
        binds = Binds(place)
        for name in binds.names():
            if name not in kept or not kept[name]["spec"]["mounted"]:
                await self._try_unbind(binds, name)
        since = self._idle.setdefault(place.name, time.monotonic())
        if not kept and time.monotonic() - since > UNUSED and not binds.names():
            binds.clear()
            self._idle.pop(place.name, None)

    async def _say(self, about: Object, status: Object) -> None:
        """Write the status, if it is news. When the API is away it is said later; nothing waits for it."""
        name, uid = about["metadata"]["name"], str(about["metadata"]["uid"])
        present = {key: value for key, value in (about.get("status") or {}).items() if key in status}
        if present == status or self._said.get(name) == (uid, status):
            self._said[name] = uid, status
            return
        if self._mute:
            self._unfinished = True
            return
        try:
            namespace = about["metadata"].get("namespace", self._namespace)
            await self._cluster.merge(SHARE_EXPORT, name, namespace, {"status": status}, "status")
        except (ManilaError, Transient) as error:
            self._mute = self._unfinished = True
            node_figures.FAILURES.labels("report").inc()
            LOG.warning("the state of a share can't be told", share=name, error=str(error))
        else:
            self._said[name] = uid, status


def _label(found: Object, name: str) -> str:
    return str(found["metadata"].get("labels", {}).get(name, ""))
