"""Clients of access rules: what is legal, and when two are one."""

from __future__ import annotations

from typing import Any

import pytest

from generated.runtime import Fault
from services.access_input import check_client, same_client


@pytest.mark.parametrize(
    ("kind", "client"),
    [
        ("ip", "10.0.0.1"),
        ("ip", "10.0.0.0/24"),
        ("ip", "0.0.0.0/0"),
        ("ip", "2001:db8::/64"),
        ("user", "Domain Users"),
        ("user", "x" * 255),
        ("cert", "c" * 64),
        ("cephx", "alice"),
    ],
)
def test_legal_clients(kind: str, client: str) -> None:
    check_client(kind, client, ceph=True, ipv6=True)


@pytest.mark.parametrize(
    ("kind", "client", "text"),
    [
        ("ip", "10.0.0.1/24", "10.0.0.1/24 has host bits set"),
        ("ip", "10.0.0.300", "'10.0.0.300' does not appear to be an IPv4 or IPv6 network"),
        ("ip", None, "'None' does not appear to be an IPv4 or IPv6 network"),
        ("user", "bob", "Invalid user or group name. Must be 4-255"),
        ("user", "....", "Invalid user or group name,cannot consist solely of periods or spaces."),
        ("user", "bad:name", "Invalid user or group name. Must be 4-255"),
        ("user", "x" * 256, "Invalid user or group name. Must be 4-255"),
        ("cephx", "x" * 256, "access_to must be a text of at most 255 characters."),
        ("cert", " " * 4, "Invalid CN (common name). Must be 1-64 chars long."),
        ("cert", 5, "access_to must be a text"),
        ("cephx", "", "Ceph IDs may not be empty."),
        ("cephx", "a.b", "Ceph IDs may not contain periods."),
        ("cephx", "\u00e9", "Ceph IDs must consist of ASCII printable characters."),
        ("host", "x", "Only 'ip', 'user', 'cert' or 'cephx' access types are supported."),
        (None, "x", "Only 'ip', 'user', 'cert' or 'cephx' access types are supported."),
    ],
)
def test_illegal_clients(kind: Any, client: Any, text: str) -> None:
    with pytest.raises(Fault) as caught:
        check_client(kind, client, ceph=True, ipv6=True)
    assert caught.value.status == 400
    assert str(caught.value.message).startswith(text)


def test_what_older_versions_lack() -> None:
    with pytest.raises(Fault, match="Only 'ip', 'user' or 'cert' access types are supported."):
        check_client("cephx", "alice", ceph=False, ipv6=True)
    with pytest.raises(Fault, match="Expected 4 octets"):
        check_client("ip", "2001:db8::1", ceph=True, ipv6=False)


def test_networks_are_compared_by_value_and_names_by_text() -> None:
    assert same_client("ip", "10.0.0.1", "10.0.0.1/32")
    assert same_client("ip", "2001:DB8::1", "2001:db8:0:0::1/128")
    assert same_client("ip", "10.0.1.0/0.0.0.255", "10.0.1.0/24")
    assert not same_client("ip", "::ffff:10.0.0.1", "10.0.0.1"), "the one is on no packet"
    assert not same_client("ip", "10.0.0.1", "10.0.0.1/24"), "host bits set: a row of before"
    assert same_client("ip", "10.0.0.1/24", "10.0.0.1/24")
    assert not same_client("ip", "10.0.0.0/24", "10.0.0.0/16")
    assert not same_client("ip", "10.0.0.1", "10.0.0.11")
    assert same_client("user", "anna", "anna")
    assert not same_client("user", "anna", "Anna")
