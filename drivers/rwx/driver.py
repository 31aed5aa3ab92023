"""The driver of shares that Longhorn serves by itself, without share servers."""

from __future__ import annotations

import contextlib
import datetime
import logging
from collections.abc import AsyncIterator, Mapping, Sequence

from drivers import room
from drivers.base import (
    WITHOUT_SNAPSHOTS,
    ExportLocation,
    RuleUpdate,
    ShareDriver,
    ShareStatus,
    ShareUpdate,
    SnapshotUpdate,
    Stats,
)
from drivers.kubernetes import copies, longhorn, retained, snapshot_classes, storage_classes
from drivers.kubernetes.api import (
    CLAIM,
    DEPLOYMENT,
    LONGHORN_SHARE_MANAGER,
    LONGHORN_VOLUME,
    NAMESPACE,
    POD,
    SNAPSHOT,
    Cluster,
    Late,
    Object,
    strange,
)
from drivers.kubernetes.capacity import measured
from drivers.kubernetes.claims import Claims, capacity, class_of, gone
from drivers.kubernetes.copies import Dependents
from drivers.kubernetes.keeping import KeptSnapshots, KeptVolumes
from drivers.kubernetes.labels import BACKEND, MANAGED, MANAGER, SHARE, labels, leaving
from drivers.kubernetes.options import classes
from drivers.kubernetes.ownership import identify, orphans
from drivers.kubernetes.sizes import GIB
from drivers.reconciling import Findings, Orphan, ReadRows
from drivers.rwx import objects, rules
from drivers.rwx.comparing import KINDS, Seen, about, broken
from drivers.rwx.options import RwxOptions, check
from generated.errors import ShareBackendException, ShareResourceNotFound, SnapshotResourceNotFound
from generated.runtime import ManilaError, Row

log = logging.getLogger(__name__)
COPYING = "creating_from_snapshot"
"""Status of a share that is asked about until Longhorn has copied its data."""


class RwxDriver(ShareDriver):
    """Keeps no state of its own between calls and may run in several workers at once."""

    def __init__(self, options: RwxOptions, cluster: Cluster) -> None:
        super().__init__(options)
        self._rwx, self._cluster = options, cluster
        self._namespace = options.kubernetes_namespace
        self._claims = Claims(options, cluster)
        self._volumes = KeptVolumes(cluster, self._namespace)
        self._contents = KeptSnapshots(cluster, self._namespace)

    # ---- life cycle

    async def do_setup(self) -> None:
        """Verify that the back end can serve.

        Raises:
            ShareBackendException: it is configured with share servers, or namespace or classes are not usable.
        """
        if self.driver_handles_share_servers:
            raise ShareBackendException(msg="shares without servers need driver_handles_share_servers = False")
        check(self._rwx)
        await self.prepare_to_inspect()
        if await self._cluster.get(NAMESPACE, self._namespace) is None:
            raise ShareBackendException(msg=f"the cluster has no namespace {self._namespace}")
        found = [await storage_classes.check(self._cluster, name, shared=True) for name in classes(self._rwx)]
        for one in found:
            if one["provisioner"] != longhorn.PROVISIONER:
                name = one["metadata"]["name"]
                raise ShareBackendException(msg=f"{name} is no storage class of Longhorn, which serves these shares")
        option, wanted = "kubernetes_snapshot_class", self._rwx.kubernetes_snapshot_class
        await snapshot_classes.check(self._cluster, option, wanted, found)
        # those of a release that did not do that
        await self._volumes.keep_all({MANAGED: MANAGER, BACKEND: self._rwx.share_backend_name}, (objects.SHARE_ROLE,))

    async def get_backend_info(self) -> dict[str, object]:
        """Options whose change asks for a look at every share."""
        rwx = self._rwx
        pods = [rwx.kubernetes_pull_secrets, rwx.kubernetes_node_selector, rwx.kubernetes_tolerations]
        return {"namespace": self._namespace, "image": rwx.kubernetes_gateway_image, "pods": pods}

    async def _update_share_stats(self, data: Stats | None = None) -> None:
        rooms = await measured(self._rwx, self._cluster, (objects.SHARE_ROLE,))
        told = {"vendor_name": "OpenKeel", "storage_protocol": "NFS", "tenant_separation": False}
        told |= {"pools": room.pools(self._rwx, rooms)}
        if not self._rwx.kubernetes_snapshot_class:
            told |= WITHOUT_SNAPSHOTS
        await super()._update_share_stats(told | (data or {}))

    async def get_pool(self, share: Row) -> str | None:
        found = await self._cluster.get(CLAIM, objects.claim_name(share["id"]), self._namespace)
        return class_of(found) or classes(self._rwx)[0]

    async def ensure_shares(self, shares: Sequence[Row]) -> Mapping[str, ShareUpdate]:
        """Open or close each as its rules say; a share whose claim is gone is in error, a failing one is left out."""
        updates: dict[str, ShareUpdate] = {}
        for share in shares:
            try:
                updates[share["id"]] = await self._ensure(share)
            except ShareResourceNotFound:
                log.error("volume of share %s is gone", share["id"])
                updates[share["id"]] = {"status": "error"}
            except ManilaError:
                log.exception("share %s does not come up", share["id"])
        return updates

    async def _ensure(self, share: Row) -> ShareUpdate:
        await self._found(share["id"])
        is_open, _ = rules.judged(share.get("access_rules") or [])
        if not is_open:
            await self._close(share["id"])
            return {"reapply_access_rules": False}
        return {"export_locations": await self._open(share["id"]), "reapply_access_rules": False}

    # ---- comparison with the rows

    async def prepare_to_inspect(self) -> None:
        await identify(self._cluster, self.private_storage)

    async def inspect(self, read: ReadRows) -> Findings:
        """Objects first, rows after: what was made meanwhile has its row."""
        own = {MANAGED: MANAGER, BACKEND: self._rwx.share_backend_name}
        found = {
            kind.name: {one["metadata"]["name"]: one for one in await self._cluster.every(kind, self._namespace, own)}
            for kind in KINDS.values()
        }
        managers = await self._cluster.every(LONGHORN_SHARE_MANAGER, longhorn.NAMESPACE)
        seen = Seen(found, {one["metadata"]["name"]: one for one in managers})
        objects_ = [(kind, one) for kind in KINDS for one in found[kind].values()]
        rows = await read({about(one) for _, one in objects_} - {""})
        strays = [(kind, one, about(one)) for kind, one in objects_ if about(one) and about(one) not in rows.known]
        options, now = self._rwx, datetime.datetime.now(datetime.UTC)
        name, grace = options.share_backend_name, options.kubernetes_orphan_grace
        left = await orphans(self.private_storage, name, strays, self._cluster.owner, grace, now)
        return Findings(tuple(broken(seen, rows)), left, may_remove=self._rwx.kubernetes_remove_orphans)

    async def ensure_snapshot(
        self, snapshot: Row, access_rules: Sequence[Row], share_server: Row | None = None
    ) -> None:
        """Bring back one that somebody removed. Raises SnapshotResourceNotFound when its content is gone, too."""
        name, backend = snapshot["id"], self._rwx.share_backend_name
        own = {MANAGED: MANAGER, BACKEND: backend, **objects.of_snapshot(name)}
        await retained.revive(self._rwx, self._cluster, objects.snapshot_name(name), own)

    async def remove_orphan(self, orphan: Orphan) -> None:
        log.warning("orphan removed: %s %s, of %s, %.0f s old", orphan.kind, orphan.name, orphan.about, orphan.age)
        # what was kept for a row goes with it now
        if orphan.kind == CLAIM.name:
            if needed := await self._needed(orphan.about):
                log.warning("orphan %s %s stays, it is needed: %s", orphan.kind, orphan.name, ", ".join(needed))
                return
            await self._volumes.let_go(objects.of_share(orphan.about), orphan.name)
        elif orphan.kind == SNAPSHOT.name:
            await self._contents.let_go(objects.of_snapshot(orphan.about), orphan.name)
        await self._cluster.delete(KINDS[orphan.kind], orphan.name, self._namespace, uid=orphan.uid)

    # ---- shares

    async def create_share(self, share: Row, share_server: Row | None = None) -> list[ExportLocation]:
        """A volume, opened once to learn where it is served, then closed: it has no rules yet."""
        _check_protocol(share)
        wanted = objects.claim(self._rwx, share["id"], f"{share['size']}Gi", room.pool_of(share))
        await self._volumes.keep_of(await self._claims.make(wanted))
        return await self._learned(share["id"])

    async def create_share_from_snapshot(
        self, share: Row, snapshot: Row, share_server: Row | None = None, parent_share: Row | None = None
    ) -> list[ExportLocation] | ShareStatus:
        """A volume of the size its source has, since Longhorn takes no other; then it is grown."""
        _check_protocol(share)
        name = objects.snapshot_name(snapshot["id"])
        found = await self._cluster.get(SNAPSHOT, name, self._namespace)
        if found is None or leaving(found):
            raise SnapshotResourceNotFound(name=snapshot["id"])
        size = await copies.size_of(self._cluster, found, f"{snapshot['size']}Gi")
        notes = copies.notes(await copies.source_of(self._cluster, found))
        wanted = objects.claim(self._rwx, share["id"], size, room.pool_of(share), name, notes)
        await self._volumes.keep_of(await self._claims.make(wanted))
        return await self._shown(share) or {"status": COPYING}

    async def get_share_status(self, share: Row, share_server: Row | None = None) -> ShareStatus:
        """Whether Longhorn has copied all of a share from a snapshot. Raises ShareBackendException: it never will."""
        locations = await self._shown(share)
        return {"status": "available", "export_locations": locations} if locations else {"status": COPYING}

    async def _shown(self, share: Row) -> list[ExportLocation]:
        """Where a share is served that was made from a snapshot; nowhere before its copy is whole."""
        claim = await self._found(share["id"])
        if not copies.is_whole(claim):
            if not await copies.told(self._cluster, claim):
                copies.check_age(claim, self._rwx.kubernetes_copy_timeout)
                return []
            await copies.mark(self._cluster, claim)
        await self.extend_share(share, share["size"])
        return await self._learned(share["id"])

    async def delete_share(self, share: Row, share_server: Row | None = None) -> None:
        """Close it, then remove keeper and data."""
        name = share["id"]
        keeper = await self._cluster.get(DEPLOYMENT, objects.keeper_name(name), self._namespace)
        if keeper is not None and self._claims.is_ours(keeper):
            await self._close(name)
            await self._cluster.delete(DEPLOYMENT, objects.keeper_name(name), self._namespace)
            await self._until_gone(DEPLOYMENT.name, name)
        if needed := await self._needed(name):
            raise ShareBackendException(msg=f"the volume of share {name} is needed, and stays: {', '.join(needed)}")
        await self._volumes.mark(objects.of_share(name))
        await self._volumes.let_go(objects.of_share(name))
        await self._claims.forget(objects.claim_name(name))

    async def _needed(self, share: str) -> list[str]:
        """What would be lost with the volume of a share, or never be whole, in words."""
        dependents = Dependents(self._cluster, self._namespace)
        volumes = await self._volumes.there(objects.of_share(share))
        return [one for volume in volumes for one in await dependents.of(volume)]

    async def extend_share(self, share: Row, new_size: int, share_server: Row | None = None) -> None:
        """Grow the volume; it is open meanwhile, since a file system grows where it is mounted."""
        found = await self._found(share["id"])
        if capacity(found) >= new_size * GIB:
            return
        async with self._opened(share["id"]):
            await self._claims.grow(found, new_size)

    async def update_access(
        self,
        share: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        update_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        """Open the share to everybody, or close it; each rule that says anything else is refused for itself."""
        is_open, results = rules.judged(access_rules)
        if is_open:
            await self._open(share["id"])
        else:
            await self._close(share["id"])
        return results

    # ---- snapshots

    async def create_snapshot(self, snapshot: Row, share_server: Row | None = None) -> SnapshotUpdate | None:
        """Taken by the storage, consistent as after a power failure."""
        wanted = objects.snapshot(self._rwx, snapshot["share_instance_id"], snapshot["id"])
        await self._contents.keep_of(await self._claims.take(wanted))
        return {"provider_location": snapshot["id"]}

    async def delete_snapshot(self, snapshot: Row, share_server: Row | None = None) -> None:
        """Shares made from it keep their data."""
        own, name = objects.of_snapshot(snapshot["id"]), objects.snapshot_name(snapshot["id"])
        if copying := await Dependents(self._cluster, self._namespace).copies_of(name):
            raise ShareBackendException(msg=f"snapshot {snapshot['id']} is needed, and stays: {', '.join(copying)}")
        if await self._cluster.get(SNAPSHOT, name, self._namespace) is None:
            await self._contents.remove(own)
            return
        await self._contents.let_go(own)
        await self._claims.forget_snapshot(name)

    # ---- opening and closing

    async def _found(self, share: str) -> Object:
        """The claim of a share; one that somebody removed comes back on the volume that it had.

        Raises:
            ShareResourceNotFound: there is neither claim nor volume.
        """
        name = objects.claim_name(share)
        found = await self._cluster.get(CLAIM, name, self._namespace)
        own = labels(self._rwx.share_backend_name, objects.SHARE_ROLE, **{SHARE: share})
        if found is not None and not leaving(found) and not strange(found, own):
            return found
        if found is not None and leaving(found):
            # it stays as long as its keeper has it, and nothing could use it anew
            await self._volumes.keep_of(found)
            if await self._cluster.get(DEPLOYMENT, objects.keeper_name(share), self._namespace) is not None:
                await self._scale(share, 0)
            seconds = self._rwx.kubernetes_start_timeout
            await self._cluster.until(CLAIM, name, self._namespace, gone, seconds, f"claim {name} is gone")
        if await self._volumes.again(objects.of_share(share)) is None:
            raise ShareResourceNotFound(share_id=share)
        log.warning("claim %s was removed or has lost its labels, and is there again, on its volume", name)
        return await self._claims.ready(name)

    async def _volume(self, share: str) -> str:
        """Name of Longhorn's volume, and of all of its objects."""
        return str((await self._found(share))["spec"]["volumeName"])

    async def _scale(self, share: str, replicas: int) -> None:
        name, seconds = objects.keeper_name(share), self._rwx.kubernetes_start_timeout
        present = await self._cluster.get(DEPLOYMENT, name, self._namespace)
        if present is not None and leaving(present):
            await self._cluster.until(DEPLOYMENT, name, self._namespace, gone, seconds, f"{name} is gone")
        wanted = objects.keeper(self._rwx, share, replicas)
        if present is not None:
            await self._cluster.claimed(DEPLOYMENT, present, wanted["metadata"]["labels"])
        await self._cluster.apply(DEPLOYMENT, wanted)

    async def _open(self, share: str) -> list[ExportLocation]:
        """Have the volume served; answers where.

        Raises:
            ShareBackendException: it is not; with Longhorn's complaint.
        """
        volume = await self._volume(share)
        await self._scale(share, 1)
        seconds = self._rwx.kubernetes_start_timeout

        def there(manager: Object | None) -> bool:
            return objects.served(manager) is not None

        kind, where = LONGHORN_SHARE_MANAGER, longhorn.NAMESPACE
        try:
            manager = await self._cluster.until(kind, volume, where, there, seconds, f"share {share} is served")
        except Late as late:
            found = await self._cluster.get(LONGHORN_VOLUME, volume, longhorn.NAMESPACE)
            raise ShareBackendException(msg=f"{late}; {objects.complaint(found)}") from late
        return [{"path": str(objects.served(manager)), "is_admin_only": False, "preferred": True}]

    async def _close(self, share: str) -> None:
        """Have the volume served no more; a share whose volume is gone is closed."""
        with contextlib.suppress(ShareResourceNotFound):
            volume = await self._volume(share)
            await self._scale(share, 0)
            seconds, kind = self._rwx.kubernetes_start_timeout, LONGHORN_SHARE_MANAGER
            what = f"share {share} is closed"
            await self._cluster.until(kind, volume, longhorn.NAMESPACE, objects.closed, seconds, what)

    async def _learned(self, share: str) -> list[ExportLocation]:
        """Open a share that has no rules, to learn where it is, and close it again."""
        found = await self._open(share)
        await self._close(share)
        return found

    @contextlib.asynccontextmanager
    async def _opened(self, share: str) -> AsyncIterator[None]:
        """Open for a while; then as it was."""
        keeper = await self._cluster.get(DEPLOYMENT, objects.keeper_name(share), self._namespace)
        before = int(keeper["spec"]["replicas"]) if keeper is not None else 0
        await self._open(share)
        try:
            yield
        finally:
            if not before:
                await self._close(share)

    async def _until_gone(self, what: str, share: str) -> None:
        seconds, name = self._rwx.kubernetes_start_timeout, objects.keeper_name(share)
        await self._cluster.until(DEPLOYMENT, name, self._namespace, gone, seconds, f"{what} of {share} is gone")
        for pod in await self._cluster.every(POD, self._namespace, {SHARE: share}):
            own = pod["metadata"]["name"]
            await self._cluster.until(POD, own, self._namespace, gone, seconds, f"keeper {own} is gone")


def _check_protocol(share: Row) -> None:
    if str(share["share_proto"]).upper() != "NFS":
        raise ShareBackendException(msg=f"this back end serves NFS only, not {share['share_proto']}")
