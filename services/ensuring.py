"""An administrator's request to export the shares of a back end again."""

from __future__ import annotations

from db import ensure, manage
from db.connection import Conn
from generated.runtime import Fault
from services.context import Context
from services.core import Core

STATUSES = ("available", "ensuring")


async def order(core: Core, conn: Conn, ctx: Context, host: str) -> None:
    """Leave work for every share of a back end that nothing else is done with.

    Raises:
        Fault: 404, no share service is on ``host``; 409, it is not up.
    """
    service = await manage.share_service(conn, host, core.settings.default.service_down_time)
    if service is None:
        raise Fault(404)
    if service["state"] != "up":
        raise Fault(409)
    instance_ids = await ensure.mounted_on(conn, host, STATUSES)
    if not instance_ids:
        return
    await ensure.begin(conn, host, instance_ids, show=core.settings.default.update_shares_status_on_ensure)
    await ensure.order(conn, host, STATUSES, ctx.request_id)
