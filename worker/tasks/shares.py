"""Shares that wait: those whose time in the recycle bin is over, and those that a back end fills in the background."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog

from db import driver_rows, export_locations, share_changes, shares, write
from generated.messages import Action, Detail
from generated.runtime import ManilaError, Row
from generated.settings import Settings
from services.context import Context
from services.messages import create_message
from services.share_changes import remove
from worker.operation import INFRASTRUCTURE
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("share")
COPYING = "creating_from_snapshot"


class _Trusted:
    """The service itself may do everything."""

    def decide(self, rule: str, target: Mapping[str, Any], creds: Mapping[str, Any]) -> bool:
        return True


SERVICE = Context(None, None, (), "periodic", _Trusted(), {}, is_admin=True)


async def delete_expired_shares(now: Now) -> None:
    """Remove the shares whose time in the recycle bin is over. One that can't go does not stop the others."""
    async with now.core.db.read() as conn:
        ids = await share_changes.expired(conn, ahead=now.expired)
    for share_id in ids:
        try:
            async with now.core.db.write() as conn:
                share = await shares.get(conn, share_id, lock=True)
                if share is not None and share["is_soft_deleted"]:
                    await remove(now.core, conn, SERVICE, share)
        except ManilaError as error:
            LOG.warning("share stays in the recycle bin", share=share_id, error=repr(error))


async def share_status_update(now: Now) -> None:
    """Ask the driver about shares that it copies from snapshots in the background."""
    backend = now.backend
    if backend is None:
        return
    async with now.core.db.read() as conn:
        waiting = await driver_rows.shares_on(conn, backend.host, (COPYING,))
    for share in waiting:
        async with now.core.db.read() as conn:
            server = await driver_rows.server(conn, share["share_server_id"])
        try:
            found = dict(await backend.driver.get_share_status(share, server))
        except INFRASTRUCTURE as error:
            LOG.warning("the back end can't be asked now", share=share["share_id"], error=repr(error))
            found = {"status": COPYING}  # touched, so that it does not count as left behind
        except Exception as error:
            LOG.error("the driver does not know the share's state", share=share["share_id"], error=repr(error))
            found = {"status": "error"}
        await _note(now, share, found)


async def _note(now: Now, share: Row, found: Row) -> None:
    """Write what the driver said; an error with a message."""
    status = found.get("status")
    async with now.core.db.write() as conn:
        await write.hold_share(conn, share["id"])
        if status and "error" in status:
            if not await shares.set_status(conn, share["id"], status, (COPYING,)):
                return
            await shares.set_instance(conn, share["id"], progress=None)
            await create_message(
                conn, Action.UPDATE, share["project_id"], resource_id=share["share_id"],
                detail=Detail.DRIVER_FAILED_CREATING_FROM_SNAP, ttl=now.core.settings.default.message_ttl,
            )  # fmt: skip
            return
        if found.get("export_locations"):
            await export_locations.write(conn, share["id"], [dict(one) for one in found["export_locations"]])
        if status in ("available", COPYING):
            progress = "100%" if status == "available" else found.get("progress")
            if await shares.set_status(conn, share["id"], status, (COPYING,)) and progress is not None:
                await shares.set_instance(conn, share["id"], progress=progress)


def _recycle_bin_interval(settings: Settings) -> float:
    return settings.default.check_for_expired_shares_in_recycle_bin_interval


def _periodic_interval(settings: Settings) -> float:
    return settings.default.periodic_interval


PERIODIC = (
    Periodic("delete_expired_shares", delete_expired_shares, _recycle_bin_interval, per_backend=False),
    Periodic("share_status_update", share_status_update, _periodic_interval),
)
