"""Extra specs against capabilities: every operator, scope and kind of value."""

from __future__ import annotations

from typing import Any

import pytest

from services.capabilities import match, pools, satisfies


@pytest.mark.parametrize(
    ("value", "requirement", "expected"),
    [
        ("NFS", "nfs", True),
        ("NFS", "cifs", False),
        (True, "true", True),
        (True, "1", True),
        (True, "nonsense", False),
        (False, "no", True),
        (5, "5", False),
        ("5", "= 5", True),
        (6, "= 5", True),
        (4, "= 5", False),
        (5, "== 5.0", True),
        (5, "!= 5", False),
        (5, ">= 5", True),
        (4, ">= 5", False),
        (5, "<= 5", True),
        ("x", ">= 5", False),
        ("abc", "s== abc", True),
        ("abc", "s!= abc", False),
        ("abc", "s< abd", True),
        ("abc", "s<= abc", True),
        ("abd", "s> abc", True),
        ("abc", "s>= abd", False),
        ("NFS_CIFS", "<in> CIFS", True),
        ("NFS", "<in> CIFS", False),
        (True, "<is> True", True),
        (True, "<is> False", False),
        (False, "<is> nonsense", True),
        ("b", "<or> a <or> B", True),
        ("c", "<or> a <or> b", False),
        (None, "<or> a", False),
        (None, "= 1", False),
        (5, ">=", False),
        ("a b", "<all-in> a b", False),
        ("", "", True),
    ],
)
def test_match(value: Any, requirement: str, expected: bool) -> None:
    assert match(value, requirement) is expected


@pytest.mark.parametrize(
    ("specs", "expected"),
    [
        ({}, True),
        ({"dedupe": "<is> True"}, True),
        ({"dedupe": "<is> False"}, True),
        ({"compression": "<is> True"}, False),
        ({"capabilities:tier": "gold"}, True),
        ({"capabilities:deep:er": "1"}, True),
        ({"capabilities:deep:absent": "1"}, False),
        ({"capabilities:tier:er": "1"}, False),
        ({"vendor:key": "anything"}, True),
        ({"availability_zones": "a,b", "capabilities:availability_zones": "x", "default_qos_type": "q"}, True),
    ],
)
def test_satisfies(specs: dict[str, str], expected: bool) -> None:
    capabilities = {"dedupe": [True, False], "compression": None, "tier": "Gold", "deep": {"er": "1"}}
    assert satisfies(capabilities, specs) is expected


def test_a_pool_inherits_what_it_does_not_say() -> None:
    report = {
        "share_backend_name": "B",
        "snapshot_support": True,
        "replication_domain": "d",
        "share_group_stats": {"consistent_snapshot_support": "pool"},
        "pools": [{"pool_name": "p", "snapshot_support": False}],
    }
    (one,) = pools("node1@b", report, "T")
    assert (one["name"], one["host"], one["backend"], one["pool"]) == ("node1@b#p", "node1", "b", "p")
    found = one["capabilities"]
    assert found["snapshot_support"] is False
    assert (found["replication_domain"], found["timestamp"]) == ("d", "T")
    assert found["sg_consistent_snapshot_support"] == "pool"


def test_a_back_end_without_pools_is_one_pool() -> None:
    (one,) = pools("node1@b", {"share_backend_name": "B", "pools": None, "total_capacity_gb": 5}, "T")
    assert one["name"] == "node1@b#B"
    assert one["capabilities"]["total_capacity_gb"] == 5
