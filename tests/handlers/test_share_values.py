"""Odd values in the body of ``POST /shares``, and what the original answers at 2.0, 2.30, 2.31 and 2.99."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from db.connection import Database
from tests.handlers.share_stage import SPECS, Stage, stage_over

NO_TYPE_FOR_IT = "Setting a mount point name is not supported by the share type used"


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db):
        for name, more in (("plain", {}), ("points", {"mount_point_name_support": "True"})):
            body = {"share_type": {"name": name, "extra_specs": SPECS | more}}
            assert (await one.ask("admin", "POST", "/v2/types", body)).status == 200
        yield one


@pytest.mark.parametrize(
    ("version", "share", "status"),
    [
        ("2.0", [], 400),
        ("2.30", [1], 400),
        ("2.31", [], 422),
        ("2.99", [], 422),
        ("2.99", None, 422),
        ("2.0", "x", 422),
    ],
)
async def test_what_is_no_object(stage: Stage, version: str, share: Any, status: int) -> None:
    assert (await stage.ask("member-a", "POST", "/v2/shares", {"share": share}, version)).status == status


@pytest.mark.parametrize(
    ("share", "status", "text"),
    [
        ({"snapshot_id": ""}, 404, "ShareSnapshotNotFound: Snapshot  could not be found."),
        ({"snapshot_id": []}, 404, "ShareSnapshotNotFound: Snapshot [] could not be found."),
        ({"snapshot_id": 0}, 400, "snapshot_id: a text is expected"),
        ({"snapshot_id": {}}, 400, "snapshot_id: a text is expected"),
        ({"mount_point_name": ""}, 400, NO_TYPE_FOR_IT),
        ({"mount_point_name": []}, 400, NO_TYPE_FOR_IT),
        ({"mount_point_name": "x" * 256}, 400, NO_TYPE_FOR_IT),
        ({"mount_point_name": [], "share_type": "points"}, 400, "Invalid mount_point_name: "),
        ({"mount_point_name": 1.5, "share_type": "points"}, 400, "Invalid mount_point_name: "),
        ({"mount_point_name": "x" * 256, "share_type": "points"}, 400, "Invalid mount_point_name: "),
        ({"encryption_key_ref": 1}, 400, "encryption_key_ref: a text is expected"),
    ],
)
async def test_a_value_that_is_refused(stage: Stage, share: dict[str, Any], status: int, text: str) -> None:
    body = {"share": {"size": 1, "share_proto": "NFS", "share_type": "plain", **share}}
    answer = await stage.ask("member-a", "POST", "/v2/shares", body, "2.99")
    assert answer.status == status
    assert text in next(iter(answer.json.values()))["message"]


@pytest.mark.parametrize(
    ("share", "key", "shown"),
    [
        ({"snapshot_id": None}, "snapshot_id", None),
        ({"encryption_key_ref": ""}, "encryption_key_ref", ""),
        ({"mount_point_name": None}, "mount_point_name", None),
        ({"mount_point_name": True, "share_type": "points"}, "mount_point_name", None),
    ],
)
async def test_a_value_that_is_taken(stage: Stage, share: dict[str, Any], key: str, shown: str | None) -> None:
    body = {"share": {"size": 1, "share_proto": "NFS", "share_type": "plain", **share}}
    answer = await stage.ask("member-a", "POST", "/v2/shares", body, "2.99")
    assert answer.status == 200, answer.json
    assert answer.json["share"].get(key) == shown
    assert (await stage.usage(answer.json["share"]["project_id"])).get("encryption_keys", 0) == 0
