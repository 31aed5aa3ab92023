"""What a gateway is to do with each share, as ShareExport objects, and waiting until it has done it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from drivers.ganesha.gateway.places import SHARES
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from drivers.kubernetes.api import SHARE_EXPORT, Cluster, Late, Object
from drivers.kubernetes.labels import leaving
from generated.errors import ShareBackendException, ShareResourceNotFound


class Shares:
    """The ShareExports of one back end."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._namespace = options.kubernetes_namespace

    async def of(self, server_id: str) -> list[Object]:
        """All of a gateway, those apart that are being removed."""
        found = await self._cluster.every(SHARE_EXPORT, self._namespace, {names.SERVER: server_id})
        return [one for one in found if "deletionTimestamp" not in one["metadata"]]

    async def clients(self, server_id: str) -> list[Client]:
        """Whom the exports of a gateway admit."""
        return [client for one in await self.of(server_id) for client in export_of(one).clients]

    async def get(self, name: str) -> Object | None:
        """That of a share."""
        return await self._cluster.get(SHARE_EXPORT, names.share(name), self._namespace)

    async def mount(self, name: str, server_id: str, claim: str, whose: Mapping[str, str] | None = None) -> None:
        """Bind a share's volume into the gateway's folder; done when the gateway sees it.

        An export that was given to another gateway by hand comes back to its own; one that is being removed, as after
        ``unmount``, is waited for and made anew.

        Args:
            whose: labels of the claim that say whose it is; the node agent's figures are named by them.
        """
        found = await self.get(name)
        more = {**(whose or {}), names.SERVER: server_id, names.SHARE: name}
        own = names.labels(self._options.share_backend_name, "export", **more)
        if found is None or leaving(found):
            spec = {
                "server": server_id,
                "claim": claim,
                "mounted": True,
                "exported": False,
            }
            wanted = {"metadata": names.metadata(names.share(name), self._namespace, own), "spec": spec}
            found = await self._cluster.create(SHARE_EXPORT, wanted)
        elif found["spec"]["server"] != server_id:
            await self._bring_back(name, server_id, own)
        elif not own.items() <= found["metadata"].get("labels", {}).items():
            await self._cluster.merge(SHARE_EXPORT, names.share(name), self._namespace, {"metadata": {"labels": own}})
        await self.change(name, {"claim": claim, "mounted": True}, lambda status: bool(status.get("mounted")))

    async def _bring_back(self, name: str, server_id: str, own: dict[str, str]) -> None:
        """Nobody is let in, nor is anything exported, before the next ``publish``: those words were for another."""
        spec = {"server": server_id, "exported": False, "clients": [], "squash": None}
        changes = {"metadata": {"labels": own}, "spec": spec}
        await self._cluster.merge(SHARE_EXPORT, names.share(name), self._namespace, changes)

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        """Give the root folder of a mounted share its owner and mode, once."""
        root = {"uid": uid, "gid": gid, "mode": mode}
        await self.change(name, {"root": root}, lambda status: bool(status.get("prepared")))

    async def unmount(self, name: str) -> None:
        """Unbind a share's volume, then forget it; a share that is not known is unbound."""
        found = await self.get(name)
        if found is None:
            return
        if not (found.get("status") or {}).get("node"):
            # no node ever had it
            await self._forget(name)
            return
        wanted = {"mounted": False, "exported": False, "clients": []}
        with contextlib.suppress(ShareResourceNotFound):
            await self.change(name, wanted, lambda status: not status.get("mounted"))
        await self._forget(name)

    async def _forget(self, name: str) -> None:
        """Remove it at once: nothing belongs to it that a garbage collector would have to remove before."""
        await self._cluster.delete(SHARE_EXPORT, names.share(name), self._namespace, grace=0)

    async def change(self, name: str, changes: Object, done: Callable[[Object], bool]) -> None:
        """Change what is wanted, and wait until the gateway has acknowledged just that, and has nothing to complain of.

        Raises:
            ShareBackendException: it does not; with what its agent says.
            ShareResourceNotFound: nobody has told the gateway of the share, or somebody has removed that meanwhile.
        """
        made = await self._cluster.merge(SHARE_EXPORT, names.share(name), self._namespace, {"spec": changes})
        if made is None:
            raise ShareResourceNotFound(share_id=name)
        generation = int(made["metadata"]["generation"])

        def acknowledged(found: Object | None) -> bool:
            if found is None:
                return True
            status = found.get("status") or {}
            whole = int(status.get("observedGeneration", 0)) >= generation and not status.get("message")
            return whole and done(status)

        seconds = self._options.ganesha_timeout
        what = f"gateway of share {name} has taken its change {generation}"
        try:
            where = self._namespace
            left = await self._cluster.until(SHARE_EXPORT, names.share(name), where, acknowledged, seconds, what)
        except Late as late:
            message = ((late.last or {}).get("status") or {}).get("message") or "its agent says nothing"
            raise ShareBackendException(msg=f"{late}: {message}") from late
        if left is None:
            raise ShareResourceNotFound(share_id=name)


def export_of(found: Object) -> Export:
    """The export that a ShareExport describes."""
    spec = found["spec"]
    name = str(found["metadata"]["name"]).removeprefix(names.share(""))
    clients = tuple(Client(one["network"], one["access"]) for one in spec.get("clients", []))
    return Export(name, f"{SHARES}/{name}", spec.get("squash", ""), clients, bool(spec.get("readOnly")))
