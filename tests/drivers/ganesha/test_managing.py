"""What the driver lets go of it takes over again, and nothing else."""

from __future__ import annotations

import pytest

from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.embedded.pool import image_size, share_size
from generated.errors import ManageInvalidShare, ManageInvalidShareSnapshot, ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.fakes import World
from tests.drivers.ganesha.test_driver import INFO, RULE

OLD, NEW, OTHER = (f"{number}0000000-0000-4000-8000-000000000000" for number in (1, 2, 3))
SERVER = "40000000-0000-4000-8000-000000000000"
SHARE: Row = {"id": OLD, "size": 2, "share_proto": "NFS", "extra_specs": {}}


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def driver(world: World) -> GaneshaDriver:
    return world.driver()


@pytest.fixture
async def server(world: World, driver: GaneshaDriver) -> Row:
    """A share server with one share and its rule."""
    row = {"id": SERVER, "backend_details": await driver.setup_server([{**INFO, "server_id": SERVER}])}
    await driver.create_share(SHARE, row)
    await driver.update_access(SHARE, [RULE], [RULE], [], [], row)
    return row


def _wish(share_id: str, path: str = f"10.0.0.50:/{OLD}") -> Row:
    return {**SHARE, "id": share_id, "export_locations": [{"path": path}]}


async def test_a_share_keeps_its_data_and_gets_a_new_path(world: World, driver: GaneshaDriver, server: Row) -> None:
    with pytest.raises(ManageInvalidShare):
        await driver.manage_existing_with_server(_wish(NEW), {}, server)  # somebody has it
    await driver.unmanage_with_server(SHARE, server)
    assert world.exports[SERVER, OLD].clients  # it goes on as it was
    for _ in range(2):  # as after a crash
        found = await driver.manage_existing_with_server(_wish(NEW), {}, server)
        assert (found["size"], found["export_locations"][0]["path"]) == (2, f"10.0.0.50:/{NEW}")
    assert world.volumes == {NEW} and list(world.exports) == [(SERVER, NEW)]
    assert world.exports[SERVER, NEW].clients == ()
    with pytest.raises(ManageInvalidShare):
        await driver.manage_existing_with_server(_wish(OTHER), {}, server)


@pytest.mark.parametrize("path", ["", "x", "10.0.0.50:/../../etc", f"10.0.0.50:/{OTHER}"])
async def test_what_it_does_not_know_is_not_taken(driver: GaneshaDriver, server: Row, path: str) -> None:
    await driver.unmanage_with_server(SHARE, server)
    with pytest.raises(ManageInvalidShare):
        await driver.manage_existing_with_server(_wish(NEW, path), {}, server)


async def test_a_snapshot_is_renamed(world: World, driver: GaneshaDriver, server: Row) -> None:
    wish: Row = {"id": NEW, "provider_location": OLD, "share": SHARE}
    with pytest.raises(ManageInvalidShareSnapshot):
        await driver.manage_existing_snapshot_with_server(wish, {}, server)
    await driver.unmanage_snapshot_with_server({"id": OLD}, server)
    found = await driver.manage_existing_snapshot_with_server(wish, {}, server)
    assert found == {"size": 2, "provider_location": NEW}
    assert world.done[-1] == f"rename snapshot {OLD} {NEW}"


async def test_a_gateway_runs_on_under_another_servers_id(world: World, driver: GaneshaDriver, server: Row) -> None:
    with pytest.raises(ShareBackendException):
        await driver.manage_server({"id": NEW}, SERVER, {})
    await driver.unmanage_server(server["backend_details"])
    assert await driver.get_share_server_network_info({"id": NEW}, SERVER, {}) == ["10.0.0.50"]
    identifier, details = await driver.manage_server({"id": NEW}, SERVER, {})
    assert (identifier, details) == (SERVER, server["backend_details"])
    again: Row = {"id": NEW, "backend_details": details}
    await driver.update_access(SHARE, [RULE], [RULE], [], [], again)
    assert list(world.servers) == [SERVER]


@pytest.mark.parametrize("size", [1, 2, 3, 17, 100, 4096])
def test_the_size_of_an_image_tells_the_size_of_its_share(size: int) -> None:
    assert share_size(image_size(size)) == size
