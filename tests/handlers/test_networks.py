"""Share networks, subnets and security services, and who may see which."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from db.connection import Database
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over, refusal

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]
UNKNOWN = "11111111-1111-4111-8111-111111111111"


@pytest.fixture
async def ask(db: Database) -> AsyncIterator[Ask]:
    yield asker(core_over(db))


async def network(ask: Ask, who: str = "member-a", **values: Any) -> dict[str, Any]:
    answer = await ask(who, "POST", "/v2/share-networks", {"share_network": {"name": "n", **values}})
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json["share_network"]
    return found


async def service(ask: Ask, who: str = "member-a", **values: Any) -> str:
    body = {"security_service": {"type": "ldap", "password": "secret", **values}}
    answer = await ask(who, "POST", "/v2/security-services", body)
    assert answer.status == 200, answer.json
    return str(answer.json["security_service"]["id"])


async def test_a_network_lives_and_counts(ask: Ask, db: Database) -> None:
    made = await network(ask, neutron_net_id="net", neutron_subnet_id="sub")
    assert [one["neutron_net_id"] for one in made["share_network_subnets"]] == ["net"]
    old = await ask("member-a", "GET", f"/v2/share-networks/{made['id']}", version="2.0")
    assert (old.json["share_network"]["neutron_net_id"], old.json["share_network"]["nova_net_id"]) == ("net", None)
    assert (await ask("member-a", "DELETE", f"/v2/share-networks/{made['id']}")).status == 202
    assert refusal(await ask("member-a", "GET", f"/v2/share-networks/{made['id']}"))[0] == 404
    async with db.read() as conn:
        rows = await conn.all("SELECT project_id, in_use FROM quota_usages WHERE resource = 'share_networks'")
    assert [(row["project_id"], row["in_use"]) for row in rows] == [(TENANT_A, 0)]


async def test_a_number_in_place_of_a_text_is_shown_as_it_was_sent_once(ask: Ask) -> None:
    net = await network(ask)
    for path, key in (
        (f"/v2/share-networks/{net['id']}", "share_network"),
        ("/v2/security-services", "security_service"),
    ):
        values = {"name": 5, "description": False, **({"type": "ldap"} if key == "security_service" else {})}
        answer = await ask("member-a", "PUT" if key == "share_network" else "POST", path, {key: values})
        assert (answer.json[key]["name"], answer.json[key]["description"]) == (5, False)
        shown = await ask("member-a", "GET", f"{path.partition('/' + net['id'])[0]}/{answer.json[key]['id']}")
        assert (shown.json[key]["name"], shown.json[key]["description"]) == ("5", "false")


async def test_a_creator_may_date_and_describe_the_network(ask: Ask) -> None:
    given: dict[str, Any] = {"network_type": "vlan", "segmentation_id": 1000, "cidr": "10.0.0.0/24", "ip_version": 4}
    made = await network(ask, created_at="2002-02-02", updated_at=None, **given)
    old = (await ask("admin", "GET", f"/v2/share-networks/{made['id']}", version="2.0")).json["share_network"]
    assert old["created_at"] == "2002-02-02T00:00:00.000000"
    assert {name: old[name] for name in given} == given
    found = await ask("member-a", "GET", "/v2/share-networks/detail?created_before=2002-10-10")
    assert [one["id"] for one in found.json["share_networks"]] == [made["id"]]
    refused: list[Any] = [{"created_at": "yesterday"}, {"created_at": 5}, {"mtu": "x"}, {"ip_version": 2**40}]
    for bad in [*refused, {"cidr": {}}]:
        answer = await ask("member-a", "POST", "/v2/share-networks", {"share_network": {"name": "n", **bad}})
        assert answer.status == 400, bad


async def test_reads_take_few_statements(ask: Ask, statements: Statements) -> None:
    ids = [(await network(ask, name=f"n{number}"))["id"] for number in range(5)]
    await service(ask)
    for path, most in (
        (f"/v2/share-networks/{ids[0]}", 2),
        ("/v2/share-networks/detail", 3),
        ("/v2/security-services/detail", 3),
        ("/v2/share-servers", 3),
    ):
        with statements() as seen:
            assert (await ask("admin" if "servers" in path else "member-a", "GET", path)).status == 200
        assert len(seen) <= most, path


@pytest.mark.parametrize(
    ("body", "version", "expected"),
    [
        ({}, "2.55", (422, "The request body contains invalid values.")),
        ({"share_network": {"nova_net_id": "x"}}, "2.55", (400, "nova networking is not supported starting in Ocata.")),
        (
            {"share_network": {"availability_zone": "mars"}},
            "2.51",
            (400, "The provided availability zone mars does not exist."),
        ),
        ({"share_network": {"name": {}}}, "2.55", (400, "name must be a string.")),
        (
            {"share_network": None},
            "2.55",
            (400, "The server could not comply with the request since it is either malformed or otherwise incorrect."),
        ),
        (
            {"share_network": {"neutron_net_id": "x"}},
            "2.55",
            (
                400,
                "When creating a new share network subnet you need to specify both neutron_net_id and "
                "neutron_subnet_id or none of them.",
            ),
        ),
    ],
)
async def test_refused_networks(ask: Ask, body: Any, version: str, expected: tuple[int, str]) -> None:
    answer = await ask("member-a", "POST", "/v2/share-networks", body, version)
    status, text = refusal(answer)
    assert status == expected[0]
    if status != 422:
        assert text == expected[1]


async def test_a_zone_is_ignored_before_subnets_had_one(ask: Ask) -> None:
    body = {"share_network": {"availability_zone": "mars"}}
    assert (await ask("member-a", "POST", "/v2/share-networks", body, "2.50")).status == 200


async def test_the_quota_holds(db: Database) -> None:
    asked = asker(core_over(db))
    body = {"quota_set": {"share_networks": 1}}
    assert (await asked("admin", "PUT", f"/v2/quota-sets/{TENANT_A}", body)).status == 200
    await network(asked)
    answer = await asked("member-a", "POST", "/v2/share-networks", {"share_network": {}})
    assert refusal(answer)[0] == 413


async def test_filters_and_paging(ask: Ask) -> None:
    first = await network(ask, name="alpha", neutron_net_id="net-1", neutron_subnet_id="sub-1")
    second = await network(ask, name="beta")

    async def ids(query: str, version: str = "2.99") -> list[str]:
        answer = await ask("member-a", "GET", f"/v2/share-networks?{query}", version=version)
        assert answer.status == 200, answer.json
        return [one["id"] for one in answer.json["share_networks"]]

    assert await ids("name=alpha") == [first["id"]]
    assert await ids("name~=et") == [second["id"]]
    assert await ids("name~=et", "2.35") == []
    assert await ids("neutron_net_id=net-1") == [first["id"]]
    assert await ids("unknown=1") == []
    assert await ids("created_since=2099-01-01") == []
    assert await ids("limit=1") == [first["id"]]
    assert await ids(f"limit=1&marker={first['id']}") == [second["id"]]
    assert await ids("project_id=other&all_tenants=1") == [first["id"], second["id"]]
    assert refusal(await ask("member-a", "GET", "/v2/share-networks?ip_version=x"))[0] == 400
    assert refusal(await ask("member-a", "GET", "/v2/share-networks?created_before=x"))[0] == 400


async def test_a_subnet_is_found_within_its_own_network_only(ask: Ask) -> None:
    theirs, own = await network(ask), await network(ask, "member-b")
    subnet = theirs["share_network_subnets"][0]["id"]
    unknown = refusal(await ask("member-b", "GET", f"/v2/share-networks/{own['id']}/subnets/{UNKNOWN}"))
    for method in ("GET", "DELETE"):
        got = refusal(await ask("member-b", method, f"/v2/share-networks/{own['id']}/subnets/{subnet}"))
        assert (got[0], got[1].replace(subnet, UNKNOWN)) == unknown
    got = refusal(await ask("member-b", "GET", f"/v2/share-networks/{own['id']}/subnets/{subnet}/metadata"))
    assert got == (404, "Share_network_subnet not found.")
    assert (await ask("member-a", "GET", f"/v2/share-networks/{theirs['id']}/subnets/{subnet}")).status == 200


async def test_a_foreign_security_service_is_as_an_unknown_one(ask: Ask) -> None:
    theirs, own = await service(ask), await network(ask, "member-b")
    for method in ("GET", "PUT", "DELETE"):
        body = {"security_service": {"name": "mine"}} if method == "PUT" else None
        unknown = refusal(await ask("member-b", method, f"/v2/security-services/{UNKNOWN}", body))
        assert refusal(await ask("member-b", method, f"/v2/security-services/{theirs}", body)) == unknown
        assert unknown[0] == 404
    path = f"/v2/share-networks/{own['id']}/action"
    answers = []
    for one in (theirs, UNKNOWN):
        status, text = refusal(
            await ask("member-b", "POST", path, {"add_security_service": {"security_service_id": one}})
        )
        answers.append((status, text.replace(one, "ID")))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    listed = await ask("member-b", "GET", f"/v2/security-services/detail?share_network_id={own['id']}")
    assert listed.json == {"security_services": []}
    assert (await ask("member-a", "DELETE", f"/v2/security-services/{theirs}")).status == 202


async def test_security_services_are_added_replaced_and_taken_away(ask: Ask) -> None:
    net, first, second = await network(ask), await service(ask), await service(ask)
    other = await service(ask, type="kerberos")
    path = f"/v2/share-networks/{net['id']}/action"

    async def act(name: str, status: int, **arguments: str) -> None:
        answer = await ask("member-a", "POST", path, {name: arguments})
        assert answer.status == status, answer.json

    await act("add_security_service_check", 202, security_service_id=first)
    await act("add_security_service", 200, security_service_id=first)
    await act("add_security_service", 409, security_service_id=second)
    await act("update_security_service_check", 409, current_service_id=first, new_service_id=other)
    answer = await ask(
        "member-a", "POST", path, {"update_security_service": {"current_service_id": "x", "new_service_id": 1}}
    )
    assert refusal(answer) == (400, "The current security service or the new security service doesn't exist.")
    await act("update_security_service", 202, current_service_id=first, new_service_id=second)
    assert refusal(await ask("member-a", "DELETE", f"/v2/security-services/{second}"))[0] == 403
    listed = await ask("member-a", "GET", f"/v2/security-services/detail?share_network_id={net['id']}")
    assert [(one["id"], one["share_networks"]) for one in listed.json["security_services"]] == [(second, [net["id"]])]
    await act("remove_security_service", 200, security_service_id=second)
    await act("remove_security_service", 400, security_service_id=second)
    await act("add_security_service", 400)


async def test_a_reader_may_not_ask_back_ends_for_a_subnet_check(ask: Ask) -> None:
    path = f"/v2/share-networks/{(await network(ask))['id']}/action"
    body: dict[str, object] = {"share_network_subnet_create_check": {}}
    assert (await ask("member-a", "POST", path, body)).json == {"compatible": True}
    assert refusal(await ask("reader-a", "POST", path, body))[0] == 403


async def test_subnets_and_their_metadata(ask: Ask) -> None:
    net = await network(ask)
    path = f"/v2/share-networks/{net['id']}/subnets"
    refused = refusal(await ask("member-a", "POST", path, {"share-network-subnet": {}}, "2.69"))
    assert refused[0] == 409
    made = await ask("member-a", "POST", path, {"share-network-subnet": {"metadata": {"a": "1"}}})
    subnet = made.json["share_network_subnet"]
    assert subnet["metadata"] == {"a": "1"}
    items = f"{path}/{subnet['id']}/metadata"
    assert (await ask("member-a", "POST", items, {"metadata": {"b": "2"}})).json == {"metadata": {"b": "2"}}
    assert (await ask("member-a", "GET", items)).json == {"metadata": {"a": "1", "b": "2"}}
    assert (await ask("member-a", "PUT", items, {"metadata": {"c": "3"}})).json == {"metadata": {"c": "3"}}
    assert refusal(await ask("member-a", "GET", f"{items}/a"))[0] == 404
    assert (await ask("member-a", "DELETE", f"{items}/c")).status == 200
    assert refusal(await ask("member-a", "POST", items, {"metadata": []}))[0] == 400
    assert refusal(await ask("member-a", "DELETE", f"/v2/share-networks/{net['id']}"))[0] == 409
    assert (await ask("member-a", "DELETE", f"{path}/{subnet['id']}")).status == 202
    assert (await ask("member-a", "DELETE", f"/v2/share-networks/{net['id']}")).status == 202


async def test_a_number_of_any_size_in_place_of_a_text(ask: Ask) -> None:
    huge = 10**20
    body = {"security_service": {"type": "ldap", "name": huge, "password": huge}}
    made = await ask("member-a", "POST", "/v2/security-services", body)
    assert (made.status, made.json["security_service"]["name"]) == (200, huge)
    path = f"/v2/security-services/{made.json['security_service']['id']}"
    assert (await ask("member-a", "GET", path)).json["security_service"]["name"] == str(huge)
    changed = await ask("member-a", "PUT", path, {"security_service": {"description": -huge}})
    assert (changed.status, changed.json["security_service"]["description"]) == (200, -huge)


async def test_a_service_keeps_its_type(ask: Ask) -> None:
    path = f"/v2/security-services/{await service(ask)}"
    assert (await ask("member-a", "PUT", path, {"security_service": {"type": None, "name": "x"}})).status == 400
    kept = (await ask("member-a", "GET", path)).json["security_service"]
    assert (kept["type"], kept["name"]) == ("ldap", None)
