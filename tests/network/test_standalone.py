"""Addresses from configured ranges."""

from __future__ import annotations

from typing import Any

import pytest

from generated.errors import NetworkBadConfigurationException
from network.standalone import StandaloneOptions, StandalonePlugin


def options(**changes: Any) -> StandaloneOptions:
    values: dict[str, Any] = {"gateway": "11.0.0.1", "mask": "24", **changes}
    return StandaloneOptions(**values)


async def test_addresses_come_in_the_order_of_the_ranges() -> None:
    plugin = StandalonePlugin(
        options(ranges=("11.0.0.250-11.0.0.251", "11.0.0.9"), network_type="vlan", segmentation_id=1010), "admin"
    )
    result = await plugin.allocate("srv", None, None, 2, used=["11.0.0.250"])
    assert [one["ip_address"] for one in result.allocations] == ["11.0.0.251", "11.0.0.9"]
    assert result.allocations[0]["segmentation_id"] == 1010
    assert "share_network_subnet_id" not in result.allocations[0]


async def test_without_ranges_every_host_address_but_the_gateway() -> None:
    plugin = StandalonePlugin(options(mask="255.255.255.248"))
    result = await plugin.allocate("srv", "p", {"id": "sub"}, 5)
    assert [one["ip_address"] for one in result.allocations] == [f"11.0.0.{n}" for n in range(2, 7)]
    with pytest.raises(NetworkBadConfigurationException):
        await plugin.allocate("srv", "p", {"id": "sub"}, 6)


async def test_ipv6() -> None:
    plugin = StandalonePlugin(options(gateway="2001:db8::1", mask="64", ip_version=6))
    result = await plugin.allocate("srv", "p", {"id": "sub"}, 1)
    assert result.allocations[0]["ip_address"] == "2001:db8::2"


@pytest.mark.parametrize(
    "changes",
    [
        {"gateway": "nonsense"},
        {"mask": "99"},
        {"ip_version": 6},
        {"ranges": ("12.0.0.1",)},
        {"ranges": ("11.0.0.9-11.0.0.2",)},
        {"ranges": ("a-b",)},
    ],
)
def test_options_that_do_not_fit_are_refused_at_once(changes: dict[str, Any]) -> None:
    with pytest.raises(NetworkBadConfigurationException):
        StandalonePlugin(options(**changes))
