"""Fields by microversion, as people read them in reviews; ``UPDATE_GOLDENS=1`` rewrites the text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generated.microversions import MAX_MINOR
from generated.runtime import See
from generated.views import export_locations, quotas, share_networks, shares
from tests.codegen.view_fields import AnyRow, tables

GOLDENS = Path(__file__).parent.parent / "goldens" / "views"


def test_fields_are_those_that_were_read_and_approved() -> None:
    found = tables()
    if os.environ.get("UPDATE_GOLDENS"):
        GOLDENS.mkdir(parents=True, exist_ok=True)
        for file, text in found.items():
            (GOLDENS / file).write_text(text)
    assert {path.name: path.read_text() for path in GOLDENS.iterdir()} == found


@pytest.mark.parametrize(("version", "shown"), [(27, "out_of_sync"), (28, "syncing")])
def test_words_are_translated_up_to_their_version(version: int, shown: str) -> None:
    view = shares.SHARE[version](AnyRow(access_rules_status="syncing"), See("http://manila"))
    assert view["access_rules_status"] == shown


@pytest.mark.parametrize(("version", "shown"), [(0, "creating"), (53, "creating"), (54, "creating_from_snapshot")])
def test_a_state_is_hidden_from_older_clients(version: int, shown: str) -> None:
    view = shares.SHARE[version](AnyRow(status="creating_from_snapshot"), See("http://manila"))
    assert view["status"] == shown


def test_links_carry_the_project_of_the_url_only_if_it_was_there() -> None:
    row = AnyRow(id="s1")
    plain = shares.SHARE[MAX_MINOR](row, See("http://manila:8786"))["links"]
    assert [link["href"] for link in plain] == ["http://manila:8786/v2/shares/s1", "http://manila:8786/shares/s1"]
    prefixed = shares.SHARE[MAX_MINOR](row, See("http://manila:8786", "p1"))["links"]
    assert [link["href"] for link in prefixed] == [
        "http://manila:8786/v2/p1/shares/s1",
        "http://manila:8786/p1/shares/s1",
    ]


def test_fields_come_in_the_order_of_the_original() -> None:
    see = See("http://manila", context_is_admin=True)
    location = export_locations.EXPORT_LOCATION[MAX_MINOR](AnyRow(), see)
    last = ["metadata", "share_instance_id", "is_admin_only", "created_at", "updated_at"]
    assert list(location) == ["id", "path", "preferred", *last]
    empty = AnyRow(share_network_subnets=[])
    late, early = (share_networks.SHARE_NETWORK[version](empty, see) for version in (78, 77))
    assert list(late)[-1] == "share_network_subnets"
    assert list(early)[-3:] == ["status", "security_service_update_support", "network_allocation_update_support"]
    quotas_of_project = list(quotas.QUOTA_SET[MAX_MINOR](AnyRow(), see))
    assert quotas_of_project[:5] == ["shares", "gigabytes", "snapshots", "snapshot_gigabytes", "id"]
