"""The stand-ins answer as Keystone and Neutron do, as far as clients look."""

from __future__ import annotations

import httpx2
import pytest

from deploy.embedded import accounts, identity, networks

PEOPLE = accounts.standard()
ALICE = next(one for one in PEOPLE if one.user == "alice")
BOB = next(one for one in PEOPLE if one.user == "bob")


@pytest.fixture
def keystone() -> identity.Identity:
    return identity.Identity("http://keystone", PEOPLE, {"sharev2": "http://manila/v2"})


def client(app: object) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://test")  # type: ignore[arg-type]


def login(account: accounts.Account, password: str | None = None) -> dict[str, object]:
    user = {"name": account.user, "domain": {"id": "default"}, "password": password or account.password}
    scope = {"project": {"name": account.project, "domain": {"id": "default"}}}
    return {"auth": {"identity": {"methods": ["password"], "password": {"user": user}}, "scope": scope}}


async def test_a_login_gives_a_token_with_project_roles_and_catalogue(keystone: identity.Identity) -> None:
    async with client(identity.application(keystone)) as http:
        made = await http.post("/v3/auth/tokens", json=login(ALICE))
        assert made.status_code == 201
        document = made.json()["token"]
        assert document["project"]["id"] == ALICE.project_id
        assert {one["type"] for one in document["catalog"]} == {"identity", "sharev2"}
        token = made.headers["X-Subject-Token"]
        headers = {"X-Auth-Token": token, "X-Subject-Token": token}
        assert (await http.get("/v3/auth/tokens", headers=headers)).json()["token"]["user"]["name"] == "alice"
        assert (await http.delete("/v3/auth/tokens", headers=headers)).status_code == 204
        assert (await http.get("/v3/auth/tokens", headers=headers)).status_code == 401


async def test_a_wrong_password_or_a_foreign_project_is_refused(keystone: identity.Identity) -> None:
    async with client(identity.application(keystone)) as http:
        assert (await http.post("/v3/auth/tokens", json=login(ALICE, "guess"))).status_code == 401
        foreign = login(ALICE)
        foreign["auth"]["scope"]["project"]["name"] = BOB.project  # type: ignore[index]
        assert (await http.post("/v3/auth/tokens", json=foreign)).status_code == 401


async def test_tenants_see_their_own_network_and_ports_get_different_addresses(keystone: identity.Identity) -> None:
    neutron = networks.Networks()
    first = neutron.add_network("a", ALICE.project_id, 1001)
    second = neutron.add_network("b", BOB.project_id, 1002)
    tokens = {one.user: keystone.login(login(one)["auth"])[0] for one in (ALICE, BOB)}  # type: ignore[arg-type]
    async with client(networks.application(neutron, keystone)) as http:
        headers = {"X-Auth-Token": tokens["alice"]}
        listed = (await http.get("/v2.0/networks", headers=headers)).json()["networks"]
        assert [one["id"] for one in listed] == [first["id"]]
        missing = await http.get(f"/v2.0/networks/{second['id']}", headers=headers)
        assert missing.status_code == 404
        assert missing.json()["NeutronError"]["type"] == "NetworkNotFound"
        body = {"port": {"network_id": first["id"], "fixed_ips": [{"subnet_id": first["subnets"][0]}]}}
        ports = [(await http.post("/v2.0/ports", json=body, headers=headers)).json()["port"] for _ in range(2)]
        addresses = [port["fixed_ips"][0]["ip_address"] for port in ports]
        pool = {f"10.0.0.{number}" for number in range(networks.FIRST_PORT, networks.LAST_PORT + 1)}
        assert len(set(addresses)) == 2 and set(addresses) < pool
        assert (await http.delete(f"/v2.0/ports/{ports[0]['id']}", headers=headers)).status_code == 204
        filled = [(await http.post("/v2.0/ports", json=body, headers=headers)) for _ in range(len(pool) - 1)]
        assert {one.json()["port"]["fixed_ips"][0]["ip_address"] for one in filled} | set(addresses[1:]) == pool
        full = await http.post("/v2.0/ports", json=body, headers=headers)
        assert (full.status_code, full.json()["NeutronError"]["type"]) == (409, "IpAddressGenerationFailure")
        foreign = {"port": {**body["port"], "security_groups": ["5e5"]}}
        refused = await http.post("/v2.0/ports", json=foreign, headers=headers)
        assert refused.json()["NeutronError"]["type"] == "SecurityGroupNotFound"
        assert (await http.get("/v2.0/networks")).status_code == 401


@pytest.fixture
def tokens(keystone: identity.Identity) -> dict[str, dict[str, str]]:
    """Headers of two tenants and of the service."""
    asking = [one for one in PEOPLE if one.user in ("alice", "bob", "manila")]
    return {one.user: {"X-Auth-Token": keystone.login(login(one)["auth"])[0]} for one in asking}  # type: ignore[arg-type]


async def test_a_share_server_s_port_is_its_project_s_and_stays(
    keystone: identity.Identity, tokens: dict[str, dict[str, str]]
) -> None:
    """A tenant may change it and can't remove it; what it makes is its own whatever it says."""
    neutron = networks.Networks()
    net = neutron.add_network("a", ALICE.project_id, 1001)
    about = {"network_id": net["id"], "device_owner": "manila:share", "device_id": "s", "project_id": ALICE.project_id}
    async with client(networks.application(neutron, keystone)) as http:
        made = (await http.post("/v2.0/ports", json={"port": about}, headers=tokens["manila"])).json()["port"]
        path = f"/v2.0/ports/{made['id']}"
        assert made["project_id"] == ALICE.project_id and "binding:host_id" in made
        seen = (await http.get(path, headers=tokens["alice"])).json()["port"]
        assert not [key for key in seen if key.startswith("binding:")]
        assert (await http.delete(path, headers=tokens["alice"])).status_code == 403
        assert (await http.delete(path, headers=tokens["bob"])).status_code == 404
        change = {"port": {"name": "mine"}}
        assert (await http.put(path, json=change, headers=tokens["alice"])).json()["port"]["name"] == "mine"
        stolen = {"port": {"project_id": BOB.project_id}}
        assert (await http.put(path, json=stolen, headers=tokens["alice"])).status_code == 400
        forged = {"port": {"network_id": net["id"], "project_id": BOB.project_id}}
        own = (await http.post("/v2.0/ports", json=forged, headers=tokens["alice"])).json()["port"]
        assert own["project_id"] == ALICE.project_id
        assert (await http.delete(path, headers=tokens["manila"])).status_code == 204
        gone = await http.delete(path, headers=tokens["manila"])
        assert (gone.status_code, gone.json()["NeutronError"]["type"]) == (404, "PortNotFound")


async def test_lists_come_in_pages(keystone: identity.Identity, tokens: dict[str, dict[str, str]]) -> None:
    neutron = networks.Networks(page=2)
    made = [neutron.add_network(f"n{number}", ALICE.project_id, number)["id"] for number in range(5)]
    async with client(networks.application(neutron, keystone)) as http:
        seen: list[str] = []
        url = "/v2.0/networks?status=ACTIVE"
        for _ in range(3):
            answer = (await http.get(url, headers=tokens["alice"])).json()
            seen += [one["id"] for one in answer["networks"]]
            assert "provider:network_type" not in answer["networks"][0]
            url = answer["networks_links"][0]["href"] if len(seen) < 5 else ""
        assert sorted(seen) == sorted(made) and "networks_links" not in answer


async def test_a_subnet_of_another_network(keystone: identity.Identity, tokens: dict[str, dict[str, str]]) -> None:
    neutron = networks.Networks()
    first, second = (neutron.add_network(name, ALICE.project_id, 1001) for name in "ab")
    body = {"port": {"network_id": first["id"], "fixed_ips": [{"subnet_id": second["subnets"][0]}]}}
    async with client(networks.application(neutron, keystone)) as http:
        assert (await http.post("/v2.0/ports", json=body, headers=tokens["manila"])).status_code == 400
