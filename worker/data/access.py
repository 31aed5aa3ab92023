"""Lets the data service into a share, by ordinary access rules, and takes them away again."""

from __future__ import annotations

import structlog

from db import access, driver_rows
from db.connection import Conn
from generated.errors import ShareDataCopyFailed
from generated.runtime import Row
from generated.settings import Settings
from services.access_input import same_client
from services.work import AccessUpdate, DataJob, enqueue
from worker.operation import Retry, Work

LOG = structlog.get_logger("data")
LOOK_EVERY = 1.0
"""Seconds between looks whether a rule is enforced."""
_GOING = ("queued_to_deny", "denying")


def clients(settings: Settings, protocol: str) -> list[tuple[str, str]]:
    """Access type and client of each rule that the data service needs for shares of a protocol.

    Raises:
        ShareDataCopyFailed: the configuration does not say who the data service is.
    """
    default, found = settings.default, []
    for kind, protocols in default.backup_protocol_access_mapping:
        if protocol.lower() not in [one.strip().lower() for one in protocols.strip("[] ").split(",")]:
            continue
        known = {
            "ip": default.data_node_access_ips,
            "cert": (default.data_node_access_cert,),
            "user": (default.data_node_access_admin_user,),
        }.get(kind.lower())
        if known is None:
            raise ShareDataCopyFailed(reason=f"Unsupported access type provided: {kind}.")
        named = [(kind.lower(), one) for one in known if one]
        if not named:
            raise ShareDataCopyFailed(
                reason=f"Configuration for Data node mounting access type {kind} has not been set."
            )
        found += named
    return found


async def admit(work: Work, share: Row, *, writes: bool) -> None:
    """Make sure that the rules are there and enforced. A rule of the owner that suffices is left alone.

    Args:
        share: as drivers know it.
        writes: whether reading is not enough.

    Raises:
        Retry: they are not enforced yet. ShareDataCopyFailed: they will not be.
    """
    wanted = clients(work.core.settings, share["share_proto"])
    async with work.write() as conn:
        await access.lock_share(conn, share["share_id"])
        if not work.job(DataJob).rules:
            made = await _missing(conn, share, wanted, writes)
            if made:
                await work.remember(conn, rules=made)
                await _follow(conn, work, share)
        states = {row["id"]: row["state"] for row in (await driver_rows.rules(conn, [share["id"]]))[share["id"]]}
    ours = [states.get(one, "gone") for one in work.job(DataJob).rules]
    if any(one in ("error", "gone", *_GOING) for one in ours):
        raise ShareDataCopyFailed(reason="the back end does not let the data service in")
    if all(one == "active" for one in ours):
        return
    if work.task["attempts"] * LOOK_EVERY > work.core.settings.default.data_access_wait_access_rules_timeout:
        raise ShareDataCopyFailed(reason="the rules of the data service were not enforced in time")
    raise Retry("the data service is not let in yet", LOOK_EVERY)


async def _missing(conn: Conn, share: Row, wanted: list[tuple[str, str]], writes: bool) -> list[str]:
    """Make the rules that are not there; their ids."""
    known, made = await access.of_share(conn, share["share_id"]), []
    for kind, client in wanted:
        same = [one for one in known if one["access_type"] == kind and same_client(kind, client, one["access_to"])]
        if any(one["state"] == "active" and (one["access_level"] == "rw" or not writes) for one in same):
            continue
        for one in same:
            await access.queue(conn, one["id"], "queued_to_deny")
        values = {"share_id": share["share_id"], "access_type": kind, "access_to": client, "access_level": "rw"}
        made.append(str((await access.create(conn, values, {}, [share["id"]]))["id"]))
    return made


async def dismiss(work: Work) -> bool:
    """Order the removal of the rules that ``admit`` has made; whether they are gone."""
    job = work.job(DataJob)
    if not job.rules or job.instance_id is None:
        return True
    async with work.write() as conn:
        await access.lock_share(conn, job.share_id)
        share = await driver_rows.share(conn, job.instance_id)
        rules = [] if share is None else (await driver_rows.rules(conn, [share["id"]]))[share["id"]]
        left = {row["id"]: row["state"] for row in rules if row["id"] in job.rules}
        standing = [one for one, state in left.items() if state not in _GOING]
        for one in standing:
            await access.queue(conn, one, "queued_to_deny")
        if standing and share is not None:
            await _follow(conn, work, share)
    return not left


async def leave(work: Work) -> None:
    """``dismiss``, and wait until the rules are gone; one that the back end keeps does not hold the rest up."""
    if await dismiss(work):
        return
    if work.task["attempts"] * LOOK_EVERY < work.core.settings.default.data_access_wait_access_rules_timeout:
        raise Retry("the data service's rules are not gone yet", LOOK_EVERY)
    LOG.warning("rules of the data service could not be removed", share=work.job(DataJob).share_id)


async def _follow(conn: Conn, work: Work, share: Row) -> None:
    await access.start_syncing(conn, [share["id"]])
    job = AccessUpdate(share_id=share["share_id"], instance_id=share["id"])
    await enqueue(conn, job, share["host"], request_id=work.task["request_id"])
