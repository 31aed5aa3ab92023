"""Something is removed and begun to be used at the same time: one of the two is refused, as if it had been second."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from db.connection import Database
from db.write import update
from tests.handlers.share_world import make_share
from tests.worker import test_servers
from tests.worker.test_servers import Stage

stage = test_servers.stage
ROUNDS = 6
LEAD = 0.06
"""Seconds that the use has before the removal in the last round, at most: it does more before it comes to the row."""
Answer = Awaitable[Any]
Use = Callable[[Stage, dict[str, str]], Answer]


async def _id(answer: Answer, key: str) -> str:
    got = await answer
    assert got.status < 300, got.content
    return str(got.json[key]["id"])


async def _type(stage: Stage, number: int, servers: bool = True, **specs: str) -> str:
    body = {"name": f"t{number}", "extra_specs": {"driver_handles_share_servers": str(servers), **specs}}
    return await _id(stage.ask("admin", "POST", "/v2/types", {"share_type": body}), "share_type")


async def _thing(stage: Stage, number: int) -> dict[str, str]:
    """One of everything that a round removes: ids by kind."""
    network = await stage.network()
    shown = (await stage.ask("member-a", "GET", f"/v2/share-networks/{network}")).json["share_network"]
    service = {"security_service": {"type": "ldap"}}
    qos = {"qos_type": {"name": f"q{number}"}}
    found = {
        "number": str(number),
        "network": network,
        "subnet": shown["share_network_subnets"][0]["id"],
        "service": await _id(stage.ask("member-a", "POST", "/v2/security-services", service), "security_service"),
        "qos": await _id(stage.ask("admin", "POST", "/v2/qos-types", qos), "qos_type"),
    }
    found["type"] = await _type(stage, number, default_qos_type=f"q{number}")
    group = {"share_group_type": {"name": f"g{number}", "share_types": ["default"]}}
    found["group_type"] = await _id(stage.ask("admin", "POST", "/v2/share-group-types", group), "share_group_type")
    return found


async def _after(waiting: Awaitable[Use], stage: Stage, thing: dict[str, str]) -> Any:
    return await (await waiting)(stage, thing)


async def _deadlocks(stage: Stage) -> int:
    async with stage.core.db.read() as conn:
        row = await conn.one("SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()")
    assert row is not None
    return int(row["n"])


def remove(path: str, who: str = "admin") -> Use:
    """The request that removes one of the things."""
    return lambda stage, thing: stage.ask(who, "DELETE", path.format(**thing))


def post(path: str, body: str, who: str = "member-a") -> Use:
    """The request that uses one; ``body`` is a template, with (( and )) for braces."""

    def send(stage: Stage, thing: dict[str, str]) -> Answer:
        text = body.format(**thing).replace("((", "{").replace("))", "}")
        return stage.ask(who, "POST", path.format(**thing), json.loads(text))

    return send


SHARE = '(("share": (("size": 1, "share_proto": "NFS", "share_network_id": "{network}"'
IN_NETWORK = post("/v2/shares", SHARE + "))))")
OF_TYPE = post("/v2/shares", SHARE + ', "share_type": "{type}"))))', "admin")
GROUP = post(
    "/v2/share-groups", '(("share_group": (("share_network_id": "{network}", "share_group_type_id": "{group_type}"))))'
)
GROUP_TYPE = post(
    "/v2/share-group-types", '(("share_group_type": (("name": "of{number}", "share_types": ["{type}"]))))', "admin"
)
ADD = post("/v2/share-networks/{network}/action", '(("add_security_service": (("security_service_id": "{service}"))))')
SUBNET = post("/v2/share-networks/{network}/subnets", '(("share-network-subnet": (("availability_zone": "nova"))))')

PAIRS = {
    "network-share": (remove("/v2/share-networks/{network}"), IN_NETWORK, {(202, 404), (409, 200)}),
    "network-group": (remove("/v2/share-networks/{network}"), GROUP, {(202, 400), (409, 202)}),
    "network-subnet": (remove("/v2/share-networks/{network}"), SUBNET, {(202, 404), (409, 200)}),
    "network-service": (remove("/v2/share-networks/{network}"), ADD, {(202, 404), (202, 200)}),
    "network-itself": (
        remove("/v2/share-networks/{network}"), remove("/v2/share-networks/{network}"), {(202, 404), (404, 202)},
    ),
    "subnet-share": (
        remove("/v2/share-networks/{network}/subnets/{subnet}"), IN_NETWORK, {(202, 400), (409, 200)},
    ),
    "service-network": (remove("/v2/security-services/{service}"), ADD, {(202, 404), (403, 200)}),
    "type-share": (remove("/v2/types/{type}"), OF_TYPE, {(202, 404), (400, 200)}),
    "type-group-type": (remove("/v2/types/{type}"), GROUP_TYPE, {(202, 404), (400, 200)}),
    "qos-share": (remove("/v2/qos-types/{qos}"), OF_TYPE, {(204, 400), (400, 200), (409, 200)}),
    "group-type-group": (remove("/v2/share-group-types/{group_type}"), GROUP, {(204, 400), (400, 202), (409, 202)}),
}  # fmt: skip
"""Removal, use, and the two statuses that may come of it."""


@pytest.mark.parametrize("pair", PAIRS)
async def test_one_side_wins(stage: Stage, pair: str) -> None:
    removal, use, owed = PAIRS[pair]
    deadlocks = await _deadlocks(stage)
    seen: dict[tuple[int, int], int] = {}
    for number in range(ROUNDS):
        thing = await _thing(stage, number)
        later = asyncio.sleep(number * LEAD / ROUNDS, removal)
        answers = await asyncio.gather(_after(later, stage, thing), use(stage, thing))
        outcome = (answers[0].status, answers[1].status)
        assert outcome in owed, [one.content for one in answers]
        seen[outcome] = seen.get(outcome, 0) + 1
    print(pair, seen)
    assert await _deadlocks(stage) == deadlocks
    await stage.work()
    assert await stage.count("share_instances", "status = 'error'") == 0
    assert await stage.count("share_groups", "status = 'error'") == 0


async def test_a_network_that_goes_is_counted_once(stage: Stage) -> None:
    network = await stage.network()
    path = f"/v2/share-networks/{network}"
    answers = await asyncio.gather(*(stage.ask("member-a", "DELETE", path) for _ in range(4)))
    assert sorted(one.status for one in answers) == [202, 404, 404, 404]
    assert await stage.count("quota_usages", "resource = 'share_networks' AND in_use <> 0") == 0


@pytest.mark.parametrize("target", ["replica", "migration"])
async def test_a_share_on_its_way_to_a_network_keeps_it(stage: Stage, db: Database, target: str) -> None:
    """No instance may be there yet: a migration is still being placed."""
    home = await stage.network()
    type_id = await _type(stage, 1)
    for _ in range(ROUNDS):
        share, instance = await make_share(db, replication_type="readable" if target == "replica" else None)
        state = "active" if target == "replica" else None
        async with db.write() as conn:
            values = {"share_network_id": home, "share_type_id": type_id, "replica_state": state}
            await update(conn, "share_instances", {"id": instance}, values)
        network = await stage.network()
        if target == "replica":
            body: Any = {"share_replica": {"share_id": share, "share_network_id": network}}
            use = stage.ask("member-a", "POST", "/v2/share-replicas", body)
        else:
            flags = dict.fromkeys(("writable", "nondisruptive", "preserve_metadata", "preserve_snapshots"), False)
            body = {
                "migration_start": {**flags, "host": "node1@gamma#fake_pool_for_GAMMA", "new_share_network_id": network}
            }
            use = stage.ask("admin", "POST", f"/v2/shares/{share}/action", body)
        gone, used = await asyncio.gather(stage.ask("member-a", "DELETE", f"/v2/share-networks/{network}"), use)
        assert (gone.status, used.status) in {(202, 400), (409, 202)}, (gone.content, used.content)


async def test_a_type_that_a_share_moves_to_stays(stage: Stage, db: Database) -> None:
    old = await _type(stage, 1, servers=False)
    for number in range(2, 2 + ROUNDS):
        new = await _type(stage, number, servers=False)
        share, instance = await make_share(db)
        async with db.write() as conn:
            await update(conn, "share_instances", {"id": instance}, {"share_type_id": old})
        flags = dict.fromkeys(("writable", "nondisruptive", "preserve_metadata", "preserve_snapshots"), False)
        body = {"migration_start": {**flags, "host": "node1@gamma#fake_pool_for_GAMMA", "new_share_type_id": new}}
        gone, moved = await asyncio.gather(
            stage.ask("admin", "DELETE", f"/v2/types/{new}"),
            stage.ask("admin", "POST", f"/v2/shares/{share}/action", body),
        )
        assert (gone.status, moved.status) in {(202, 400), (400, 202)}, (gone.content, moved.content)


async def test_a_snapshot_that_is_copied_goes_when_the_copy_is_there(stage: Stage) -> None:
    """Either the snapshot went first, or both come true: removing it waits for the share that is made of it."""
    network = await stage.network()
    type_id = await _type(stage, 1, snapshot_support="True", create_share_from_snapshot_support="True")
    share = {"size": 1, "share_proto": "NFS", "share_network_id": network}
    source = await _id(
        stage.ask("member-a", "POST", "/v2/shares", {"share": {**share, "share_type": type_id}}), "share"
    )
    await stage.work()
    for _ in range(ROUNDS // 2):
        taken = stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": source}})
        snapshot = await _id(taken, "snapshot")
        await stage.work()
        gone, copied = await asyncio.gather(
            stage.ask("member-a", "DELETE", f"/v2/snapshots/{snapshot}"),
            stage.ask("member-a", "POST", "/v2/shares", {"share": {**share, "snapshot_id": snapshot}}),
        )
        assert (gone.status, copied.status) in {(202, 400), (202, 200)}, (gone.content, copied.content)
        await stage.work()
        assert await stage.count("share_snapshots", "deleted = 'False'") == 0
    assert await stage.count("share_instances", "status <> 'available' AND deleted = 'False'") == 0


async def test_a_share_is_not_put_on_a_server_that_is_let_go(stage: Stage, db: Database) -> None:
    network = await stage.network()
    first = await stage.order(network)
    await stage.work()
    (server,) = await stage.servers()
    await stage.ask("member-a", "DELETE", f"/v2/shares/{first}")
    await stage.work()
    path = f"/v2/share-servers/{server['id']}/action"
    later = await stage.order(network)
    let_go, _ = await asyncio.gather(stage.ask("admin", "POST", path, {"unmanage": {"force": True}}), stage.work())
    await stage.work()
    share = await stage.share(later)
    assert (let_go.status, share["status"]) in {(202, "available"), (400, "available")}
    left = [one["id"] for one in await stage.servers()]
    assert share["share_server_id"] in left and (let_go.status == 400) == (server["id"] in left)
