"""Taking a snapshot over from its back end, and letting go of it."""

from __future__ import annotations

from db import snapshot_access
from generated.errors import InvalidShare, ManageInvalidShareSnapshot, ShareSnapshotNotFound
from generated.microversions import MANAGED_SERVERS
from generated.runtime import Fault
from generated.views import snapshots as views
from handlers.call import Call, Reply
from services import manage as taking
from services import shares as rules
from services import snapshots
from services import unmanage as leaving
from services.manage_requests import read_snapshot


async def manage(call: Call) -> Reply:
    """Take over a snapshot that exists on a back end."""
    if isinstance(call.body, (bool, int, float)):
        raise Fault(400)
    wish = read_snapshot(call.body, call.version)
    async with call.core.db.write() as conn:
        try:
            row = await taking.snapshot(conn, call.ctx, wish)
        except (InvalidShare, ManageInvalidShareSnapshot) as error:
            raise Fault(409, error.msg) from None
    return Reply({"snapshot": views.SNAPSHOT[call.version](row, call.see)})


async def unmanage(call: Call) -> Reply:
    """Forget a snapshot without removing it from its back end."""
    async with call.core.db.write() as conn:
        await snapshot_access.lock_snapshot(conn, call.path["id"])
        try:
            row = await snapshots.get(conn, call.ctx, call.path["id"])
        except ShareSnapshotNotFound as error:
            raise Fault(404, error.msg) from None
        owner = await rules.get(conn, call.ctx, row["share_id"])
        await leaving.snapshot(conn, call.ctx, row, owner, with_servers=call.version >= MANAGED_SERVERS)
    return Reply()
