"""Capacity arithmetic, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler import capacity
from scheduler.request import Pool, Request


def pool(total: Any = 100, free: Any = 50, consumed: float = 0, provisioned: float = 0, **more: Any) -> Pool:
    capabilities = {"total_capacity_gb": total, "free_capacity_gb": free, **more}
    return Pool("n@b#p", "z", "nova", capabilities, consumed, provisioned)


THIN: dict[str, Any] = {"thin_provisioning": True, "max_over_subscription_ratio": 2.0}


@pytest.mark.parametrize(
    ("given", "size", "expected"),
    [
        (pool(free=None), 1, False),
        (pool(free="unknown", total="unknown"), 10**6, True),
        (pool(free="unknown", total=0), 1, True),
        (pool(total="unknown"), 50, True),
        (pool(total="unknown"), 51, False),
        (pool(total="unknown", reserved_percentage=1), 1, False),
        (pool(total=0), 1, False),
        (pool(total=-5), 1, False),
        (pool(), 50, True),
        (pool(), 51, False),
        (pool(free=50.9), 51, False),
        (pool(reserved_percentage=10), 40, True),
        (pool(reserved_percentage=10), 41, False),
        (pool(consumed=20), 30, True),
        (pool(consumed=20), 31, False),
        (pool(provisioned_capacity_gb=100, **THIN), 100, True),
        (pool(provisioned_capacity_gb=101, **THIN), 100, False),
        (pool(provisioned_capacity_gb=0, **THIN), 101, False),
        (pool(provisioned=150, **THIN), 50, True),
        (pool(provisioned=150, **THIN), 51, False),
        (pool(provisioned_capacity_gb=None, provisioned=150, **THIN), 50, True),
        (pool(provisioned_capacity_gb=None, provisioned=150, **THIN), 51, False),
        (pool(provisioned_capacity_gb=None), 50, True),
        (pool(provisioned_capacity_gb=90, consumed=60, free=100, **THIN), 51, False),
        (pool(thin_provisioning=[False, True], max_over_subscription_ratio=2.0), 100, True),
        (pool(thin_provisioning=[False], max_over_subscription_ratio=2.0), 51, False),
        (pool(thin_provisioning=True, max_over_subscription_ratio=1.0), 50, True),
        (pool(thin_provisioning=True, max_over_subscription_ratio=1.0), 51, False),
        (pool(thin_provisioning=True, max_over_subscription_ratio=0.5), 1, False),
        (pool(thin_provisioning=True), 400, True),
    ],
)
def test_fits(given: Pool, size: int, expected: bool) -> None:
    assert capacity.fits(given, Request(size)) is expected


@pytest.mark.parametrize(
    ("spec", "is_thick"),
    [
        (None, False),
        ("true", False),
        ("<is> True", False),
        ("False", True),
        ("<is> False", True),
        ("nonsense", True),
    ],
)
def test_a_thick_type_takes_real_space(spec: str | None, is_thick: bool) -> None:
    request = Request(60, extra_specs={} if spec is None else {"thin_provisioning": spec})
    assert capacity.thick(request) is is_thick
    assert capacity.fits(pool(**THIN), request) is not is_thick


@pytest.mark.parametrize(
    ("request_", "size"),
    [
        (Request(40), 40),
        (Request(30, snapshot_id="s"), 30),
        (Request(20, is_extend=True), 20),
        (Request(20, snapshot_id="s", is_extend=True), 20),
    ],
)
def test_each_kind_of_request_has_its_reserve(request_: Request, size: int) -> None:
    given = pool(reserved_percentage=10, reserved_snapshot_percentage=20, reserved_share_extend_percentage=30)
    assert capacity.fits(given, request_)
    assert capacity.room(given, request_) == size


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (pool(), 50),
        (pool(free="unknown"), None),
        (pool(total="unknown"), None),
        (pool(reserved_percentage=10), 40),
        (pool(provisioned_capacity_gb=30, reserved_percentage=10, **THIN), 160),
        (pool(provisioned=30, **THIN), 170),
        (pool(provisioned_capacity_gb=None, provisioned=30, **THIN), 170),
        (pool(provisioned_capacity_gb=None), 50),
    ],
)
def test_room(given: Pool, expected: float | None) -> None:
    assert capacity.room(given, Request(1)) == expected
