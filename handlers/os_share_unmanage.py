"""Letting go of a share under the path that versions 2.0 to 2.6 use."""

from __future__ import annotations

from generated.runtime import Fault
from handlers import shares_manage
from handlers.call import Call, Reply


async def unmanage(call: Call) -> Reply:
    """Forget a share without removing it from its back end; there is no body."""
    if call.body is not None:
        raise Fault(400)
    return await shares_manage.unmanage(call)
