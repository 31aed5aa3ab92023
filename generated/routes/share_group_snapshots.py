"""Routes of ``share_group_snapshots``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_group_snapshots.list", "GET", "/share-group-snapshots", None, 31, 54, True, None, None, None, "ShareGroupSnapshotsResponse", 200, ("share_group_snapshot:get_all",), False),
    Route("share_group_snapshots.list", "GET", "/share-group-snapshots", None, 55, 99, False, None, None, None, "ShareGroupSnapshotsResponse", 200, ("share_group_snapshot:get_all",), False),
    Route("share_group_snapshots.create", "POST", "/share-group-snapshots", None, 31, 54, True, "ShareGroupSnapshotCreateRequest", None, None, "ShareGroupSnapshotResponse", 202, ("share_group_snapshot:create",), False),
    Route("share_group_snapshots.create", "POST", "/share-group-snapshots", None, 55, 99, False, "ShareGroupSnapshotCreateRequest", None, None, "ShareGroupSnapshotResponse", 202, ("share_group_snapshot:create",), False),
    Route("share_group_snapshots.detail", "GET", "/share-group-snapshots/detail", None, 31, 54, True, None, None, None, "ShareGroupSnapshotsDetailResponse", 200, ("share_group_snapshot:get_all",), False),
    Route("share_group_snapshots.detail", "GET", "/share-group-snapshots/detail", None, 55, 99, False, None, None, None, "ShareGroupSnapshotsDetailResponse", 200, ("share_group_snapshot:get_all",), False),
    Route("share_group_snapshots.delete", "DELETE", "/share-group-snapshots/{id}", None, 31, 54, True, None, None, None, None, 202, ("share_group_snapshot:delete",), False),
    Route("share_group_snapshots.delete", "DELETE", "/share-group-snapshots/{id}", None, 55, 99, False, None, None, None, None, 202, ("share_group_snapshot:delete",), False),
    Route("share_group_snapshots.show", "GET", "/share-group-snapshots/{id}", None, 31, 54, True, None, None, None, "ShareGroupSnapshotResponse", 200, ("share_group_snapshot:get",), False),
    Route("share_group_snapshots.show", "GET", "/share-group-snapshots/{id}", None, 55, 99, False, None, None, None, "ShareGroupSnapshotResponse", 200, ("share_group_snapshot:get",), False),
    Route("share_group_snapshots.update", "PUT", "/share-group-snapshots/{id}", None, 31, 54, True, "ShareGroupSnapshotUpdateRequest", None, None, "ShareGroupSnapshotResponse", 200, ("share_group_snapshot:update",), False),
    Route("share_group_snapshots.update", "PUT", "/share-group-snapshots/{id}", None, 55, 99, False, "ShareGroupSnapshotUpdateRequest", None, None, "ShareGroupSnapshotResponse", 200, ("share_group_snapshot:update",), False),
    Route("share_group_snapshots.members", "GET", "/share-group-snapshots/{id}/members", None, 31, 54, True, None, None, None, "ShareGroupSnapshotMembersResponse", 200, ("share_group_snapshot:get",), False),
    Route("share_group_snapshots.members", "GET", "/share-group-snapshots/{id}/members", None, 55, 99, False, None, None, None, "ShareGroupSnapshotMembersResponse", 200, ("share_group_snapshot:get",), False),
)
