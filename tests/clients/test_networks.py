"""The Neutron in which Terraform makes networks."""

from __future__ import annotations

from tests.clients.networks import Networks


def test_what_is_made_is_there_until_it_is_deleted() -> None:
    neutron = Networks()
    status, made = neutron.answer("POST", "/v2.0/subnets", {"subnet": {"cidr": "192.168.199.0/24", "name": "a"}})
    subnet = made["subnet"]
    assert status == 201
    assert (subnet["name"], subnet["gateway_ip"], subnet["status"]) == ("a", "192.168.199.1", "ACTIVE")
    path = f"/v2.0/subnets/{subnet['id']}"
    assert neutron.answer("PUT", path, {"subnet": {"name": "b"}})[1]["subnet"]["name"] == "b"
    assert neutron.answer("GET", "/v2.0/subnets", None) == (200, {"subnets": [subnet]})
    assert neutron.answer("DELETE", path, None) == (204, None)
    assert neutron.answer("GET", path, None)[0] == 404
    assert neutron.answer("GET", "/v2.0/ports", None)[0] == 404
