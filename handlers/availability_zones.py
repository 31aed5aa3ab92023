"""Availability zones that have a service."""

from __future__ import annotations

from db import zones
from generated.views.availability_zones import AVAILABILITY_ZONE
from handlers.call import Call, Reply


async def list(call: Call) -> Reply:
    """All zones."""
    async with call.core.db.read() as conn:
        rows = await zones.served(conn)
    view = AVAILABILITY_ZONE[call.version]
    return Reply({"availability_zones": await call.shown(view, rows)})
