"""Routes of ``scheduler_stats``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("scheduler_stats.pools", "GET", "/scheduler-stats/pools", None, 0, 22, False, None, None, None, "PoolsResponse", 200, ("scheduler_stats:pools:index",), False),
    Route("scheduler_stats.pools", "GET", "/scheduler-stats/pools", None, 23, 99, False, None, None, None, "PoolsResponse", 200, ("scheduler_stats:pools:index",), False),
    Route("scheduler_stats.pools_detail", "GET", "/scheduler-stats/pools/detail", None, 0, 22, False, None, None, None, "PoolsDetailResponse", 200, ("scheduler_stats:pools:detail",), False),
    Route("scheduler_stats.pools_detail", "GET", "/scheduler-stats/pools/detail", None, 23, 99, False, None, None, None, "PoolsDetailResponse", 200, ("scheduler_stats:pools:detail",), False),
)
