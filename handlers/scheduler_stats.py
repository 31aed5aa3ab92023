"""The pools the scheduler places shares on."""

from __future__ import annotations

import re
from typing import Any

from db import reports
from db.connection import Conn
from generated.errors import ShareTypeNotFound
from generated.microversions import SHARE_TYPES_OF_POOLS
from generated.runtime import Fault, Row
from generated.views.scheduler_stats import POOL, POOL_DETAIL
from handlers.call import Call, Reply
from services import capabilities, share_types
from services.specs import literal


async def _filters(conn: Conn, call: Call) -> Row:
    """Pool's key -> pattern; ``capabilities`` -> extra specs."""
    filters: dict[str, Any] = call.query.as_dict()
    name = filters.pop("share_type", None) if call.version >= SHARE_TYPES_OF_POOLS else None
    if name:
        try:
            found = await share_types.find(conn, call.core, call.ctx, name)
        except ShareTypeNotFound:
            raise Fault(400, f"Share type {name} not found.") from None
        filters["capabilities"] = found["extra_specs"]
    elif "capabilities" in filters:
        filters["capabilities"] = literal("capabilities", filters["capabilities"])
    return filters


def _passes(pool: Row, filters: Row) -> bool:
    for key, wanted in filters.items():
        if key not in pool:
            return False
        if key == "capabilities":
            if not capabilities.satisfies(pool[key], wanted):
                return False
            continue
        try:
            if not re.match(wanted, pool[key] or ""):
                return False
        except re.error:
            raise Fault(400, f"'{key}' is not a valid pattern: {wanted}") from None
    return True


async def _pools(call: Call) -> list[Row]:
    async with call.core.db.read() as conn:
        filters = await _filters(conn, call)
        rows = await reports.backends(conn, call.core.settings.default.service_down_time, disabled=True)
    found: list[Row] = []
    for row in rows:
        found += capabilities.pools(row["host"], row["capabilities"], row["reported_at"])
    return [pool for pool in found if _passes(pool, filters)]


async def pools(call: Call) -> Reply:
    """Names of the pools that match the patterns of the query."""
    return Reply({"pools": [POOL[call.version](pool, call.see) for pool in await _pools(call)]})


async def pools_detail(call: Call) -> Reply:
    """The pools with what their back ends report of them."""
    return Reply({"pools": [POOL_DETAIL[call.version](pool, call.see) for pool in await _pools(call)]})
