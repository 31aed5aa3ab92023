"""Taking a share over from its back end, and letting go of it."""

from __future__ import annotations

from db import shares as table
from generated.errors import InvalidInput, InvalidShare, InvalidShareServer, NotFound, PolicyNotAuthorized
from generated.microversions import EXPORT_LOCATION_RESOURCES, MANAGED_SERVERS
from generated.runtime import Fault
from generated.views import shares as views
from handlers.call import Call, Reply
from services import manage as taking
from services import shares as rules
from services import unmanage as leaving
from services.manage_requests import read_share


async def manage(call: Call) -> Reply:
    """Take over a share that exists on a back end."""
    if isinstance(call.body, (bool, int, float)):
        raise Fault(400)
    wish = read_share(call.body, call.version)
    async with call.core.db.write() as conn:
        try:
            made = await taking.share(call.core, conn, call.ctx, wish)
        except (InvalidShare, InvalidShareServer) as error:
            raise Fault(409, error.msg) from None
        except InvalidInput as error:
            raise Fault(400, error.msg) from None
        row = await table.get(conn, made, exports=call.version < EXPORT_LOCATION_RESOURCES)
    assert row is not None
    return Reply({"share": views.SHARE[call.version](row, call.see)})


async def unmanage(call: Call) -> Reply:
    """Forget a share without removing it from its back end."""
    async with call.core.db.write() as conn:
        try:
            row = await rules.get(conn, call.ctx, call.path["id"], lock=True)
            await leaving.share(conn, call.ctx, row, with_servers=call.version >= MANAGED_SERVERS)
        except NotFound as error:
            raise Fault(404, error.msg) from None
        except (InvalidShare, PolicyNotAuthorized) as error:
            raise Fault(403, error.msg) from None
    return Reply()
