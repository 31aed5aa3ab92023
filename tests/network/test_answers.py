"""What Neutron, and what stands in front of it, may answer: pages, absences, a start, refusals, odd ids."""

from __future__ import annotations

import email.utils
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest
from structlog.testing import capture_logs

from generated.errors import NetworkException, PortLimitExceeded
from network.answers import LONGEST, next_page, retry_after
from network.base import AddressesExhausted, NoFittingSubnet, Sought, Unavailable
from network.client import ATTEMPTS, Client, NeutronOptions, at
from network.neutron import NeutronPlugin
from network.tokens import fixed
from tests.lab.ovn.accounts import INSIDE
from tests.lab.ovn.groups import GroupNeutron
from tests.network.plugins import PROJECT, SUBNET, plugin_of

AWAY = (408, 429, 502, 503, 504)


@pytest.fixture
def neutron() -> Iterator[Any]:
    server = GroupNeutron(default_groups=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
async def plugin(neutron: Any) -> AsyncIterator[NeutronPlugin]:
    one = plugin_of(neutron)
    yield one
    await one.close()


def fault(neutron: Any, method: str, path: str, status: int, count: int = 1, kind: str = "Fault") -> None:
    neutron.state.faults.append({"method": method, "path": path, "status": status, "count": count, "type": kind})


def statuses(neutron: Any, method: str, path: str) -> list[int]:
    return [one["status"] for one in neutron.state.calls if one["method"] == method and one["path"].startswith(path)]


# -- pages


@pytest.mark.parametrize("page", [1, 3, 10])
async def test_rules_of_all_pages_are_closed(plugin: NeutronPlugin, neutron: Any, page: int) -> None:
    await plugin.allocate("srv", PROJECT, SUBNET, 1)
    await plugin.ports.admit("srv", [f"10.0.0.{number}/32" for number in range(10)])
    neutron.state.page = page
    await plugin.ports.admit("srv", [])
    (group,) = [one["id"] for one in neutron.state.groups.values() if one["name"] == "manila-srv"]
    assert [one for one in neutron.state.rules.values() if one["security_group_id"] == group] == []


async def test_ports_of_all_pages_are_seen(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.page = 3
    made = await plugin.allocate("srv", PROJECT, SUBNET, 5)
    ids = {one["id"] for one in made.allocations}
    assert {one.port_id for one in await plugin.held() if one.ours} == ids
    again = await plugin.allocate("srv", PROJECT, SUBNET, 5, again=True)
    assert {one["id"] for one in again.allocations} == ids
    addresses = [one["ip_address"] for one in made.allocations]
    assert {one["id"] for one in (await plugin.adopt("new", addresses, SUBNET)).allocations} == ids
    await plugin.deallocate("srv", [], Sought(SUBNET, PROJECT, 5))
    assert neutron.state.ports == {}


async def test_links_are_followed_at_the_address_that_is_known() -> None:
    """Neutron names its own inside of a proxy; only the query is taken from it."""
    following = {"rel": "next", "href": f"{INSIDE}/v2.0/ports?marker=2&a=b&a=c"}
    links = [{"rel": "previous", "href": "x?marker=1"}, following]
    assert next_page(links) == {"marker": ["2"], "a": ["b", "c"]}
    assert next_page(links[:1]) is None and next_page(None) is None


class Answers:
    """A server with these answers, one after the other; the last one again and again."""

    def __init__(self, *given: Any) -> None:
        self.given, self.seen = list(given), list[httpx2.Request]()

    def client(self) -> Client:
        made = Client(NeutronOptions("http://neutron.test", backoff=0.001), fixed("t"))
        made._http = httpx2.AsyncClient(transport=httpx2.MockTransport(self.answer))
        return made

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append(request)
        found = self.given.pop(0) if len(self.given) > 1 else self.given[0]
        return found if isinstance(found, httpx2.Response) else httpx2.Response(200, json=found)


async def test_pages_without_an_end() -> None:
    link = [{"rel": "next", "href": "x?marker=1"}]
    with pytest.raises(NetworkException, match="go in a circle"):
        await Answers({"ports": [{"id": "1"}], "ports_links": link}).client().listing("ports")


async def test_the_row_where_a_page_ended_is_gone() -> None:
    """From the first page again, nothing twice."""
    first = {"ports": [{"id": "1"}], "ports_links": [{"rel": "next", "href": "x?marker=1"}]}
    gone = httpx2.Response(404, json={"NeutronError": {"type": "PortNotFound", "message": "1", "detail": ""}})
    assert await Answers(first, gone, {"ports": [{"id": "2"}]}).client().listing("ports") == [{"id": "2"}]


# -- a proxy in front


@pytest.mark.parametrize("status", AWAY)
async def test_what_is_read_is_asked_again(plugin: NeutronPlugin, neutron: Any, status: int) -> None:
    fault(neutron, "GET", "/networks", status, 2)
    await plugin.describe(SUBNET)
    assert statuses(neutron, "GET", "/v2.0/networks") == [status, status, 200]


@pytest.mark.parametrize("status", AWAY)
@pytest.mark.parametrize("reached", [False, True], ids=["not made", "made"])
async def test_nothing_is_made_twice(plugin: NeutronPlugin, neutron: Any, status: int, reached: bool) -> None:
    """A port, a group and rules are asked for again only when they are not there."""
    state, handle = neutron.state, neutron.state.handle
    lost: list[str] = []

    def losing(method: str, path: str, query: Any, body: Any) -> Any:
        if method == "POST" and path not in lost:
            lost.append(path)
            if reached:
                handle(method, path, query, body)
            raise GroupNeutronError(status)
        return handle(method, path, query, body)

    state.handle = losing
    made = await plugin.allocate("srv", PROJECT, SUBNET, 1)
    await plugin.ports.admit("srv", ["10.0.0.5/32", "10.0.0.6/32"])
    state.handle = handle
    assert sorted(lost) == ["/v2.0/ports", "/v2.0/security-group-rules", "/v2.0/security-groups"]
    assert set(state.ports) == {made.allocations[0]["id"]}
    (group,) = [one["id"] for one in state.groups.values() if one["name"] == "manila-srv"]
    rules = [one["remote_ip_prefix"] for one in state.rules.values() if one["security_group_id"] == group]
    assert sorted(rules) == ["10.0.0.5/32", "10.0.0.6/32"]
    for path in lost:
        assert len(statuses(neutron, "POST", path)) == (1 if reached else 2)


def GroupNeutronError(status: int) -> Exception:
    from tests.lab.ovn.accounts import fake

    made: Exception = fake.NeutronError(status, "Proxy", "away")
    return made


@pytest.mark.parametrize("status", AWAY)
async def test_for_good_it_is_infrastructure(plugin: NeutronPlugin, neutron: Any, status: int) -> None:
    fault(neutron, "GET", "/networks", status, 99)
    with pytest.raises(Unavailable):
        await plugin.describe(SUBNET)
    assert len(statuses(neutron, "GET", "/v2.0/networks")) == ATTEMPTS


async def test_a_page_of_a_proxy_is_no_answer() -> None:
    html = httpx2.Response(200, text="<html>Sign in</html>")
    with pytest.raises(Unavailable, match="not Neutron"):
        await Answers(html).client().request("GET", "networks/1")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0.0), ("7", 7.0), ("9999", LONGEST), ("", None), ("soon", None), ("-1", None)],
)
def test_retry_after(text: str, seconds: float | None) -> None:
    assert retry_after(httpx2.Headers({"Retry-After": text})) == seconds


def test_retry_after_a_date() -> None:
    text = email.utils.formatdate(time.time() + 10, usegmt=True)
    found = retry_after(httpx2.Headers({"Retry-After": text}))
    assert found is not None and 5 < found <= 10
    assert retry_after(httpx2.Headers({"Retry-After": email.utils.formatdate(0, usegmt=True)})) == 0.0


async def test_retry_after_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("network.client.asyncio.sleep", sleep)
    later = httpx2.Response(429, headers={"Retry-After": "3"})
    client = Answers(later, {"network": {"id": "1"}}).client()
    await client.request("GET", "networks/1")
    assert waits == [3.0]


# -- a start of Neutron


async def test_right_after_a_lost_connection_nothing_is_taken_for_gone(plugin: NeutronPlugin, neutron: Any) -> None:
    """It says 404 to an administrator and means "not yet": all ports go."""
    made = await plugin.allocate("srv", PROJECT, SUBNET, 3)
    neutron.state.restart(cut=1, blind=1)
    await plugin.deallocate("srv", made.allocations)
    assert neutron.state.ports == {}


async def test_right_after_a_lost_connection_an_empty_list_is_asked_for_again(
    plugin: NeutronPlugin, neutron: Any
) -> None:
    """Ports of the attempt before are found: no third one is made."""
    made = await plugin.allocate("srv", PROJECT, SUBNET, 2)
    neutron.state.restart(cut=1, blind=0)
    await plugin.describe(SUBNET)
    neutron.state.blind = 1
    assert len(await plugin.held()) == 2
    neutron.state.blind = 1
    await plugin.ports.admit("srv", ["10.0.0.5/32"])
    neutron.state.blind = 1
    again = await plugin.client.listing("ports", {"device_id": "srv"})
    assert {one["id"] for one in again} == {one["id"] for one in made.allocations}


async def test_right_after_a_lost_connection_a_refusal_is_asked_for_again(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.restart(cut=1, blind=0)
    await plugin.describe(SUBNET)
    create = neutron.state.handle
    refused: list[str] = []

    def handle(method: str, path: str, query: Any, body: Any) -> Any:
        if method == "POST" and path not in refused:
            refused.append(path)
            neutron.state.blind = 1
        return create(method, path, query, body)

    neutron.state.handle = handle
    await plugin.allocate("srv", PROJECT, SUBNET, 1)
    assert refused == ["/v2.0/security-groups", "/v2.0/ports"] and len(neutron.state.ports) == 1


async def test_without_a_lost_connection_answers_are_believed_at_once(plugin: NeutronPlugin, neutron: Any) -> None:
    assert await plugin.held() == []
    fault(neutron, "GET", "/networks", 404, kind="NetworkNotFound")
    with pytest.raises(NetworkException):
        await plugin.describe(SUBNET)
    assert len(neutron.state.calls) == 2


# -- kinds of 404 and 409


async def test_any_404_is_no_proof(plugin: NeutronPlugin, neutron: Any) -> None:
    """Only Neutron's own word that there is no such port."""
    made = await plugin.allocate("srv", PROJECT, SUBNET, 1)
    fault(neutron, "DELETE", "/ports", 404, 2, "HTTPNotFound")
    await plugin.deallocate("srv", made.allocations)
    assert neutron.state.ports == {} and statuses(neutron, "DELETE", "/v2.0/ports") == [404, 404, 204]
    await plugin.deallocate("srv", made.allocations)
    assert statuses(neutron, "DELETE", "/v2.0/ports")[3:] == [404]


async def test_a_404_for_good_is_an_error(plugin: NeutronPlugin, neutron: Any) -> None:
    """An account without a role is told that nothing is there: the port stays written down."""
    made = await plugin.allocate("srv", PROJECT, SUBNET, 1)
    fault(neutron, "DELETE", "/ports", 404, 99, "HTTPNotFound")
    with pytest.raises(NetworkException, match="does not say that it is gone"):
        await plugin.deallocate("srv", made.allocations)
    assert len(neutron.state.ports) == 1


@pytest.mark.parametrize(
    ("kind", "error", "cause"),
    [
        ("IpAddressGenerationFailure", AddressesExhausted, "no free address"),
        ("IpAddressGenerationFailureNoMatchingSubnet", NoFittingSubnet, "service_types"),
        ("OverQuota", PortLimitExceeded, "quota of ports"),
        ("MacAddressInUse", PortLimitExceeded, "see what Neutron says"),
    ],
)
async def test_conflicts_are_told_apart_in_the_log(
    plugin: NeutronPlugin, neutron: Any, kind: str, error: type[PortLimitExceeded], cause: str
) -> None:
    fault(neutron, "POST", "/ports", 409, kind=kind)
    with capture_logs() as seen, pytest.raises(PortLimitExceeded) as raised:
        await plugin.allocate("srv", PROJECT, SUBNET, 1)
    assert type(raised.value) is error
    (line,) = [one for one in seen if one["event"] == "Neutron makes no port"]
    assert line["kind"] == kind and cause in line["cause"] and line["server"] == "srv"


# -- ids that tenants write


ODD = ("a/b", "../ports", "?limit=1", "a?b=c", "a#b", "%2e%2e", "a b", "é", "a\nb", "x" * 36)


@pytest.mark.parametrize("ident", ODD)
@pytest.mark.parametrize("field", ["neutron_net_id", "neutron_subnet_id"])
async def test_an_id_is_one_part_of_a_path(plugin: NeutronPlugin, neutron: Any, field: str, ident: str) -> None:
    with pytest.raises(NetworkException) as raised:
        await plugin.describe({**SUBNET, field: ident})
    assert raised.value.values["code"] == 404
    collection = "networks" if field == "neutron_net_id" else "subnets"
    paths = [one["path"] for one in neutron.state.calls if SUBNET["neutron_net_id"] not in one["path"]]
    assert [one.startswith(f"/v2.0/{collection}/") and one.count("/") == 3 for one in paths] == [True]
    assert [one["query"] for one in neutron.state.calls] == [{}] * len(neutron.state.calls)


@pytest.mark.parametrize("ident", ["", " ", ".", ".."])
async def test_an_id_that_no_url_can_name(plugin: NeutronPlugin, neutron: Any, ident: str) -> None:
    with pytest.raises(NetworkException) as raised:
        await plugin.describe({**SUBNET, "neutron_net_id": ident})
    assert raised.value.values["code"] == 404 and neutron.state.calls == []
    with pytest.raises(NetworkException):
        at("ports", ident)
