"""Rules as client entries: order, spelling, and that the first match is the most specific rule."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ganesha import rules
from drivers.ganesha.gateway import firewall
from drivers.ganesha.rules import Client


def row(text: str) -> dict[str, str]:
    """``rw 10.0.0.5`` as a rule."""
    level, target = text.split()
    return {"id": text, "access_type": "ip", "access_to": target, "access_level": level}


@pytest.mark.parametrize(
    ("given_rules", "expected"),
    [
        ([], []),
        (["ro 10.0.0.0/24", "rw 10.0.0.5"], ["RW 10.0.0.5/32", "RO 10.0.0.0/24"]),
        (["ro 10.0.0.5/32", "rw 10.0.0.5"], ["RW 10.0.0.5/32"]),
        (["rw 10.0.0.9/24"], ["RW 10.0.0.0/24"]),
        (["rw 0.0.0.0/0", "ro ::/0", "ro 10.0.0.0/8"], ["RO 10.0.0.0/8", "RW 0.0.0.0/0", "RO ::/0"]),
        (["rw fd00::5", "ro fd00::/64"], ["RW fd00::5/128", "RO fd00::/64"]),
        (["rw 10.0.0.11/00032", "ro 10.0.0.12/255.255.255.255"], ["RW 10.0.0.11/32", "RO 10.0.0.12/32"]),
        (["rw 2001:DB8:0::/48", "ro 2001:db8::/48", "ro FD00:0::5/64"], ["RO fd00::/64", "RW 2001:db8::/48"]),
        (["rw 10.0.1.0/0.0.0.255", "ro FE80:0:0::0001"], ["RO fe80::1/128", "RW 10.0.1.0/24"]),
    ],
)
def test_order(given_rules: list[str], expected: list[str]) -> None:
    planned = rules.plan([row(text) for text in given_rules])
    assert [f"{client.access} {client.network}" for client in planned.clients] == expected
    assert all(update == {"state": "active"} for update in planned.results.values())


@pytest.mark.parametrize(
    "bad",
    [
        {"access_type": "user"},
        {"access_type": "cert"},
        {"access_level": "rx"},
        {"access_to": "host.example"},
        {"access_to": "10.0.0.0/33"},
        {"access_to": "10.0.0.5; } EXPORT {"},
        {"access_to": "fe80::1%eth0"},
        {"access_to": "fe80::1%eth0/64"},
        {"access_to": "fe80::1%0 }; } EXPORT { Path = x;"},
        {"access_to": "fe80::1%0\n}\nflush ruleset"},
        {"access_to": "::ffff:10.0.0.1"},
        {"access_to": "::ffff:0:0/96"},
    ],
)
def test_a_bad_rule_is_in_error_alone(bad: dict[str, str]) -> None:
    planned = rules.plan([row("rw 10.0.0.5") | bad | {"id": "bad"}, row("ro 10.0.0.6")])
    assert planned.results == {"bad": {"state": "error", "refused": "unsupported"}, "ro 10.0.0.6": {"state": "active"}}
    assert planned.clients == (Client("10.0.0.6/32", "RO"),)
    made_up = Client(str(bad.get("access_to", "a name")), "RW")
    assert made_up.matches() == ()
    assert rules.admitted([made_up]) == ([], [])
    assert firewall.render([made_up]) == firewall.render([])


def test_spelling() -> None:
    """Ganesha refuses a network of everything, so it is written as two halves."""
    assert Client("0.0.0.0/0", "RW").matches() == ("0.0.0.0/1", "128.0.0.0/1")
    assert Client("::/0", "RW").matches() == ("::/1", "8000::/1")
    assert Client("10.0.0.5/32", "RW").matches() == ("10.0.0.5",)
    assert Client("10.0.0.0/24", "RW").matches() == ("10.0.0.0/24",)


networks = st.tuples(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 8, 23, 24, 31, 32])).map(
    lambda pair: str(ipaddress.ip_network(pair, strict=False))
)
rule_lists = st.lists(st.tuples(st.sampled_from(["rw", "ro"]), networks), max_size=8)


@given(rule_lists, st.integers(0, 2**32 - 1))
def test_first_match_is_the_most_specific_rule(given_rules: list[tuple[str, str]], number: int) -> None:
    address = ipaddress.ip_address(number)
    planned = rules.plan([row(f"{level} {network}") for level, network in given_rules])
    first = next(
        (
            client.access
            for client in planned.clients
            for match in client.matches()
            if address in ipaddress.ip_network(match)
        ),
        None,
    )
    matching = [
        (ipaddress.ip_network(network).prefixlen, level == "rw", level)
        for level, network in given_rules
        if address in ipaddress.ip_network(network)
    ]
    assert first == (max(matching)[2].upper() if matching else None)
    four, six = rules.admitted(planned.clients)
    assert any(address in ipaddress.ip_network(network) for network in four) == bool(matching)
    assert not six


def test_the_packet_filter_admits_nobody_without_rules() -> None:
    text = firewall.render([])
    assert "elements" not in text
    assert "policy drop" in text
    assert "elements = { 10.0.0.0/23 }" in firewall.render([Client("10.0.0.0/24", "RW"), Client("10.0.1.0/24", "RO")])


def test_a_pod_is_closed_but_for_its_tenant_s_interfaces() -> None:
    """Who is admitted comes before anything else is let through, so who is admitted no more is cut off."""
    lines = [line.strip() for line in firewall.render([Client("10.0.0.0/24", "RW")], ["net1", "net2"]).splitlines()]
    assert "established" not in " ".join(lines)
    rules = lines[lines.index("iif lo accept") :]
    assert rules[1] == 'iifname != { "net1", "net2" } drop'
    assert rules[-3] == "tcp dport 2049 reject with tcp reset"
