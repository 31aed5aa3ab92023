"""Capability reports as pools."""

from __future__ import annotations

from services import capabilities

REPORT = {
    "share_backend_name": "ALPHA",
    "replication_domain": "one",
    "snapshot_support": True,
    "security_service_update_support": True,
    "ipv4_support": True,
    "pools": [{"free_capacity_gb": 9.0, "own": "x", "pool_name": "p", "total_capacity_gb": 10.0}],
}


def test_a_pool_is_printed_in_the_order_of_the_original() -> None:
    (pool,) = capabilities.pools("node1@alpha", REPORT, "2026-01-01T00:00:00.000000")
    keys = list(pool["capabilities"])
    assert keys[:5] == ["pool_name", "total_capacity_gb", "free_capacity_gb", "own", "share_backend_name"]
    late = ("dedupe", "replication_domain", "sg_consistent_snapshot_support", "security_service_update_support")
    places = [keys.index(key) for key in ("snapshot_support", *late, "ipv4_support")]
    assert places == sorted(places)
