"""Share servers that are let go and taken over: their ports, their shares, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worker.test_servers import Stage
from tests.worker.test_servers import stage as stage

UNKNOWN = "00000000-0000-4000-8000-00000000dead"


async def _manage(stage: Stage, network: str, version: str = "2.99", **fields: Any) -> Any:
    wish = {"host": "node1@gamma", "share_network_id": network, "identifier": "x", "driver_options": {}, **fields}
    return await stage.ask("admin", "POST", "/v2/share-servers/manage", {"share_server": wish}, version)


async def test_a_server_with_a_share_comes_back(stage: Stage) -> None:
    network = await stage.network()
    share = await stage.order(network)
    await stage.work()
    places = await stage.ask("admin", "GET", f"/v2/shares/{share}/export_locations", version="2.55")
    path = places.json["export_locations"][1]["path"]
    host = (await stage.share(share))["host"]
    (server,) = await stage.servers()
    assert (await stage.ask("admin", "POST", f"/v2/shares/{share}/action", {"unmanage": None}, "2.48")).status == 403
    assert (await stage.ask("admin", "POST", f"/v2/shares/{share}/action", {"unmanage": None})).status == 202
    await stage.work()
    (server,) = await stage.servers()
    assert server["is_auto_deletable"] is False
    await stage.ask("admin", "POST", f"/v2/share-servers/{server['id']}/action", {"unmanage": None})
    await stage.work()
    assert await stage.servers() == [] and await stage.count("network_allocations", "deleted = 'False'") == 0
    made = (await _manage(stage, network, identifier=server["id"])).json["share_server"]
    assert (made["status"], made["is_auto_deletable"]) == ("manage_starting", False)
    await stage.work()
    (again,) = await stage.servers()
    assert (again["status"], again["identifier"]) == ("active", server["id"])
    assert await stage.count("network_allocations", f"deleted = 'False' AND share_server_id = '{again['id']}'") == 3
    wish = {"export_path": path, "service_host": host, "protocol": "NFS", "share_server_id": again["id"]}
    share = (await stage.ask("admin", "POST", "/v2/shares/manage", {"share": wish})).json["share"]
    assert (share["share_network_id"], share["share_server_id"]) == (network, again["id"])
    await stage.work()
    assert (await stage.share(share["id"]))["status"] == "available"


async def test_a_server_nobody_knows_may_be_forgotten_again(stage: Stage) -> None:
    network = await stage.network()
    made = (await _manage(stage, network, identifier="lost")).json["share_server"]["id"]
    await stage.work()
    (server,) = await stage.servers()
    assert server["status"] == "manage_error"
    refusal = (await _manage(stage, network, identifier="is-lost-now")).json["badRequest"]["message"]
    assert refusal.endswith("Identifier is-lost-now specified matches existing share servers: lost.")
    answer = await stage.ask("admin", "POST", f"/v2/share-servers/{made}/action", {"unmanage": None})
    assert answer.status == 202
    await stage.work()
    assert await stage.servers() == []


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"identifier": ""}, "Required parameter identifier is empty"),
        ({"host": "node1@gamma#pool"}, "Host parameter should not contain pool."),
        ({"host": "nowhere@gamma"}, "Service nowhere@gamma could not be found."),
        ({"share_network_subnet_id": UNKNOWN}, f"The share network subnet {UNKNOWN} does not exist."),
        ({"driver_options": "x"}, "Driver options must be in dictionary format."),
        ({"identifier": ["x"]}, "identifier must be a text."),
    ],
)
async def test_a_refused_server(stage: Stage, fields: dict[str, Any], text: str) -> None:
    answer = await _manage(stage, await stage.network(), **fields)
    assert (answer.status, answer.json["badRequest"]["message"]) == (400, text)
    assert await stage.servers() == []


async def test_addresses_that_a_driver_writes_otherwise_are_those_of_the_ports(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = await stage.network()
    share = await stage.order(network)
    await stage.work()
    assert (await stage.ask("admin", "POST", f"/v2/shares/{share}/action", {"unmanage": None})).status == 202
    await stage.work()
    (server,) = await stage.servers()
    await stage.ask("admin", "POST", f"/v2/share-servers/{server['id']}/action", {"unmanage": None})
    await stage.work()
    real = stage.driver.get_share_server_network_info

    async def spaced(*arguments: Any) -> list[str]:
        return [f" {one} " for one in await real(*arguments)]

    monkeypatch.setattr(stage.driver, "get_share_server_network_info", spaced)
    await _manage(stage, network, identifier=server["id"])
    await stage.work()
    (again,) = await stage.servers()
    assert again["status"] == "active"
    assert await stage.count("network_allocations", f"deleted = 'False' AND share_server_id = '{again['id']}'") == 3
