"""The place of a share group."""

from __future__ import annotations

from typing import Any

import pytest

from generated.errors import InvalidParameterValue
from scheduler.choose import Rules
from scheduler.groups import GroupRequest, choose_for_group
from scheduler.request import Pool, Request


def pool(name: str, free: float = 100, zone: str = "nova", **capabilities: Any) -> Pool:
    given = {"total_capacity_gb": 1000, "free_capacity_gb": free, **capabilities}
    return Pool(host=f"node1@{name}#pool", zone_id=f"id-{zone}", zone=zone, capabilities=given)


def kind(**specs: str) -> Request:
    return Request(size=0, extra_specs=specs)


def chosen(pools: list[Pool], *types: Request, **more: Any) -> str | None:
    host = choose_for_group(pools, GroupRequest(types, **more), Rules())
    return host and host.removeprefix("node1@").removesuffix("#pool")


def test_a_pool_must_take_every_share_type() -> None:
    pools = [pool("a", 900, tier="gold"), pool("b", 10, tier="gold", disk="ssd"), pool("c", disk="ssd")]
    assert chosen(pools, kind(tier="gold"), kind(disk="ssd")) == "b"
    assert chosen(pools, kind(tier="gold")) == "a"
    assert chosen(pools, kind(tier="tin"), kind(disk="ssd")) is None
    assert chosen([], kind()) is None


def test_the_first_share_type_weighs() -> None:
    pools = [pool("a", 10), pool("b", 900), pool("c", 500)]
    assert chosen(pools, kind(), kind()) == "b"
    assert chosen(pools[::-1], kind()) == "b"


@pytest.mark.parametrize(("wanted", "host"), [(None, "a"), ("pool", "b"), ("host", None)])
def test_consistent_snapshots(wanted: str | None, host: str | None) -> None:
    pools = [pool("a", 900), pool("b", sg_consistent_snapshot_support="pool")]
    specs = {} if wanted is None else {"consistent_snapshot_support": wanted}
    assert chosen(pools, kind(), group_specs=specs) == host


def test_zones_of_the_group() -> None:
    pools = [pool("a", 900, "nova"), pool("b", 10, "east")]
    assert chosen(pools, kind(), zone_id="id-east") == "b"
    assert chosen(pools, kind(), zones=("east", "west")) == "b"
    assert chosen(pools, kind(), zone_id="id-nova", zones=("east",)) is None


def test_an_unknown_filter_is_said() -> None:
    with pytest.raises(InvalidParameterValue, match="JsonFilter"):
        choose_for_group([pool("a")], GroupRequest([kind()]), Rules(), ("JsonFilter",))
    assert choose_for_group([pool("a")], GroupRequest([kind()]), Rules(), ()) == "node1@a#pool"


def test_the_configuration_s_ratio_holds_for_pools_that_report_none() -> None:
    types = [Request(size=1), Request(size=1)]
    pools = [pool("a", thin_provisioning=True, provisioned_capacity_gb=1999)]
    for ratio, host in ((2.0, "node1@a#pool"), (1.9, None)):
        assert choose_for_group(pools, GroupRequest(types), Rules(ratio=ratio)) == host
