"""Copy the data of a share to the instance that it moves to, as a client of both. Runs in the data service.

It has its own line beside the work on the share, since it waits for the back ends to let it in.
"""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Mapping

import structlog

from db import copies, copy_access
from db import migrations_of_shares as table
from db.connection import Conn, Row
from generated.errors import ShareDataCopyCancelled, ShareDataCopyFailed
from generated.settings import DefaultSection
from services.work import AccessUpdate, ShareCopy, ShareMigrateComplete, enqueue
from worker.data.copying import Copy
from worker.data.mounts import Place, mounts_of
from worker.data.progress import Progress
from worker.data.transfer import transfer, verify_of
from worker.migration import find
from worker.operation import INFRASTRUCTURE, Finished, Operation, Retry, Step, Work

LOG = structlog.get_logger("data")
STARTING, COPYING = "data_copying_starting", "data_copying_in_progress"
COMPLETING, COPIED = "data_copying_completing", "data_copying_completed"
RUNNING = (STARTING, COPYING, COMPLETING)
Client = tuple[str, str]
"""Type of access and name."""
WAIT = 0.2
"""Seconds between looks whether the back ends have let the data service in."""


def clients(settings: DefaultSection, source: Mapping[str, list[str]], target: Mapping[str, list[str]]) -> list[Client]:
    """Who the data service is, for each type of access that both instances have.

    Raises:
        ShareDataCopyFailed: the configuration does not say it.
    """
    known = {
        "ip": list(settings.data_node_access_ips),
        "cert": [settings.data_node_access_cert] if settings.data_node_access_cert else [],
        "user": [settings.data_node_access_admin_user] if settings.data_node_access_admin_user else [],
    }
    found = []
    for kind in [one for one in source if set(source[one]) & set(target.get(one, ()))]:
        if kind.lower() not in known:
            raise ShareDataCopyFailed(reason=f"Unsupported access type provided: {kind}.")
        if not known[kind.lower()]:
            raise ShareDataCopyFailed(
                reason=f"Configuration for Data node mounting access type {kind} has not been set."
            )
        found += [(kind, client) for client in known[kind.lower()]]
    return found


def _clients(work: Work) -> list[Client]:
    job = work.job(ShareCopy)
    mappings = (one["access_mapping"] for one in (job.source_mount, job.destination_mount))
    return clients(work.core.settings.default, *mappings)


async def _follow(work: Work, conn: Conn, share: Row) -> None:
    """Let the back ends of both instances follow the rules."""
    for instance in (share["source"], share["destination"]):
        job = AccessUpdate(share_id=share["id"], instance_id=instance["id"])
        await enqueue(conn, job, instance["host"], request_id=work.task["request_id"])


async def admit(work: Work) -> None:
    """Have rules for the data service on both instances. Raises Retry until the back ends enforce them."""
    job, wanted = work.job(ShareCopy), _clients(work)
    ids = (job.instance_id, job.destination_id)
    async with work.write() as conn:
        share = await find(conn, job, RUNNING, job.destination_id, lock=True)
        if await copy_access.made(conn, job.share_id) is None:
            await copy_access.grant(conn, job.share_id, ids, wanted)
            await _follow(work, conn, share)
    async with work.core.db.read() as conn:
        states = await copy_access.states(conn, job.share_id, ids, wanted)
    if "error" in states:
        raise ShareDataCopyFailed(reason="a back end does not let the data service in")
    if states - {"active"}:
        if work.task["attempts"] * WAIT > work.core.settings.default.data_access_wait_access_rules_timeout:
            raise ShareDataCopyFailed(reason="the rules of the data service were not enforced in time")
        raise Retry("the back ends let the data service in", WAIT)


def places(work: Work) -> tuple[Place, Place]:
    """Where both instances are mounted."""
    job, default = work.job(ShareCopy), work.core.settings.default
    options = {name.lower(): value for name, value in default.data_node_mount_options}
    root = pathlib.Path(default.mount_tmp_location)

    def place(instance_id: str, info: Row) -> Place:
        proto = info["proto"]
        return Place(
            info["export"], root / instance_id, info["mount"], info["unmount"], proto, options.get(proto, "")
        )  # fmt: skip

    return place(job.instance_id, job.source_mount), place(job.destination_id, job.destination_mount)


async def mount(work: Work) -> None:
    """Mount both."""
    job, mounts = work.job(ShareCopy), mounts_of(work.core.settings)
    for one in places(work):
        await mounts.mount(one)
    async with work.write() as conn:
        await find(conn, job, RUNNING, job.destination_id, lock=True)
        await table.set_task_state(conn, job.share_id, COPYING)
        await copies.begin(conn, job.share_id)


async def copy(work: Work) -> None:
    """Copy until all is there, or until the copy is cancelled, which ends the operation."""
    job = work.job(ShareCopy)
    source, target = places(work)
    for one in (source, target):
        await mounts_of(work.core.settings).check(one)
    verify = verify_of(work.core.settings)
    running = Copy(str(source.path), str(target.path), job.ignore, verify, job.destination_id)

    async def report(progress: Progress) -> bool:
        async with work.write() as conn:
            return await copies.report(
                conn, job.share_id, progress.percent, progress.path, progress.file_percent
            )  # fmt: skip

    try:
        await transfer(running, report)
    except ShareDataCopyCancelled:
        await _end(work, "data_copying_cancelled")
        raise Finished from None
    async with work.write() as conn:
        await find(conn, job, RUNNING, job.destination_id, lock=True)
        await table.set_task_state(conn, job.share_id, COMPLETING)


async def leave(work: Work) -> None:
    """Unmount, give the rules back, and wait for an administrator to complete the migration."""
    await _unmount(work)
    await _close(work, COPIED)


async def _unmount(work: Work) -> None:
    mounts = mounts_of(work.core.settings)
    for one in places(work):
        try:
            await mounts.unmount(one)
        except ShareDataCopyFailed as error:
            LOG.warning("an instance stays mounted", path=str(one.path), error=repr(error))


async def _close(work: Work, task_state: str) -> bool:
    """Write how the copy ended; whether it was still running. Happens once."""
    job = work.job(ShareCopy)
    async with work.write() as conn:
        share = await table.state(conn, job.share_id, lock=True)
        await copies.end(conn, job.share_id)
        if share is None or share["source"] is None or share["destination"] is None:
            return False
        if await copy_access.revoke(conn, job.share_id):
            await _follow(work, conn, share)
        if share["task_state"] not in RUNNING:
            return False
        await table.set_task_state(conn, job.share_id, task_state)
        if task_state != COPIED:
            complete = ShareMigrateComplete(
                share_id=job.share_id, instance_id=job.instance_id, destination_id=job.destination_id, copied=True
            )
            await enqueue(conn, complete, share["source"]["host"], request_id=work.task["request_id"])
    return True


async def _end(work: Work, task_state: str) -> None:
    await _unmount(work)
    await _close(work, task_state)


async def failed(work: Work, error: Exception) -> None:
    """The back end of the source takes the migration back."""
    with contextlib.suppress(*INFRASTRUCTURE):
        await _unmount(work)
    await _close(work, "data_copying_error")


OPERATION = Operation(
    ShareCopy,
    (Step("admit", admit), Step("mount", mount), Step("copy", copy), Step("leave", leave)),
    failed,
)
