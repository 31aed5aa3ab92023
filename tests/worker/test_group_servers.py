"""Share groups on share servers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worker import test_servers
from tests.worker.test_servers import Stage
from worker.periodic import Now
from worker.tasks.servers import delete_free_share_servers

stage = test_servers.stage
GROUPS = "/v2/share-groups"


@pytest.fixture
async def network(stage: Stage) -> str:
    """A share network, and the group type ``groups``."""
    body = {"share_group_type": {"name": "groups", "share_types": ["default"]}}
    made = await stage.ask("admin", "POST", "/v2/share-group-types", body)
    assert made.status == 200, made.json
    return await stage.network()


async def order(stage: Stage, **fields: Any) -> Any:
    """A group, made; as an administrator sees it."""
    types = (await stage.ask("admin", "GET", "/v2/share-group-types")).json["share_group_types"]
    body = {"share_group": {"share_group_type_id": types[0]["id"], **fields}}
    answer = await stage.ask("member-a", "POST", GROUPS, body)
    assert answer.status == 202, answer.json
    await stage.work()
    return await show(stage, answer.json["share_group"]["id"])


async def show(stage: Stage, group_id: str) -> Any:
    return (await stage.ask("admin", "GET", f"{GROUPS}/{group_id}")).json["share_group"]


async def test_a_group_and_its_shares_are_on_one_server(stage: Stage, network: str) -> None:
    group = await order(stage, share_network_id=network)
    (server,) = await stage.servers()
    assert (group["status"], group["share_server_id"], server["status"]) == ("available", server["id"], "active")
    assert group["host"].startswith("node1@gamma#")
    path, free = f"/v2/share-servers/{server['id']}", Now(stage.core, stage.backend, expired=True)
    await delete_free_share_servers(free)
    await stage.work()
    assert (await stage.ask("admin", "DELETE", path)).status == 409
    in_use = await stage.ask("member-a", "DELETE", f"/v2/share-networks/{network}")
    assert (in_use.status, in_use.json["conflictingRequest"]["message"]) == (
        409, f"Can not delete share network {network}, it has 1 share group(s).",
    )  # fmt: skip
    share = {"size": 1, "share_proto": "NFS", "share_network_id": network, "share_group_id": group["id"]}
    made = await stage.ask("member-a", "POST", "/v2/shares", {"share": share})
    assert made.status == 200, made.json
    other = await stage.order(network)
    await stage.work()
    for share_id in (made.json["share"]["id"], other):
        assert (await stage.share(share_id))["share_server_id"] == server["id"]
    del share["share_network_id"]
    refused = await stage.ask("member-a", "POST", "/v2/shares", {"share": share})
    assert (refused.status, refused.json["badRequest"]["message"]) == (
        400, f"The specified share network (None) is not supported by the specified share group ({group['id']}).",
    )  # fmt: skip


async def test_a_copy_is_on_its_sources_server(stage: Stage, network: str) -> None:
    group = await order(stage, share_network_id=network)
    share = {"size": 1, "share_proto": "NFS", "share_network_id": network, "share_group_id": group["id"]}
    await stage.ask("member-a", "POST", "/v2/shares", {"share": share})
    await stage.work()
    body = {"share_group_snapshot": {"share_group_id": group["id"]}}
    taken = await stage.ask("member-a", "POST", "/v2/share-group-snapshots", body)
    await stage.work()
    copy = await order(stage, source_share_group_snapshot_id=taken.json["share_group_snapshot"]["id"])
    assert (copy["status"], copy["share_network_id"]) == ("available", network)
    assert copy["share_server_id"] == group["share_server_id"]
    listed = await stage.ask("admin", "GET", f"/v2/shares/detail?share_group_id={copy['id']}&all_tenants=1")
    (made,) = listed.json["shares"]
    assert (made["status"], made["share_server_id"]) == ("available", group["share_server_id"])
    by_server = await stage.ask("admin", "GET", f"{GROUPS}?all_tenants=1&share_server_id={group['share_server_id']}")
    assert len(by_server.json["share_groups"]) == 2


async def test_without_a_server_the_group_is_in_error(stage: Stage, network: str) -> None:
    stage.driver.faults.fail("setup_server")
    group = await order(stage, share_network_id=network)
    assert (group["status"], group["availability_zone"]) == ("error", None)
    assert await stage.count("messages", "detail_id = '004' AND resource_type = 'SHARE_GROUP'") == 1
    assert await stage.count("network_allocations", "deleted = 'False'") == 0
    assert (await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")).status == 202
    await stage.work()
    assert (await stage.ask("member-a", "GET", f"{GROUPS}/{group['id']}")).status == 404
    assert (await order(stage, share_network_id=network))["status"] == "available"


async def test_the_free_server_of_a_removed_group_is_swept(stage: Stage, network: str) -> None:
    group = await order(stage, share_network_id=network)
    await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")
    await stage.work()
    await delete_free_share_servers(Now(stage.core, stage.backend, expired=True))
    await stage.work()
    assert await stage.servers() == []


async def test_what_a_group_is_in_stays(stage: Stage, network: str) -> None:
    """The network and the subnet of a group without shares, while it is made, when it is there and in error."""
    other = {"share-network-subnet": {"availability_zone": "nova"}}
    subnets = f"/v2/share-networks/{network}/subnets"
    assert (await stage.ask("member-a", "POST", subnets, other)).status == 200
    types = (await stage.ask("admin", "GET", "/v2/share-group-types")).json["share_group_types"]
    body = {"share_group": {"share_group_type_id": types[0]["id"], "share_network_id": network}}
    group = (await stage.ask("member-a", "POST", GROUPS, body)).json["share_group"]["id"]
    listed = (await stage.ask("member-a", "GET", subnets)).json["share_network_subnets"]
    used = next(one["id"] for one in listed if one["availability_zone"] == "nova")
    text = f"Cannot delete share network subnet {used} of share network {network}, it has one or more share groups."

    async def kept() -> None:
        for path, told in (
            (f"{subnets}/{used}", text),
            (f"/v2/share-networks/{network}", f"Can not delete share network {network}, it has 1 share group(s)."),
        ):
            answer = await stage.ask("member-a", "DELETE", path)
            assert (answer.status, answer.json["conflictingRequest"]["message"]) == (409, told)
        assert len((await stage.ask("member-a", "GET", subnets)).json["share_network_subnets"]) == 2

    await kept()
    await stage.work()
    assert (await show(stage, group))["status"] == "available"
    await kept()
    reset = {"reset_status": {"status": "error"}}
    assert (await stage.ask("admin", "POST", f"{GROUPS}/{group}/action", reset)).status == 202
    await kept()
    assert (await stage.ask("member-a", "DELETE", f"{GROUPS}/{group}")).status == 202
    await stage.work()
    for one in listed:
        assert (await stage.ask("member-a", "DELETE", f"{subnets}/{one['id']}")).status == 202
    await stage.work()
    assert await stage.servers() == []
    assert (await stage.ask("member-a", "DELETE", f"/v2/share-networks/{network}")).status == 202
