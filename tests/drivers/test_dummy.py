"""The dummy driver's answers are those of the original's, as the recordings show them."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from generated.errors import InvalidShareAccess, ShareBackendException, ShareShrinkingPossibleDataLoss

SHARE = {"id": "i-1", "share_id": "s-1", "share_proto": "NFS", "mount_point_name": None}


@pytest.fixture
def driver() -> DummyDriver:
    return DummyDriver(
        BackendOptions("alpha", "ALPHA", driver_handles_share_servers=False, replication_domain="replica_domain_1")
    )


async def test_export_locations_without_servers(driver: DummyDriver) -> None:
    found = await driver.create_share(SHARE)
    path = "/path/to/fake/share/share_s_1_i_1"
    assert [(one["path"], one["is_admin_only"], one["preferred"]) for one in found] == [
        (f"11.0.0.11:{path}", True, False),
        (f"10.0.0.10:{path}", False, True),
        (f"10.0.0.20:{path}", False, False),
    ]


async def test_a_mount_point_name_is_the_path(driver: DummyDriver) -> None:
    found = await driver.create_share({**SHARE, "mount_point_name": "mine"})
    assert found[0]["path"].endswith("/share/mine")


async def test_server_details_lead_to_locations(driver: DummyDriver) -> None:
    info: list[dict[str, Any]] = [
        {
            "server_id": "srv",
            "admin_network_allocations": [{"ip_address": "11.0.0.10"}],
            "network_allocations": [{"ip_address": "10.0.0.50"}, {"ip_address": "10.0.0.51"}],
        },
        {"network_allocations": [{"ip_address": "10.4.0.50"}, {"ip_address": "10.4.0.51"}]},
    ]
    details = await driver.setup_server(info)
    assert details == {
        "service_ip": "11.0.0.10",
        "username": "fake_username",
        "server_id": "srv",
        "subnet_allocations": (
            '[{"primary_public_ip": "10.0.0.50", "secondary_public_ip": "10.0.0.51"}, '
            '{"primary_public_ip": "10.4.0.50", "secondary_public_ip": "10.4.0.51"}]'
        ),
    }
    found = await driver.create_share(SHARE, {"backend_details": details})
    addresses = [one["path"].partition(":")[0] for one in found]
    assert addresses == ["11.0.0.10", "10.0.0.50", "10.0.0.51", "10.4.0.50", "10.4.0.51"]


@pytest.mark.parametrize(("proto", "kind"), [("NFS", "user"), ("CIFS", "ip"), ("NFS", "cert")])
async def test_an_unsupported_rule_type_is_refused(driver: DummyDriver, proto: str, kind: str) -> None:
    with pytest.raises(InvalidShareAccess):
        await driver.update_access({**SHARE, "share_proto": proto}, [], [{"access_type": kind}], [], [])
    assert await driver.update_access({**SHARE, "share_proto": proto}, [], [], [{"access_type": kind}], []) is None


async def test_stats(driver: DummyDriver) -> None:
    stats = await driver.get_share_stats(refresh=True)
    assert stats["pools"] == [
        {
            "pool_name": "fake_pool_for_ALPHA",
            "total_capacity_gb": 1230.0,
            "free_capacity_gb": 1210.0,
            "reserved_percentage": 0,
            "reserved_snapshot_percentage": 0,
            "reserved_share_extend_percentage": 0,
            "replication_type": "readable",
        }
    ]
    assert (stats["ipv4_support"], stats["ipv6_support"]) == (True, False)
    assert stats["replication_domain"] == "replica_domain_1"


async def test_faults(driver: DummyDriver) -> None:
    driver.faults.fail("create_share", count=2, detail={"export_locations": ["x"]})
    for _ in range(2):
        with pytest.raises(ShareBackendException) as error:
            await driver.create_share(SHARE)
        assert error.value.detail_data == {"export_locations": ["x"]}
    assert await driver.create_share(SHARE)
    driver.faults.fail("_setup_server", exception="NotImplementedError")
    with pytest.raises(NotImplementedError):
        await driver.setup_server([])
    driver.faults.fail("shrink_share", exception="ShareShrinkingPossibleDataLoss", count=5)
    with pytest.raises(ShareShrinkingPossibleDataLoss):
        await driver.shrink_share(SHARE, 1)
    driver.faults.clear()
    await driver.shrink_share(SHARE, 1)
    with pytest.raises(AttributeError):
        driver.faults.fail("no_such_method")


async def test_a_share_that_cannot_be_taken_over_leaves_its_place_to_the_next(driver: DummyDriver) -> None:
    """With a protocol that the back end does not have nothing is taken."""
    old = {**SHARE, "id": "1" * 36, "share_id": "2" * 36}
    place = (await driver.create_share(old))[0]["path"]
    await driver.unmanage({**old, "export_locations": [{"path": place}]})
    wish = {**SHARE, "id": "3" * 36, "share_id": "4" * 36, "export_locations": [{"path": place}]}
    with pytest.raises(InvalidShareAccess):
        await driver.manage_existing({**wish, "share_proto": "WHAT"}, {})
    assert (await driver.manage_existing({**wish, "id": "5" * 36}, {}))["size"] == 1
