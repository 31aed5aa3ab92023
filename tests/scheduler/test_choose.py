"""Filters, weighers and the decision."""

from __future__ import annotations

from typing import Any

import pytest

from generated.errors import InvalidParameterValue
from generated.messages import Detail
from scheduler import weighers
from scheduler.choose import Rules, choose, passes
from scheduler.request import Pool, Request


def pool(host: str = "n@a#p", zone: str = "nova", consumed: float = 0, **more: Any) -> Pool:
    capabilities = {
        "total_capacity_gb": 100,
        "free_capacity_gb": 50,
        "storage_protocol": "NFS_CIFS",
        "driver_handles_share_servers": False,
        "snapshot_support": True,
        "share_server_multiple_subnet_support": True,
        **more,
    }
    return Pool(host, f"id-{zone}", zone, capabilities, consumed)


SPECS = {"driver_handles_share_servers": "False"}
A, B = pool(), pool("n@b#p")


@pytest.mark.parametrize(
    ("pools", "request_", "host"),
    [
        ([A, B], Request(1, extra_specs=SPECS, share_proto="NFS"), "n@a#p"),
        ([pool(consumed=1), B], Request(1), "n@b#p"),
        ([A, B], Request(1, only_host="n@b#p"), "n@b#p"),
        ([A, pool("n@b#p", "other")], Request(1, zone_id="id-other"), "n@b#p"),
        ([A, pool("n@b#p", "other")], Request(1, zones=("other",)), "n@b#p"),
        ([A, B], Request(1, same_hosts=frozenset({"n@b#p"})), "n@b#p"),
        ([A, B], Request(1, other_hosts=frozenset({"n@a#p"})), "n@b#p"),
        ([A, B], Request(1, snapshot_id="s", snapshot_host="n@b#p"), "n@b#p"),
        (
            [pool(replication_domain="d", consumed=40), pool("n@c#p", replication_domain="d")],
            Request(1, snapshot_id="s", snapshot_host="n@b#p", replication_domain="d"),
            "n@c#p",
        ),
        ([pool(goodness_function="20"), pool("n@b#p", goodness_function="80")], Request(1), "n@b#p"),
        ([pool(goodness_function="20"), pool("n@b#p", goodness_function="180")], Request(1), "n@a#p"),
        ([pool(free_capacity_gb="unknown"), B], Request(1), "n@b#p"),
    ],
)
def test_the_chosen_host(pools: list[Pool], request_: Request, host: str) -> None:
    assert choose(pools, request_).host == host


REPLICATED = {"replication_type": "readable"}


@pytest.mark.parametrize(
    ("pools", "request_", "detail", "last"),
    [
        ([], Request(1), Detail.SHARE_BACKEND_NOT_READY_YET, None),
        ([A], Request(1, only_host="n@x#p"), Detail.NO_VALID_HOST, "OnlyHostFilter"),
        ([A], Request(1, zone_id="id-x"), Detail.FILTER_AVAILABILITY, "AvailabilityZoneFilter"),
        (
            [pool(share_server_multiple_subnet_support=False)],
            Request(1, several_subnets={"id-nova": True}),
            Detail.FILTER_AVAILABILITY,
            "AvailabilityZoneFilter",
        ),
        ([A], Request(51), Detail.FILTER_CAPACITY, "CapacityFilter"),
        ([A], Request(1, extra_specs={"tier": "gold"}), Detail.FILTER_CAPABILITIES, "CapabilitiesFilter"),
        ([A], Request(1, share_proto="CEPHFS"), Detail.FILTER_CAPABILITIES, "CapabilitiesFilter"),
        (
            [pool(qos_type_support=False)],
            Request(1, extra_specs={"default_qos_type": "q"}),
            Detail.FILTER_CAPABILITIES,
            "CapabilitiesFilter",
        ),
        ([pool(filter_function="1 > 2")], Request(1), Detail.FILTER_DRIVER, "DriverFilter"),
        ([pool(filter_function="(")], Request(1), Detail.FILTER_DRIVER, "DriverFilter"),
        (
            [pool(filter_function="share.size < 5")],
            Request(5, share_id="s"),
            Detail.FILTER_DRIVER,
            "DriverFilter",
        ),
        (
            [pool(replication_type="readable")],
            Request(1, extra_specs=REPLICATED),
            Detail.FILTER_REPLICATION,
            "ShareReplicationFilter",
        ),
        (
            [pool(replication_type="readable", replication_domain="d")],
            Request(
                1, extra_specs=REPLICATED, active_replica_host="n@b#p", replica_hosts=("n@a#p",), replication_domain="d"
            ),
            Detail.FILTER_REPLICATION,
            "ShareReplicationFilter",
        ),
        (
            [A],
            Request(1, snapshot_id="s", snapshot_host="n@b#p"),
            Detail.FILTER_CREATE_FROM_SNAPSHOT,
            "CreateFromSnapshotFilter",
        ),
        ([A], Request(1, same_hosts=frozenset()), Detail.NO_VALID_HOST, "AffinityFilter"),
        ([A], Request(1, other_hosts=frozenset({"n@a#p"})), Detail.NO_VALID_HOST, "AntiAffinityFilter"),
    ],
)
def test_the_filter_that_left_no_pool(pools: list[Pool], request_: Request, detail: Detail, last: str | None) -> None:
    decision = choose(pools, request_)
    assert (decision.host, decision.detail, decision.last_filter) == (None, detail, last)


def test_a_negative_multiplier_fills_pools_up() -> None:
    fuller = pool("n@b#p", consumed=10)
    assert choose([A, fuller], Request(1)).host == "n@a#p"
    assert choose([A, fuller], Request(1), Rules(capacity_multiplier=-1)).host == "n@b#p"
    unknown = pool("n@c#p", free_capacity_gb="unknown")
    assert choose([unknown, A, fuller], Request(1), Rules(capacity_multiplier=-1)).host == "n@b#p"


def test_an_extend_looks_at_capacity_and_the_driver_only() -> None:
    other_zone = Request(50, is_extend=True, zone_id="id-x", extra_specs={"tier": "gold"})
    assert passes([A, B], "n@b#p", other_zone).host == "n@b#p"
    assert passes([A], "n@a#p", Request(51, is_extend=True)).last_filter == "CapacityFilter"
    assert passes([A], "n@a#p", Request(51, is_extend=True)).detail is Detail.NO_VALID_HOST
    assert passes([A], "n@b#p", Request(1, is_extend=True)).detail is Detail.NO_VALID_HOST


def test_a_share_size_in_a_filter_function_counts_only_for_an_existing_share() -> None:
    assert choose([pool(filter_function="share.size < 5")], Request(5)).host == "n@a#p"


def test_normalised_weights() -> None:
    assert weighers.normalised([5, 5]) == [0, 0]
    assert weighers.normalised([0, 5, 10]) == [0, 0.5, 1]


def test_unknown_names_are_refused() -> None:
    Rules().check()
    with pytest.raises(InvalidParameterValue):
        Rules(filters=("NoSuchFilter",)).check()


def test_the_configuration_s_ratio_holds_for_pools_that_report_none() -> None:
    silent = pool(thin_provisioning=True, provisioned_capacity_gb=150)
    told = pool("n@b#p", thin_provisioning=True, provisioned_capacity_gb=150, max_over_subscription_ratio=1.0)
    assert choose([silent], Request(50), Rules(ratio=2.0)).host == "n@a#p"
    assert choose([silent], Request(51), Rules(ratio=2.0)).host is None
    assert choose([told], Request(50), Rules(ratio=2.0)).host is None
    grows = Request(50, is_extend=True)
    assert [passes([silent], "n@a#p", grows, Rules(ratio=ratio)).host for ratio in (2.0, 1.9)] == ["n@a#p", None]
