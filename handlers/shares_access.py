"""Access rules as actions of a share; ``shares_action`` offers these functions under their operations' names."""

from __future__ import annotations

from db import access as rows
from generated.microversions import ACCESS_RULE_STATES
from generated.views import access as views
from handlers.call import Call, Reply
from services import access, share_facts


async def allow_access(call: Call) -> Reply:
    """Add a rule."""
    async with call.core.db.write() as conn:
        can = access.Can.at(call.version)
        rule, share = await access.allow(conn, call.ctx, call.path["id"], call.action_args, can)
    if call.version < ACCESS_RULE_STATES:
        rule = access.with_old_state(rule, share)
    return Reply({"access": views.SHARE_ACCESS_RULE[call.version](rule, call.see)})


async def deny_access(call: Call) -> Reply:
    """Remove a rule."""
    async with call.core.db.write() as conn:
        await access.deny(conn, call.ctx, call.path["id"], call.action_args, access.Can.at(call.version))
    return Reply()


async def access_list(call: Call) -> Reply:
    """All rules of a share."""
    async with call.core.db.read() as conn:
        share = share_facts.require_owner(call.ctx, await rows.share(conn, call.path["id"]))
        call.ctx.enforce("share:access_get_all")
        rules = [access.shown(call.ctx, rule) for rule in await rows.of_share(conn, share["id"])]
    if call.version < ACCESS_RULE_STATES:
        rules = [access.with_old_state(rule, share) for rule in rules]
    view, see = views.SHARE_ACCESS_RULE_SUMMARY[call.version], call.see
    return Reply({"access_list": [view(rule, see) for rule in rules]})


os_allow_access = allow_access
os_deny_access = deny_access
os_access_list = access_list
