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
        assert addresses == ["10.0.0.50", "10.0.0.51"]
        assert (await http.delete(f"/v2.0/ports/{ports[0]['id']}", headers=headers)).status_code == 204
        again = (await http.post("/v2.0/ports", json=body, headers=headers)).json()["port"]
        assert again["fixed_ips"][0]["ip_address"] == "10.0.0.50"
        foreign = {"port": {**body["port"], "security_groups": ["5e5"]}}
        refused = await http.post("/v2.0/ports", json=foreign, headers=headers)
        assert refused.json()["NeutronError"]["type"] == "SecurityGroupNotFound"
        assert (await http.get("/v2.0/networks")).status_code == 401
