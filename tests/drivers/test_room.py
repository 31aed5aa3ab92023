"""Room of pools as it is reported."""

from __future__ import annotations

import json

from drivers.base import BackendOptions
from drivers.room import Capacity, pools

OPTIONS = BackendOptions(name="b", share_backend_name="b")


def test_storage_that_reports_nothing_is_unknown_and_not_infinite() -> None:
    (pool,) = pools(OPTIONS, {"lab": Capacity(float("inf"), float("inf"), 3.0)})
    assert (pool["total_capacity_gb"], pool["free_capacity_gb"]) == ("unknown", "unknown")
    json.dumps(pool, allow_nan=False)


def test_sizes_are_sizes() -> None:
    (pool,) = pools(OPTIONS, {"fast": Capacity(10.0, 4.0, 6.0)})
    assert (pool["total_capacity_gb"], pool["free_capacity_gb"], pool["provisioned_capacity_gb"]) == (10.0, 4.0, 6.0)
