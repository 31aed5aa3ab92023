"""A tenant's requests through the service's API, its scheduler and a worker, to the Kubernetes back end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import heartbeats, reports
from db.connection import Database
from drivers.kubernetes.api import CLAIM, STATEFUL_SET
from network.standalone import StandaloneOptions, StandalonePlugin
from tests.handlers.catalogue import core_over
from tests.kube.api.back_end import BackEnd, installed
from tests.kube.api.conftest import Bench
from tests.worker.test_servers import Stage
from worker.operation import Backend


@pytest.fixture
async def back_end(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    async with installed(bench, request) as found:
        yield found


async def staged(db: Database, back_end: BackEnd, **options: Any) -> Stage:
    """The service over this back end, which is set up and has reported."""
    core = core_over(db)
    driver = back_end.driver(**options)
    backend = Backend("kube", "node1@kube", driver, StandalonePlugin(StandaloneOptions("10.0.0.1", "24")))
    await driver.do_setup()
    async with db.write() as conn:
        service = await heartbeats.register(conn, "manila-share", "manila-share", backend.host, "nova")
        await heartbeats.beat(conn, service)
        await reports.save(conn, backend.host, await driver.get_share_stats(refresh=True))
    stage = Stage(core, backend)
    specs = {"driver_handles_share_servers": "True", "share_backend_name": "kube"}
    made = await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": specs}})
    assert made.status == 200, made.json
    return stage


async def ordered(stage: Stage, network: str, size: int) -> str:
    body = {"share": {"size": size, "share_proto": "NFS", "share_network_id": network}}
    answer = await stage.ask("member-a", "POST", "/v2/shares", body)
    assert answer.status == 200, answer.json
    return str(answer.json["share"]["id"])


async def test_a_volume_that_never_comes_is_an_error_with_a_message_and_leaves_nothing(
    db: Database, back_end: BackEnd
) -> None:
    stage = await staged(db, back_end, kubernetes_bind_timeout=1.0)
    network = await stage.network()
    first = await ordered(stage, network, 1)
    await stage.work()
    assert (await stage.share(first))["status"] == "available"
    before = await back_end.everything()
    back_end.player.holds_back = "share-"
    share = await ordered(stage, network, 1)
    await stage.work()
    assert (await stage.share(share))["status"] == "error"
    assert await back_end.everything() == before
    answer = await stage.ask("member-a", "GET", f"/v2/messages?resource_id={share}")
    assert answer.status == 200, answer.json
    (message,) = answer.json["messages"]
    print("user message:", message["user_message"])
    assert (message["action_id"], message["resource_type"]) == ("002", "SHARE")
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    assert (await stage.ask("member-a", "GET", f"/v2/shares/{share}")).status == 404
    assert await back_end.everything() == before


async def test_a_state_that_never_comes_is_an_error_of_server_and_share(db: Database, back_end: BackEnd) -> None:
    stage = await staged(db, back_end, kubernetes_bind_timeout=1.0)
    back_end.player.holds_back = "state-"
    share = await ordered(stage, await stage.network(), 1)
    await stage.work()
    assert (await stage.share(share))["status"] == "error"
    assert [one["status"] for one in await stage.servers()] == ["error"]
    assert await back_end.everything() == []


@pytest.mark.parametrize(
    ("limits", "sizes", "expected"),
    [
        ({"max_shares_per_share_server": 2}, [1, 1, 1, 1, 1], [[1], [1, 1], [1, 1]]),
        ({"max_share_server_size": 5}, [3, 2, 3, 2], [[2, 3], [2, 3]]),
        ({"max_share_server_size": 4, "max_shares_per_share_server": 2}, [3, 3, 1, 1], [[1, 3], [1, 3]]),
    ],
)
async def test_a_server_takes_no_more_than_the_back_end_lets_it(
    db: Database, back_end: BackEnd, limits: dict[str, int], sizes: list[int], expected: list[list[int]]
) -> None:
    stage = await staged(db, back_end, **limits)
    network = await stage.network()
    shares: list[Any] = []
    for size in sizes:
        shares.append(await ordered(stage, network, size))
        await stage.work()
    seen: dict[str, list[int]] = {}
    for one in shares:
        share = await stage.share(one)
        assert share["status"] == "available"
        seen.setdefault(share["share_server_id"], []).append(share["size"])
    assert sorted(sorted(one) for one in seen.values()) == expected
    assert len(await back_end.names(STATEFUL_SET)) == len(expected)
    on = {name: (await back_end.the(CLAIM, name))["metadata"]["labels"] for name in await back_end.names(CLAIM)}
    held = [one["manila.openkeel.io/share-server"] for name, one in on.items() if name.startswith("share-")]
    assert sorted(held.count(server) for server in seen) == sorted(len(one) for one in expected)
    projects = {one.get("manila.openkeel.io/project") for name, one in on.items() if name.startswith("state-")}
    assert len(projects) == 1
    assert None not in projects
