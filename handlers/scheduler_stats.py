"""The pools the scheduler places shares on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from db import reports
from db.connection import Conn
from generated.errors import ShareTypeNotFound
from generated.microversions import SHARE_TYPES_OF_POOLS
from generated.runtime import Fault, Row
from generated.views.scheduler_stats import POOL, POOL_DETAIL
from handlers.call import Call, Reply
from services import capabilities, patterns, share_types
from services.specs import literal


@dataclass(frozen=True, slots=True)
class Filters:
    """What a pool has to be like.

    ``patterns``: its key -> what the value begins with. ``specs``: extra specs that it satisfies, None for any.
    """

    patterns: Mapping[str, str]
    specs: Any = None

    def fit(self, pool: Row) -> bool:
        """Whether a pool passes; one without a key that is asked for does not. Raises Fault 400 for a bad pattern."""
        if self.specs is not None and not capabilities.satisfies(pool["capabilities"], self.specs):
            return False
        for key, pattern in self.patterns.items():
            try:
                if key not in pool or not patterns.begins(pattern, pool[key] or ""):
                    return False
            except patterns.BadPattern:
                raise Fault(400, f"'{key}' is not a valid pattern: {pattern}") from None
        return True


async def _filters(conn: Conn, call: Call) -> Filters:
    """The filters of the query. Raises Fault 400 for an unknown share type."""
    given = call.query.as_dict()
    name = given.pop("share_type", None) if call.version >= SHARE_TYPES_OF_POOLS else None
    wanted = given.pop("capabilities", None)
    specs = None if wanted is None else literal("capabilities", wanted)
    if name:
        try:
            specs = (await share_types.find(conn, call.core, call.ctx, name))["extra_specs"]
        except ShareTypeNotFound:
            raise Fault(400, f"Share type {name} not found.") from None
    return Filters(given, specs)


async def _pools(call: Call) -> list[Row]:
    async with call.core.db.read() as conn:
        filters = await _filters(conn, call)
        rows = await reports.backends(conn, call.core.settings.default.service_down_time)
    found: list[Row] = []
    for row in rows:
        found += capabilities.pools(row["host"], row["capabilities"], row["reported_at"])
    return [pool for pool in found if filters.fit(pool)]


async def pools(call: Call) -> Reply:
    """Names of the pools that match the patterns of the query."""
    return Reply({"pools": [POOL[call.version](pool, call.see) for pool in await _pools(call)]})


async def pools_detail(call: Call) -> Reply:
    """The pools with what their back ends report of them."""
    return Reply({"pools": [POOL_DETAIL[call.version](pool, call.see) for pool in await _pools(call)]})
