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


@pytest.mark.parametrize("gateway", ["2001:db8::1", "2001:DB8::1", "2001:db8:0:0::0001"])
async def test_an_address_is_one_however_it_is_written(gateway: str) -> None:
    """The gateway is not given away, nor what somebody has; what a driver names is found."""
    plugin = StandalonePlugin(options(gateway=gateway, mask="64", ip_version=6, ranges=("2001:DB8::1-2001:db8:0::4",)))
    used = ["2001:DB8::2", "2001:db8:0::3"]
    result = await plugin.allocate("srv", "p", {"id": "sub"}, 1, used=used)
    assert [one["ip_address"] for one in result.allocations] == ["2001:db8::4"]
    assert result.subnet["cidr"] == "2001:db8::/64"
    with pytest.raises(NetworkBadConfigurationException):
        await plugin.allocate("srv", "p", {"id": "sub"}, 2, used=used)
    adopted = await plugin.adopt("srv", ["2001:DB8:0::2", "2001:db8:1::2"], {"id": "sub"})
    assert [one["ip_address"] for one in adopted.allocations] == ["2001:db8::2"]


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
