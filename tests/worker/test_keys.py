"""Encryption keys of share servers: a server for each key, a quota that never leaks."""

from __future__ import annotations

from typing import Any

from network.keys import NoKeys, StandInKeys
from tests.worker.test_servers import Stage
from tests.worker.test_servers import stage as stage

KEYS = ("11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555")


async def _order(stage: Stage, network: str, key: str | None) -> str:
    share = {"size": 1, "share_proto": "NFS", "share_network_id": network, "share_type": "enc"}
    answer = await stage.ask("member-a", "POST", "/v2/shares", {"share": {**share, "encryption_key_ref": key}})
    assert answer.status == 200, answer.json
    return str(answer.json["share"]["id"])


async def _type(stage: Stage) -> None:
    specs = {"driver_handles_share_servers": "True", "encryption_support": "share_server"}
    body = {"share_type": {"name": "enc", "extra_specs": specs}}
    assert (await stage.ask("admin", "POST", "/v2/types", body)).status == 200


async def _used(stage: Stage) -> Any:
    found = await stage.ask("member-a", "GET", "/v2/quota-sets/b0000000000000000000000000000000/detail")
    return found.json["quota_set"]["encryption_keys"]["in_use"]


async def test_a_server_for_each_key(stage: Stage) -> None:
    stage.backend.keys = StandInKeys()
    told: list[Any] = []
    set_up = stage.driver.setup_server

    async def noting(info: Any, metadata: Any = None) -> Any:
        told.append(metadata)
        return await set_up(info, metadata)

    stage.driver.setup_server = noting
    await _type(stage)
    network = await stage.network()
    shares = [await _order(stage, network, key) for key in (KEYS[0], KEYS[0], KEYS[1], None)]
    assert await _used(stage) == 2
    await stage.work()
    assert [(await stage.share(one))["status"] for one in shares] == ["available"] * 4
    servers = {one["id"]: one["encryption_key_ref"] for one in await stage.servers()}
    assert sorted(map(str, servers.values())) == sorted([*KEYS, "None"])
    on = [(await stage.share(one))["share_server_id"] for one in shares]
    assert on[0] == on[1] and [servers[one] for one in on] == [KEYS[0], KEYS[0], KEYS[1], None]
    secrets = sorted(str(one.get("application_credential_secret")) for one in told)
    assert secrets == sorted([*KEYS, "None"])
    for share in shares:
        await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    assert await _used(stage) == 2  # the servers still have their keys
    for server in servers:
        assert (await stage.ask("admin", "DELETE", f"/v2/share-servers/{server}")).status == 202
    await stage.work()
    assert await stage.servers() == [] and await _used(stage) == 0
    assert await stage.count("encryption_refs", "deleted = 'False'") == 0


async def test_without_a_key_manager_such_a_share_ends_in_error_and_leaves_nothing(stage: Stage) -> None:
    stage.backend.keys = NoKeys()
    await _type(stage)
    share = await _order(stage, await stage.network(), KEYS[0])
    assert await _used(stage) == 1
    await stage.work()
    assert (await stage.share(share))["status"] == "error"
    assert await stage.servers() == [] and await _used(stage) == 0
    (message,) = (await stage.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert (message["action_id"], message["detail_id"]) == ("002", "004")


async def test_what_is_no_key(stage: Stage) -> None:
    await _type(stage)
    network = await stage.network()
    for key in ("x", "{11111111-2222-4333-8444-555555555555}"):
        share = {"size": 1, "share_proto": "NFS", "share_network_id": network, "share_type": "enc"}
        answer = await stage.ask("member-a", "POST", "/v2/shares", {"share": {**share, "encryption_key_ref": key}})
        assert answer.status == 400
