"""Routes of ``snapshots``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("snapshots.list", "GET", "/snapshots", None, 0, 35, False, None, None, "share_snapshots.index_request_query", "SnapshotsResponse", 200, (), False),
    Route("snapshots.list", "GET", "/snapshots", None, 36, 72, False, None, None, "share_snapshots.index_request_query_v236", "SnapshotsResponse", 200, (), False),
    Route("snapshots.list", "GET", "/snapshots", None, 73, 78, False, None, None, "share_snapshots.index_request_query_v273", "SnapshotsResponse", 200, (), False),
    Route("snapshots.list", "GET", "/snapshots", None, 79, 99, False, None, None, "share_snapshots.index_request_query_v279", "SnapshotsResponse", 200, (), False),
    Route("snapshots.create", "POST", "/snapshots", None, 0, 72, False, "SnapshotCreateRequest_v2_0", None, None, "SnapshotResponse", 202, (), False),
    Route("snapshots.create", "POST", "/snapshots", None, 73, 99, False, "SnapshotCreateRequest_v2_73", None, None, "SnapshotResponse", 202, (), False),
    Route("snapshots.detail", "GET", "/snapshots/detail", None, 0, 99, False, None, None, None, "SnapshotsDetailResponse", 200, (), False),
    Route("snapshots.manage", "POST", "/snapshots/manage", None, 12, 72, False, "SnapshotManageRequest_v2_12", None, None, "SnapshotResponse", 202, ("share_snapshot:manage_snapshot",), False),
    Route("snapshots.manage", "POST", "/snapshots/manage", None, 73, 99, False, "SnapshotManageRequest_v2_73", None, None, "SnapshotResponse", 202, ("share_snapshot:manage_snapshot",), False),
    Route("snapshots.delete", "DELETE", "/snapshots/{id}", None, 0, 99, False, None, None, None, None, 202, (), False),
    Route("snapshots.show", "GET", "/snapshots/{id}", None, 0, 99, False, None, None, "share_snapshots.show_request_query", "SnapshotResponse", 200, (), False),
    Route("snapshots.update", "PUT", "/snapshots/{id}", None, 0, 99, False, "SnapshotUpdateRequest", None, None, "SnapshotResponse", 200, (), False),
    Route("snapshots.access_list", "GET", "/snapshots/{snapshot_id}/access-list", None, 32, 99, False, None, None, None, "SnapshotAccessListResponse", 200, ("share_snapshot:access_list",), False),
)
