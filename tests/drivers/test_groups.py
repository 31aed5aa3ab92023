"""What a driver does with share groups unless it knows better."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.base import BackendOptions, ShareDriver
from generated.errors import (
    InvalidShareGroup,
    InvalidShareInstance,
    ShareBackendException,
    ShareGroupSnapshotNotSupported,
    SnapshotResourceNotFound,
)

SHARE = {"id": "si", "size": 1}
SNAPSHOT = {
    "id": "gs",
    "share_group_id": "g",
    "share_group_snapshot_members": [{"id": "m1", "share": SHARE}, {"id": "m2", "share": SHARE}],
}
GROUP = {
    "id": "copy",
    "shares": [
        {"id": "s1", "source_share_group_snapshot_member_id": "m1"},
        {"id": "s2", "source_share_group_snapshot_member_id": "m2"},
    ],
}


class Recorder(ShareDriver):
    """Copies single shares; ``calls`` says what it was asked, ``answers`` what it does."""

    def __init__(self) -> None:
        super().__init__(BackendOptions("alpha", driver_handles_share_servers=False))
        self.calls: list[tuple[str, str]] = []
        self.answers: dict[str, Any] = {}

    def _do(self, name: str, key: str) -> Any:
        self.calls.append((name, key))
        answer = self.answers.get(key)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def create_snapshot(self, snapshot: Any, share_server: Any = None) -> Any:
        return self._do("take", snapshot["id"])

    async def delete_snapshot(self, snapshot: Any, share_server: Any = None) -> None:
        self._do("remove", snapshot["id"])

    async def create_share_from_snapshot(
        self, share: Any, snapshot: Any, share_server: Any = None, parent_share: Any = None
    ) -> Any:
        assert parent_share is SHARE
        return self._do("copy", f"{snapshot['id']}>{share['id']}")


@pytest.fixture
def driver() -> Recorder:
    return Recorder()


async def test_members_are_taken_one_by_one(driver: Recorder) -> None:
    driver.answers = {"m2": {"provider_location": "there"}}
    found = await driver.create_share_group_snapshot(SNAPSHOT)
    assert found == (None, [{"id": "m2", "provider_location": "there"}])
    assert await driver.create_share_group_snapshot({**SNAPSHOT, "share_group_snapshot_members": []}) == (None, None)


async def test_what_was_taken_before_a_failure_is_removed(driver: Recorder) -> None:
    driver.answers = {"m2": ShareBackendException(msg="full")}
    with pytest.raises(ShareBackendException):
        await driver.create_share_group_snapshot(SNAPSHOT)
    assert driver.calls == [("take", "m1"), ("take", "m2"), ("remove", "m1")]


async def test_a_member_that_is_not_there_is_removed(driver: Recorder) -> None:
    driver.answers = {"m1": SnapshotResourceNotFound(name="m1")}
    assert await driver.delete_share_group_snapshot(SNAPSHOT) == (None, None)
    assert driver.calls == [("remove", "m1"), ("remove", "m2")]


async def test_each_share_is_copied_from_its_member(driver: Recorder) -> None:
    later = {"status": "creating_from_snapshot"}
    driver.answers = {"m1>s1": [{"path": "p"}], "m2>s2": later}
    _, shares = await driver.create_share_group_from_share_group_snapshot(GROUP, SNAPSHOT)
    assert shares == [
        {"id": "s1", "export_locations": [{"path": "p"}]},
        {"id": "s2", "status": "creating_from_snapshot", "export_locations": []},
    ]
    driver.answers = {"m1>s1": {"status": "error"}}
    with pytest.raises(InvalidShareInstance):
        await driver.create_share_group_from_share_group_snapshot(GROUP, SNAPSHOT)
    with pytest.raises(InvalidShareGroup):
        await driver.create_share_group_from_share_group_snapshot(
            {"shares": [{"id": "s", "source_share_group_snapshot_member_id": "other"}]}, SNAPSHOT
        )


async def test_a_driver_without_snapshots() -> None:
    plain = ShareDriver(BackendOptions("alpha", driver_handles_share_servers=False))
    with pytest.raises(ShareGroupSnapshotNotSupported):
        await plain.create_share_group_snapshot(SNAPSHOT)
    assert await plain.create_share_group({"id": "g"}) is None
    assert await plain.delete_share_group({"id": "g"}) is None


async def test_a_share_of_a_group_goes_to_the_groups_server() -> None:
    plain, servers = ShareDriver(BackendOptions("gamma")), [{"id": "a"}, {"id": "b"}]
    choose = plain.choose_share_server_compatible_with_share
    assert await choose(servers, SHARE) == {"id": "a"}
    assert await choose(servers, SHARE, share_group={"share_server_id": "b"}) == {"id": "b"}
    assert await choose(servers, SHARE, share_group={"share_server_id": None}) is None
    assert await plain.choose_share_server_compatible_with_share_group(servers, {"id": "g"}) == {"id": "a"}
