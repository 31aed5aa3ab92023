"""The volume of a share is replaced by a copy: of one of its snapshots (a revert) or of a backup (a restore).

The steps, each of which may be repeated by whoever comes after a worker that died:

1. ``begin``: a claim of the role ``restore`` is filled beside the share's, which is served meanwhile;
2. ``progress``: the copy is proven whole, which is noted on its claim;
3. ``swap``, while nothing is mounted: the copy gets the role ``share``, then the volume before it the role ``former``;
4. ``tidy``: a former volume is removed when no snapshot lives in it and no copy is made from it.

The first label of the third step decides which volume is served, whoever looks. No step before it changes the share's
volume, none after it removes one that anything needs.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.incarnations import claim_in_use, next_claim
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.proofs import Proofs
from drivers.kubernetes import claims, copies
from drivers.kubernetes.api import CLAIM, VOLUME, Cluster, Object, Refused
from drivers.kubernetes.claims import Claims, bound
from drivers.kubernetes.copies import Dependents
from drivers.kubernetes.keeping import KeptVolumes, incarnation
from drivers.kubernetes.labels import label, leaving
from drivers.kubernetes.sizes import GIB
from generated.errors import ShareBackendException, ShareResourceNotFound

log = logging.getLogger(__name__)
REVERTING: Final = f"{names.PREFIX}/reverting-to"
"""Annotation of the volume that a share has, which outlives its claim: the snapshot instance whose copy is to take its
place."""
KEPT_FOR: Final = f"{names.PREFIX}/kept-for"
"""Annotation of a former volume: what needs it."""


class Replacing:
    """The volumes of one namespace that are replaced."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._namespace = options.kubernetes_namespace
        self._kept = Claims(options, cluster)
        self._volumes = KeptVolumes(cluster, self._namespace)
        self.proofs = Proofs(options, cluster)
        self.dependents = Dependents(cluster, self._namespace, options.kubernetes_backup_class)

    async def served(self, share: str) -> Object:
        """The claim that a share has; one that somebody removed is made again, on its volume.

        Raises:
            ShareResourceNotFound: there is neither.
        """
        own = {names.ROLE: "share", names.SHARE: share}
        found = claim_in_use(await self._claims(share, "share")) or await self._volumes.again(own)
        if found is None:
            raise ShareResourceNotFound(share_id=share)
        return found

    async def begun(self, share: str) -> Object | None:
        """The claim that is filled for a share, the newest of several."""
        return next(reversed(await self._claims(share, "restore")), None)

    async def _claims(self, share: str, role: str) -> list[Object]:
        """Those of a role that stay, in the order in which they were made."""
        return sorted(await self._kept.live({names.ROLE: role, names.SHARE: share}), key=incarnation)

    async def begin(self, share: str, source: Object) -> Object:
        """Ask for the claim that is filled from a VolumeSnapshot, unless it is there; one of another source goes."""
        before, begun = await self.served(share), None
        known = [one for role in names.VOLUMES for one in await self._claims(share, role)]
        for one in await self._claims(share, "restore"):
            if one["spec"]["dataSource"]["name"] == source["metadata"]["name"]:
                begun = one
            else:
                await self._forget(share, one)
        if begun is not None:
            return begun
        size = await copies.size_of(self._cluster, source, f"{claims.requested(before) // GIB}Gi")
        place = await copies.source_of(self._cluster, source)
        wanted = next_claim(self._options, share, before, source, known, size, place)
        try:
            return await self._cluster.create(CLAIM, wanted)
        except Refused as error:
            raise claims.roomless(error, f"for the copy for share {share}") or error from error

    async def progress(self, share: str, before: Object | None, seconds: float = 0.0) -> bool:
        """Whether the copy that was begun is proven whole.

        Args:
            before: the claim whose file system it must be a copy of; None: of any.
            seconds: to wait for that, at most.

        Raises:
            ShareBackendException: it never will be; it is gone then, and the share is as it was.
        """
        found = await self.begun(share)
        if found is None:
            raise ShareBackendException(msg=f"the copy for share {share} was removed while it was made")
        try:
            if not bound(found):
                if copies.age(found) <= self._options.kubernetes_bind_timeout:
                    return False
                # says why, and removes it
                found = await self._kept.settle(found["metadata"]["name"], 1.0)
            if await self.proofs.whole(share, found, before, seconds):
                return True
            copies.check_age(found, self._options.kubernetes_copy_timeout)
        except ShareBackendException:
            await self.abandon(share)
            raise
        return False

    async def abandon(self, share: str) -> None:
        """Remove what was begun; the share keeps its volume."""
        for one in await self._claims(share, "restore"):
            await self._forget(share, one)
        for one in await self._claims(share, "share"):
            await self.note(one, None)

    async def _forget(self, share: str, claim: Object) -> None:
        await self.proofs.end(share)
        await self._volumes.let_go({names.SHARE: share}, claim["metadata"]["name"])
        await self._kept.forget(claim["metadata"]["name"])

    async def note(self, claim: Object, snapshot: str | None) -> None:
        """Note to which snapshot the volume of a claim is to be reverted; None: to none."""
        if await self.noted(claim) != snapshot:
            change = {"metadata": {"annotations": {REVERTING: snapshot}}}
            await self._cluster.merge(VOLUME, claim["spec"]["volumeName"], None, change)

    async def noted(self, claim: Object) -> str | None:
        """What was noted so."""
        name = claim["spec"].get("volumeName")
        volume = await self._cluster.get(VOLUME, name) if name else None
        return ((volume or {}).get("metadata", {}).get("annotations") or {}).get(REVERTING)

    async def swap(self, share: str) -> None:
        """Have the copy be the share's volume from now on, if it was not swapped before.

        Raises:
            ShareBackendException: it is not proven whole.
        """
        for one in await self._claims(share, "restore"):
            if not copies.is_whole(one):
                raise ShareBackendException(msg=f"the copy for share {share} is not proven whole")
            await self._become(one, "share")
        await self._retire(await self._claims(share, "share"))

    async def _retire(self, known: Sequence[Object]) -> None:
        """Of the claims with the role ``share`` of one share only that which is served keeps it."""
        served = claim_in_use(known)
        for one in known:
            if served is not None and one["metadata"]["name"] != served["metadata"]["name"]:
                await self.note(one, None)
                await self._become(one, "former")

    async def _become(self, claim: Object, role: str) -> None:
        """Give a claim another role, its volume first: that is what a claim that was lost is made from."""
        meta, own = claim["metadata"], {names.ROLE: role}
        await self._volumes.keep(claim["spec"].get("volumeName", ""), {**(meta.get("labels") or {}), **own})
        await self._cluster.merge(CLAIM, meta["name"], self._namespace, {"metadata": {"labels": own}})

    async def tidy(self, share: str = "") -> None:
        """Remove former volumes that nothing needs any more, and say which are kept, and for what.

        Args:
            share: whose; empty: all.
        """
        whose = {names.BACKEND: self._options.share_backend_name, **({names.SHARE: share} if share else {})}
        if share and await self.begun(share) is None:
            await self.proofs.end(share)
        known: dict[str, list[Object]] = {}
        for one in await self._kept.live({names.ROLE: "share", **whose}):
            known.setdefault(label(one, names.SHARE), []).append(one)
        for several in known.values():
            await self._retire(several)
        for volume in await self._volumes.there({names.ROLE: "former", **whose}):
            await self._consider(volume)

    async def _consider(self, volume: Object) -> None:
        name, share = volume["spec"]["claimRef"]["name"], label(volume, names.SHARE)
        needed = await self.dependents.of(volume)
        claim = await self._cluster.get(CLAIM, name, self._namespace)
        if needed:
            words = ", ".join(needed)
            if (volume["metadata"].get("annotations") or {}).get(KEPT_FOR) != words:
                log.info("volume %s, which share %s had before, is kept for: %s", name, share, words)
                notes = {"metadata": {"annotations": {KEPT_FOR: words}}}
                await self._cluster.merge(VOLUME, volume["metadata"]["name"], None, notes)
            return
        log.info("volume %s, which share %s had before, is removed: nothing needs it", name, share)
        if await self.begun(share) is None:
            await self.proofs.end(share)
        await self._volumes.let_go({names.ROLE: "former", names.SHARE: share}, name)
        if claim is not None and not leaving(claim) and label(claim, names.ROLE) == "former":
            await self._kept.forget(name)

    async def needed(self, share: str) -> Sequence[str]:
        """What would be lost with all volumes of a share, in words."""
        found: list[str] = []
        for role in ("share", "former"):
            for volume in await self._volumes.there({names.ROLE: role, names.SHARE: share}):
                found += await self.dependents.of(volume, share)
        return found
