"""Quota classes: the class ``default`` holds the limits of projects for which nothing is set."""

from __future__ import annotations

from db import quota_sets as rows
from generated.errors import InvalidInput
from generated.runtime import Fault
from generated.views import quotas as views
from handlers.call import Call, Reply
from services import quotas


async def show(call: Call) -> Reply:
    """The limits of a class; only an administrator's context belongs to one."""
    if not call.ctx.is_admin:
        raise Fault(403)
    async with call.core.db.read() as conn:
        limits = await quotas.class_limits(conn, call.core, call.path["id"])
    return Reply({"quota_class_set": views.QUOTA_CLASS_SET[call.version]({**limits, "id": call.path["id"]}, call.see)})


async def update(call: Call) -> Reply:
    """Set limits of a class; keys that are no limits are ignored."""
    wanted: dict[str, int] = {}
    for key, value in call.body["quota_class_set"].items():
        if key not in quotas.RESOURCES:
            continue
        try:
            wanted[key] = int(value)
        except TypeError:
            raise Fault(400) from None
        except (ValueError, OverflowError):
            raise Fault(400, f"Quota '{value}' for {key} should be integer.") from None
        if wanted[key] < -1:
            raise Fault(400, "Quota limit must be -1 or greater.")
        if wanted[key] > quotas.MAX_LIMIT:
            raise InvalidInput(reason=f"Quota limit should not exceed {quotas.MAX_LIMIT}")
    if wanted and not call.ctx.is_admin:
        raise Fault(403)
    async with call.core.db.write() as conn:
        await rows.set_class_limits(conn, call.path["id"], wanted)
        limits = await quotas.class_limits(conn, call.core, call.path["id"])
    return Reply({"quota_class_set": views.QUOTA_CLASS_SET_UPDATED[call.version](limits, call.see)})
