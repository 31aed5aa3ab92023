"""What the driver does in which order, over ports in memory."""

from __future__ import annotations

import json

import pytest

from generated.errors import ShareBackendException, ShareResourceNotFound
from generated.runtime import Row
from tests.drivers.ganesha.fakes import World

PORT = {"ip_address": "10.0.0.50", "cidr": "10.0.0.0/24", "gateway": "10.0.0.1", "mac_address": "fa:16:3e:00:00:01"}
INFO = {"server_id": "s1", "neutron_net_id": "n1", "cidr": "10.0.0.0/24", "network_allocations": [PORT]}
RULE = {"id": "r1", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}
SHARE: Row = {"id": "i1", "size": 2, "share_proto": "NFS", "extra_specs": {"ganesha:mode": "0750"}}


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
async def server(world: World) -> Row:
    """A share server, as its row is after setup_server."""
    details = await world.driver().setup_server([INFO])
    world.done.clear()
    return {"id": "s1", "backend_details": details}


async def test_setup_server_says_all_that_is_needed_to_start_again(world: World, server: Row) -> None:
    world.servers.clear()
    await world.driver().create_share(SHARE, server)
    assert world.servers["s1"].addresses[0].ip == "10.0.0.50"
    assert world.servers["s1"].addresses[0].network_id == "n1"
    assert json.loads(server["backend_details"]["addresses"])[0]["gateway"] == "10.0.0.1"


@pytest.mark.parametrize("cidr", ["2001:DB8:0::/64", "2001:db8::9/64", "2001:db8::/64"])
async def test_addresses_are_written_in_one_way(world: World, cidr: str) -> None:
    port = PORT | {"ip_address": "2001:DB8::0:A", "cidr": cidr, "gateway": "2001:DB8:0::1"}
    await world.driver().setup_server([INFO | {"network_allocations": [port]}])
    (address,) = world.servers["s1"].addresses
    assert (address.ip, address.prefix, address.gateway) == ("2001:db8::a", 64, "2001:db8::1")
    elsewhere = port | {"gateway": "2001:db8:1::1"}
    await world.driver().setup_server([INFO | {"network_allocations": [elsewhere]}])
    assert world.servers["s1"].addresses[0].gateway is None


async def test_a_failed_setup_keeps_the_details_for_the_teardown(world: World) -> None:
    world.broken = {"start s1"}
    with pytest.raises(ShareBackendException) as caught:
        await world.driver().setup_server([INFO])
    await world.driver().teardown_server(caught.value.detail_data["server_details"])
    assert world.done[-1] == "remove s1"
    with pytest.raises(ShareBackendException, match="no port"):
        await world.driver().setup_server([INFO | {"network_allocations": []}])


@pytest.mark.parametrize(
    ("info", "network"),
    [
        ({"neutron_net_id": None, "network_type": "vlan", "segmentation_id": 7}, "vlan-7"),
        ({"neutron_net_id": None, "network_type": "flat", "segmentation_id": 0}, "flat"),
        ({"neutron_net_id": None}, "flat"),
    ],
)
async def test_networks_without_neutron(world: World, info: Row, network: str) -> None:
    await world.driver().setup_server([INFO | info])
    assert world.servers["s1"].addresses[0].network_id == network


async def test_create(world: World, server: Row) -> None:
    locations = await world.driver().create_share(SHARE, server)
    assert locations == [{"path": "10.0.0.50:/i1", "is_admin_only": False, "preferred": True}]
    steps = ["start s1", "create i1 2", "attach i1", "prepare i1 0:0 750", "publish i1 []"]
    assert world.done == steps
    await world.driver().update_access(SHARE, [RULE], [RULE], [], [], server)
    world.done.clear()
    # made again, it keeps its rules and leaves the root folder to the tenant
    assert await world.driver().create_share(SHARE, server) == locations
    assert world.done == ["start s1", "create i1 2", "attach i1", "publish i1 [RW 10.0.0.5/32]"]


async def test_what_cannot_be_made(world: World, server: Row) -> None:
    for share, text in (
        (SHARE | {"share_proto": "CIFS"}, "NFS only"),
        (SHARE | {"extra_specs": {"ganesha:mode": "rwx"}}, "octal"),
    ):
        with pytest.raises(ShareBackendException, match=text):
            await world.driver().create_share(share, server)
    with pytest.raises(ShareBackendException, match="needs a share server"):
        await world.driver().create_share(SHARE, None)
    with pytest.raises(ShareBackendException, match="never set up"):
        await world.driver().create_share(SHARE, {"id": "unknown", "backend_details": {}})
    with pytest.raises(ShareBackendException, match="driver_handles_share_servers"):
        await world.driver(handles_servers=False).do_setup()
    with pytest.raises(NotImplementedError):
        await world.driver().shrink_share(SHARE, 1, server)


async def test_delete_cuts_access_first(world: World, server: Row) -> None:
    await world.driver().create_share(SHARE, server)
    world.done.clear()
    await world.driver().delete_share(SHARE, server)
    assert world.done == ["start s1", "withdraw i1", "detach i1", "delete i1"]
    world.servers.clear()
    world.done.clear()
    await world.driver().delete_share(SHARE, server)
    assert world.done == ["detach i1", "delete i1"]


async def test_from_snapshot(world: World, server: Row) -> None:
    share = SHARE | {"id": "i2", "size": 5}
    await world.driver().create_share_from_snapshot(share, {"id": "x1"}, server)
    assert world.done == ["start s1", "copy x1 i2 5", "attach i2", "extend i2 5", "publish i2 []"]


@pytest.mark.parametrize("broken", [set(), {"restore i1 x1"}, {"detach i1"}])
async def test_revert_always_serves_the_share_again(world: World, server: Row, broken: set[str]) -> None:
    driver = world.driver()
    await driver.create_share(SHARE, server)
    world.done.clear()
    world.broken = broken
    snapshot = {"id": "x1", "share_instance_id": "i1", "share": SHARE}
    if broken:
        with pytest.raises(ShareBackendException):
            await driver.revert_to_snapshot(snapshot, [RULE], [], server)
    else:
        assert await driver.revert_to_snapshot(snapshot, [RULE], [], server) == 2
        assert world.done[1:4] == ["suspend i1", "detach i1", "restore i1 x1"]
    assert world.done[-3:] == ["attach i1", "extend i1 2", "publish i1 [RW 10.0.0.5/32]"]


async def test_access(world: World, server: Row) -> None:
    driver = world.driver()
    assert await driver.update_access(SHARE, [], [], [RULE], [], server) == {}
    with pytest.raises(ShareResourceNotFound):
        await driver.update_access(SHARE, [RULE], [RULE], [], [], server)
    await driver.create_share(SHARE, server)
    bad = RULE | {"id": "r2", "access_type": "user", "access_to": "alice"}
    results = await driver.update_access(SHARE, [RULE, bad], [], [], [], server)
    assert results == {"r1": {"state": "active"}, "r2": {"state": "error", "refused": "unsupported"}}
    assert world.done[-1] == "publish i1 [RW 10.0.0.5/32]"


async def test_ensure(world: World, server: Row) -> None:
    shares = [SHARE | {"id": name, "share_server": server, "access_rules": [RULE]} for name in ("i1", "i2", "i3")]
    world.volumes = {"i1", "i3"}
    world.broken = {"publish i3 [RW 10.0.0.5/32]"}
    updates = await world.driver().ensure_shares(shares)
    assert updates["i1"]["export_locations"][0]["path"] == "10.0.0.50:/i1"
    assert "status" not in updates["i1"]
    assert updates["i2"] == {"status": "error"}
    assert "i3" not in updates


async def test_a_broken_gateway_keeps_no_other_from_coming_back(world: World, server: Row) -> None:
    await world.driver().create_share(SHARE, server)
    await world.driver().setup_server([INFO | {"server_id": "s2"}])
    world.done.clear()
    world.broken = {"start s2"}
    await world.driver().do_setup()
    # mounts come before the gateway
    assert world.done == ["check", "setup", "attach i1", "start s1", "publish i1 []", "start s2"]


async def test_statistics(world: World) -> None:
    world.broken = {"heal"}
    stats = await world.driver().get_share_stats(refresh=True)
    assert (stats["total_capacity_gb"], stats["free_capacity_gb"]) == (20.0, 12.5)
    assert stats["storage_protocol"] == "NFS"
    assert stats["thin_provisioning"] is False
    for name in ("snapshot", "create_share_from_snapshot", "revert_to_snapshot", "mount_snapshot", "ipv4", "ipv6"):
        assert stats[f"{name}_support"] is True
