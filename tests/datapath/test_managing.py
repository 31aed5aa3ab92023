"""What is let go of goes on as it was, and comes back with its data under a new name."""

from __future__ import annotations

import uuid

import pytest

from generated.errors import ManageInvalidShare
from generated.runtime import Row
from tests.datapath.lab import Client, Lab

pytestmark = pytest.mark.datapath


async def test_a_share_and_its_server_come_back_with_the_data(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 2, "rw 10.0.0.5")
    await five.mount(share["location"])
    await five("write", name="f", text="mine")
    gateway = lab.ganesha(server)
    await lab.driver.unmanage_with_server(share, server)
    await lab.driver.unmanage_server(server["backend_details"])
    assert await five("read", name="f") == "mine"  # nobody notices

    worker = lab.worker()
    worker.private_storage = lab.driver.private_storage
    assert await worker.get_share_server_network_info({}, server["id"], {}) == ["10.0.0.50"]
    _, details = await worker.manage_server({}, server["id"], {})
    again = {"id": str(uuid.uuid4()), "backend_details": details}
    wish = {**share, "id": str(uuid.uuid4()), "export_locations": [{"path": share["location"]}]}
    found = await worker.manage_existing_with_server(wish, {}, again)
    assert (found["size"], lab.ganesha(server)) == (2, gateway)
    location = found["export_locations"][0]["path"]
    assert location.endswith(wish["id"])
    with pytest.raises(Exception, match=r"NOENT|NotFound|refused"):
        await five.mount(share["location"])
    rule = {"id": "r", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}
    await worker.update_access(wish, [rule], [rule], [], [], again)
    await five.mount(location)
    assert await five("read", name="f") == "mine"
    await five("write", name="g", text="more")
    with pytest.raises(ManageInvalidShare):
        await worker.manage_existing_with_server({**wish, "id": str(uuid.uuid4())}, {}, again)
    await worker.extend_share(wish, 3, again)
    await worker.delete_share(wish, again)
