"""The sweep asks everything that the contract has, and says where what differs is seen."""

from __future__ import annotations

import pytest

from generated.routes import ROUTES
from tests.conformance import explained, launch
from tests.conformance.sweep import odd, reads, refused, writes
from tests.conformance.sweep_live import LISTED, WORLD, described, spans

MADE = WORLD.read_text() + (launch.VENDORED / "scenarios" / "common" / "types.yaml").read_text()


def test_each_operation_is_asked() -> None:
    asked = {step["op"] for step in (*reads.steps(), *writes.steps())}
    assert {one.operation for one in ROUTES} - asked == {"versions.list"}


def test_each_read_is_asked_at_every_version_and_without() -> None:
    for operation in ("shares.show", "share_types.list", "share_backups.detail"):
        asked = {step.get("version") for step in reads.steps((operation,)) if step["as"] == "admin"}
        assert asked == {None, *(f"2.{minor}" for minor in reads.EVERY)}


@pytest.mark.parametrize("part", [reads, writes, odd, refused])
def test_the_world_has_what_is_named(part: object) -> None:
    steps = part.steps()  # type: ignore[attr-defined]
    named = {name for step in steps for name in explained.names(step)} - {"made"}
    assert {name for name in named if f"{name}: " not in MADE} == set()


def test_each_id_of_a_path_is_asked_as_one_that_is_not_there() -> None:
    asked = {step["do"] for step in refused.steps(("share_export_locations.metadata.update_item",))}
    path = "PUT /v2/shares/{0}/export_locations/{1}/metadata"
    assert {one.partition("/metadata")[0] + "/metadata" for one in asked if "metadata" in one} >= {
        path.format(refused.ABSENT, "${location}").replace("PUT", "POST"),
        path.format("${share}", refused.ABSENT).replace("PUT", "POST"),
    }
    people = {step["as"] for step in refused.steps(("shares.update",))}
    assert people == {"admin", "member-a", "reader-a"}


def test_a_body_is_spoilt_in_every_field() -> None:
    body = {"share_backup": {"share_id": "a"}}
    found = list(writes.spoilt("share_backups.create", body))
    assert {} in found
    assert {"share_backup": None} in found
    assert {"share_backup": {}} in found
    assert {"share_backup": {"share_id": "a", "surprise": "x"}} in found
    assert {"share_backup": {"share_id": "a", "backup_options": {"backup_type": "dummy"}}} in found
    assert {"share_backup": {"share_id": []}} in found


def test_bodies_are_asked_where_the_contract_changes_them() -> None:
    assert {65, 66, 67, 83, 84, 89, 90} < set(writes.edges("shares.create"))
    assert {79, 81, 91, 92} < set(writes.edges("share_backups.action.restore", near=True))


def test_versions_are_told_as_ranges() -> None:
    assert spans(["2.0", "2.1", "2.2", "2.51", "none", "2.52", "2.7"]) == "none 2.0-2.2 2.7 2.51-2.52"


def test_long_texts_are_told_by_their_length() -> None:
    step = {"op": "a.b", "do": "PUT /v2/a", "as": "admin", "body": {"a": "x" * 256}, "experimental": True}
    assert described(step, None) == 'a.b PUT /v2/a as admin {"a": "x*256"}'


def test_what_is_listed_has_a_reason() -> None:
    assert all(one.reason for one in explained.read(LISTED))
