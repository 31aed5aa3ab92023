"""Services, zones, messages, pools, and what is small."""

from __future__ import annotations

from typing import Any

import pytest

from db import heartbeats, messages, reports
from db.connection import Database
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over, refusal


@pytest.fixture
def ask(db: Database) -> Ask:
    return asker(core_over(db))


@pytest.fixture
async def two_services(db: Database) -> None:
    for host in ("node1@alpha", "node1@beta"):
        async with db.write() as conn:
            service = await heartbeats.register(conn, "manila-share", "manila-share", host, "nova")
            await heartbeats.beat(conn, service)


async def listed(ask: Ask, query: str = "", version: str = "2.99") -> list[str]:
    answer = await ask("admin", "GET", f"/v2/services{query}", version=version)
    assert answer.status == 200
    return [one["host"] for one in answer.json["services"]]


@pytest.mark.usefixtures("two_services")
async def test_services_are_filtered_and_an_unknown_value_finds_nothing(ask: Ask) -> None:
    both = ["node1@alpha", "node1@beta"]
    assert await listed(ask) == both
    assert await listed(ask, "?host=node1@alpha") == both[:1]
    assert await listed(ask, "?zone=nova&state=up&status=enabled&binary=manila-share") == both
    assert await listed(ask, "?ensuring=false") == both
    assert await listed(ask, "?ensuring=true", version="2.92") == both
    for nothing in ("?ensuring=maybe", "?ensuring=true", "?status=zzz", "?zone=elsewhere", "?topic=x"):
        assert await listed(ask, nothing) == []


@pytest.mark.usefixtures("two_services")
async def test_a_service_is_disabled_with_a_reason_and_enabled(ask: Ask) -> None:
    beta = {"host": "node1@beta", "binary": "manila-share"}
    answer = await ask("admin", "PUT", "/v2/services/disable", {**beta, "disabled_reason": " dust "}, version="2.83")
    assert answer.json == {**beta, "status": "disabled", "disabled_reason": "dust"}
    assert await listed(ask, "?status=disabled") == ["node1@beta"]
    answer = await ask("admin", "PUT", "/v2/services/enable", beta, version="2.82")
    assert answer.json == {**beta, "status": "enabled"}
    assert await listed(ask, "?status=disabled") == []


@pytest.mark.parametrize(
    ("verb", "body", "version", "status"),
    [
        ("bogus", {"host": "h", "binary": "b"}, "2.99", 404),
        ("enable", {"host": "h", "binary": "b"}, "2.99", 404),
        ("enable", {"host": None, "binary": "b"}, "2.99", 404),
        ("enable", {"host": "h"}, "2.99", 400),
        ("enable", [], "2.99", 400),
        ("disable", None, "2.99", 400),
        ("disable", {"host": ["h"], "binary": "b"}, "2.99", 400),
        ("disable", {"host": "h", "binary": "b", "disabled_reason": 5}, "2.99", 400),
        ("disable", {"host": "h", "binary": "b", "disabled_reason": "x" * 256}, "2.99", 400),
        ("disable", {"host": "h", "binary": "b", "disabled_reason": "x"}, "2.82", 400),
    ],
)
async def test_switches_that_are_refused(ask: Ask, verb: str, body: Any, version: str, status: int) -> None:
    assert (await ask("admin", "PUT", f"/v2/services/{verb}", body, version=version)).status == status


@pytest.mark.usefixtures("two_services")
async def test_zones_are_those_with_an_enabled_service(ask: Ask) -> None:
    answer = await ask("member-a", "GET", "/v2/availability-zones")
    assert [zone["name"] for zone in answer.json["availability_zones"]] == ["nova"]
    for host in ("node1@alpha", "node1@beta"):
        await ask("admin", "PUT", "/v2/services/disable", {"host": host, "binary": "manila-share"})
    assert (await ask("member-a", "GET", "/v2/availability-zones")).json == {"availability_zones": []}


async def write_messages(db: Database, count: int, project: str = TENANT_A) -> None:
    for number in range(count):
        async with db.write() as conn:
            values = {
                "project_id": project, "request_id": "req-1", "resource_type": "SHARE", "resource_id": f"r{number}",
                "action_id": "001", "detail_id": "008", "level": "ERROR",
            }  # fmt: skip
            await messages.create(conn, values, 1000)


async def test_messages_page_by_page_are_the_list(ask: Ask, db: Database) -> None:
    await write_messages(db, 5)
    whole = [one["id"] for one in (await ask("member-a", "GET", "/v2/messages")).json["messages"]]
    seen: list[str] = []
    path: str | None = "/v2/messages?limit=2"
    while path:
        body = (await ask("member-a", "GET", path)).json
        seen += [one["id"] for one in body["messages"]]
        path = next((link["href"].partition("8786")[2] for link in body.get("messages_links", [])), None)
    assert seen == whole
    assert len(whole) == 5


async def test_messages_are_their_projects(ask: Ask, db: Database) -> None:
    await write_messages(db, 1)
    (message,) = (await ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert message["user_message"].startswith("allocate host: ")
    path = f"/v2/messages/{message['id']}"
    text = f"Message {message['id']} could not be found."
    assert refusal(await ask("member-b", "GET", path)) == (404, text)
    assert refusal(await ask("member-b", "DELETE", path)) == (404, text)
    assert (await ask("reader-a", "DELETE", path)).status == 403
    assert (await ask("member-a", "DELETE", path)).status == 204
    assert refusal(await ask("member-a", "DELETE", path)) == (404, text)


async def test_messages_by_time_and_order(ask: Ask, db: Database) -> None:
    await write_messages(db, 2)

    async def count(query: str, version: str = "2.52") -> int:
        return len((await ask("member-a", "GET", f"/v2/messages?{query}", version=version)).json["messages"])

    assert await count("created_since=2020-01-01") == 2
    assert await count("created_before=2020-01-01T00:00:00Z") == 0
    assert await count("created_before=2020-01-01", version="2.51") == 2
    assert await count("resource_id=r1") == 1
    assert await count("request_id=other") == 0
    refused = refusal(await ask("member-a", "GET", "/v2/messages?sort_key=bogus"))
    assert refused == (400, "Invalid input received: Invalid sort key bogus.")


@pytest.fixture
async def two_pools(db: Database, two_services: None) -> None:
    async with db.write() as conn:
        for name in ("alpha", "beta"):
            report = {
                "share_backend_name": name.upper(), "driver_handles_share_servers": False, "snapshot_support": True,
                "pools": [{"pool_name": f"pool_{name}", "total_capacity_gb": 10, "free_capacity_gb": 5}],
            }  # fmt: skip
            await reports.save(conn, f"node1@{name}", report)


async def pools(ask: Ask, query: str, version: str = "2.99") -> list[str]:
    answer = await ask("admin", "GET", f"/v2/scheduler-stats/pools{query}", version=version)
    assert answer.status == 200, answer.content
    return [pool["pool"] for pool in answer.json["pools"]]


@pytest.mark.usefixtures("two_pools")
async def test_pools_match_patterns_types_and_capabilities(ask: Ask) -> None:
    body = {"share_type": {"name": "a", "extra_specs": {"driver_handles_share_servers": "True"}}}
    await ask("admin", "POST", "/v2/types", body)
    assert await pools(ask, "") == ["pool_alpha", "pool_beta"]
    assert await pools(ask, "?pool=pool_a.*") == ["pool_alpha"]
    assert await pools(ask, "?backend=beta") == ["pool_beta"]
    assert await pools(ask, "?nothing=beta") == []
    assert await pools(ask, "?share_type=a") == []
    assert await pools(ask, "?share_type=a", version="2.22") == []
    assert await pools(ask, "?capabilities={'share_backend_name':'ALPHA'}") == ["pool_alpha"]
    for query in ("host=(", "capabilities=x", "share_type=nope"):
        assert (await ask("admin", "GET", f"/v2/scheduler-stats/pools?{query}")).status == 400


@pytest.mark.usefixtures("two_pools")
async def test_pools_of_a_service_that_is_disabled_are_not_listed(ask: Ask) -> None:
    """The original lists them until a share is placed again, since it does not look before."""
    service = {"host": "node1@beta", "binary": "manila-share"}
    for change, listed in (("disable", ["pool_alpha"]), ("enable", ["pool_alpha", "pool_beta"])):
        assert (await ask("admin", "PUT", f"/v2/services/{change}", service)).status == 200
        assert await pools(ask, "") == listed
        assert len((await ask("admin", "GET", "/v2/scheduler-stats/pools/detail")).json["pools"]) == len(listed)


async def test_what_is_empty_is_listed_as_empty(ask: Ask) -> None:
    for path, key in (
        ("share-groups", "share_groups"),
        ("share-groups/detail", "share_groups"),
        ("share-group-types", "share_group_types"),
        ("share-replicas", "share_replicas"),
        ("share-replicas/detail", "share_replicas"),
        ("extensions", "extensions"),
    ):
        assert (await ask("member-a", "GET", f"/v2/{path}")).json == {key: []}
    assert (await ask("member-a", "GET", "/v2/extensions/x")).status == 404


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("share-groups?bogus=1", "Invalid input received: Share groups cannot be filtered using 'bogus' key."),
        ("share-groups?sort_key=bogus", "Invalid input received: Wrong sorting key provided - 'bogus'."),
        ("share-groups?limit=x", "limit param must be an integer"),
        ("share-replicas?limit=-1", "limit param must be positive"),
        ("share-replicas?offset=-1", "offset param must be positive"),
        ("share-replicas/nope", "Replica nope not found."),
    ],
)
async def test_lists_that_are_refused(ask: Ask, path: str, text: str) -> None:
    assert refusal(await ask("member-a", "GET", f"/v2/{path}"))[1] == text


async def test_a_filter_by_share_type_is_no_error(ask: Ask) -> None:
    assert (await ask("admin", "GET", "/v2/share-groups/detail?share_types=x")).status == 200
