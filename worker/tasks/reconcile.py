"""Back ends compared with the database: what is broken is left as work, what nobody knows is reported."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection

import structlog

from db import reconcile as db
from db import tasks
from db.connection import Conn
from drivers.reconciling import Broken, Findings, Orphan, Rows
from generated.runtime import ManilaError
from generated.settings import Settings
from services.core import Core
from services.work import ServerEnsure, ShareEnsure, SnapshotEnsure, enqueue
from services.work.base import Job
from worker.operation import Backend
from worker.operations.share_ensure import MOUNTED
from worker.periodic import Now, Periodic
from worker.service import RECONCILE

LOG = structlog.get_logger("reconcile")
COMPARED = tuple(one for one in MOUNTED if one not in ("reverting", "reverting_to_snapshot", "backup_restoring"))
"""Statuses of shares that should be as their rows say; in the others the driver itself swaps what is behind them."""


async def rows_of(core: Core, host: str, ids: Collection[str]) -> Rows:
    """What the database says of a back end now."""
    async with core.db.read() as conn:
        return Rows(
            servers=await db.servers(conn, host),
            shares=await db.shares(conn, host, COMPARED),
            snapshots=await db.snapshots(conn, host),
            known=await db.known(conn, ids),
        )


async def compare(core: Core, backend: Backend) -> tuple[Findings, Rows]:
    """One look at a back end, and the rows that it was compared with. Raises NotImplementedError."""
    seen = Rows()

    async def read(ids: Collection[str]) -> Rows:
        nonlocal seen
        seen = await rows_of(core, backend.host, ids)
        return seen

    return await backend.driver.inspect(read), seen


async def reconcile(now: Now) -> None:
    """Leave work for what is broken; report orphans, and remove those that the driver says may go."""
    backend = now.backend
    if backend is None:
        return
    try:
        found, rows = await compare(now.core, backend)
    except NotImplementedError:
        return
    async with now.core.db.write() as conn:
        for one in found.broken:
            await _mend(conn, backend.host, one, rows)
        await db.note(conn, _entity(backend.host), _figures(backend.host, found))
    for wait in found.waiting:
        LOG.error("a gateway cannot be moved", server=wait.server_id, node=wait.node, why=wait.why)
    for orphan in found.orphans:
        LOG.warning("no row stands for it", kind=orphan.kind, name=orphan.name, about=orphan.about, why=orphan.why)
    if found.may_remove:
        await _remove(now.core, backend, [one for one in found.orphans if one.proven])


async def _mend(conn: Conn, host: str, broken: Broken, rows: Rows) -> None:
    """Leave the work that puts it right, unless it waits already."""
    job = _job(broken, rows)
    if job is None or await tasks.waits(conn, job.KIND, job.resource):
        return
    LOG.warning("it is put right", kind=broken.kind, id=broken.id, why=broken.why)
    await enqueue(conn, job, host)


def _job(broken: Broken, rows: Rows) -> Job | None:
    if broken.kind == "share_server":
        return ServerEnsure(server_id=broken.id)
    if broken.kind == "share":
        share_id = next((one["share_id"] for one in rows.shares if one["id"] == broken.id), None)
        return None if share_id is None else ShareEnsure(share_id=share_id, instance_id=broken.id)
    for one in rows.snapshots:
        if one["id"] == broken.id:
            return SnapshotEnsure(
                share_id=one["share_id"], snapshot_id=one["snapshot_id"], snapshot_instance_id=one["id"]
            )
    return None


async def _remove(core: Core, backend: Backend, orphans: list[Orphan]) -> None:
    """Remove orphans, each after a last look whether a row has come. One that does not go stops no other."""
    for one in orphans:
        async with core.db.read() as conn:
            if await db.known(conn, [one.about]):
                continue
        try:
            await backend.driver.remove_orphan(one)
        except ManilaError as error:
            LOG.warning("an orphan does not go", kind=one.kind, name=one.name, error=repr(error))


def _figures(host: str, found: Findings) -> dict[str, object]:
    return {
        "host": host,
        "broken": Counter(one.kind for one in found.broken),
        "orphans": Counter(one.kind for one in found.orphans),
        "waiting": len(found.waiting),
    }


def _entity(host: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"openkeel-manila:{host}"))


def _interval(settings: Settings) -> float:
    return settings.openkeel.reconcile_interval


PERIODIC = (Periodic(RECONCILE, reconcile, _interval),)
