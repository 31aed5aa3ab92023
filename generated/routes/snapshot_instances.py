"""Routes of ``snapshot_instances``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("snapshot_instances.list", "GET", "/snapshot-instances", None, 19, 99, False, None, None, None, "SnapshotInstancesResponse", 200, ("share_snapshot_instance:index",), False),
    Route("snapshot_instances.detail", "GET", "/snapshot-instances/detail", None, 19, 99, False, None, None, None, "SnapshotInstancesDetailResponse", 200, ("share_snapshot_instance:detail",), False),
    Route("snapshot_instances.show", "GET", "/snapshot-instances/{id}", None, 19, 99, False, None, None, None, "SnapshotInstanceResponse", 200, ("share_snapshot_instance:show",), False),
)
