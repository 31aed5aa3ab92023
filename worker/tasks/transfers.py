"""Offers of shares that nobody took end."""

from __future__ import annotations

import structlog

from db import shares, transfers
from generated.runtime import ManilaError
from generated.settings import Settings
from services.transfers import withdraw
from worker.periodic import Now, Periodic
from worker.tasks.shares import SERVICE

LOG = structlog.get_logger("share")


async def delete_expired_transfers(now: Now) -> None:
    """End the offers whose time is over; their shares are available again. One that fails does not stop the others."""
    async with now.core.db.read() as conn:
        ids = await transfers.expired(conn, ahead=now.expired)
    for transfer_id in ids:
        try:
            async with now.core.db.write() as conn:
                offer = await transfers.get(conn, transfer_id)
                if offer is None:
                    continue
                share = await shares.get(conn, offer["resource_id"], lock=True)
                if await transfers.get(conn, transfer_id) is not None:
                    await withdraw(now.core, conn, SERVICE, transfer_id, share)
        except ManilaError as error:
            LOG.warning("an expired transfer stays", transfer=transfer_id, error=repr(error))


def _interval(settings: Settings) -> float:
    return settings.default.check_for_expired_transfers


PERIODIC = (Periodic("delete_expired_transfers", delete_expired_transfers, _interval, per_backend=False),)
