"""How much of each share is used, asked of the drivers and told as ``share.consumed.size``."""

from __future__ import annotations

import datetime

import structlog

from db import driver_rows
from generated.settings import Settings
from services import notifications
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("share")


async def share_usage_size(now: Now) -> None:
    """Ask a back end's driver for the used sizes of its shares and tell them, if the configuration wants that."""
    backend, settings = now.backend, now.core.settings
    if backend is None or not settings.default.enable_gathering_share_usage_size:
        return
    if not notifications.enabled(settings):
        return
    async with now.core.db.read() as conn:
        known = await driver_rows.shares_on(conn, backend.host)
    if not known:
        return
    try:
        sizes = await backend.driver.update_share_usage_size(known)
    except NotImplementedError:
        LOG.debug("the driver does not know used sizes", backend=backend.host)
        return
    for found in sizes:
        extra = {"used_size": found["used_size"], "gathered_at": _text(found["gathered_at"])}
        async with now.core.db.write() as conn:
            await notifications.tell_share(conn, settings, found["id"], "consumed.size", host=backend.host, extra=extra)


def _text(moment: object) -> str:
    return moment.isoformat() if isinstance(moment, datetime.datetime) else str(moment)


def _interval(settings: Settings) -> float:
    return settings.default.share_usage_size_update_interval


PERIODIC = (Periodic("share_usage_size", share_usage_size, _interval),)
