"""What Ganesha's answers say, and what is believed of what a pod says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from drivers.client_counts import Count, Statistics
from drivers.ganesha.gateway import statistics
from drivers.ganesha.gateway.beneath import Refused

SHARE = [
    True, "OK", [1796093086, 295234754], False, False,
    True, [361, 2, 0.5, 45000], [55, 0, 2.0, 8402840], [2519, 98, 0.25], [0, 0, 0],
    False,
]  # fmt: skip
"""``GetExportDetails`` of 9.14 (4.3 answers alike) after NFS 4.1."""
CLIENT = [
    True,
    "OK",
    [1796093086, 1],
    False,
    False,
    True,
    [361, 2, 45000],
    [55, 0, 8402840],
    [3462, 146],
    [0, 0],
    False,
]
"""``GetClientIOops``."""


def test_operations_errors_time_and_bytes_of_a_share() -> None:
    read, write, other = Count(361, 2, 0.1805, 45000), Count(55, 0, 0.11, 8402840), Count(2519, 98, 0.62975, 0)
    assert statistics.counts(SHARE) == (read, write, other)


def test_a_client_has_no_time() -> None:
    assert statistics.counts(CLIENT) == (Count(361, 2, 0, 45000), Count(55, 0, 0, 8402840), Count(3462, 146, 0, 0))


def test_minor_versions_are_added_up() -> None:
    both = [*SHARE[:-1], True, [39, 0, 1.0, 1000], [5, 1, 0.0, 160], [1, 0, 0.0], [9, 9, 9]]
    found = statistics.counts(both)
    assert found is not None
    read, write, other = found
    assert (read.operations, read.errors, read.bytes) == (400, 2, 46000)
    assert read.seconds == pytest.approx(0.2195)
    assert (write.operations, write.errors, other.operations) == (60, 1, 2520)


def test_nfs_4_0_has_no_layouts() -> None:
    old = [True, "OK", [1, 1], False, True, [3, 0, 1.0, 12], [1, 0, 1.0, 4], [2, 0, 1.0], False, False]
    assert statistics.counts(old) == (Count(3, 0, 0.003, 12), Count(1, 0, 0.001, 4), Count(2, 0, 0.002, 0))


@pytest.mark.parametrize("answer", [[], [False, "Export does not have any activity"]])
def test_no_activity_is_nothing(answer: list[Any]) -> None:
    assert statistics.counts(answer) is None


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("::ffff:10.0.0.5", "10.0.0.5"),
        ("10.0.0.5", "10.0.0.5"),
        ("fd00::5", "fd00::5"),
        ("::ffff:127.0.0.1", None),
        ("fe80::1%eth0", "fe80::1"),
        ("::1", None),
        ("no address", None),
    ],
)
def test_a_client_has_its_own_address_and_the_gateway_is_none(address: str, plain: str | None) -> None:
    assert statistics._plain(address) == plain


def test_a_file_is_read_as_it_was_written() -> None:
    one = (Count(1, 2, 3.5, 4), Count(), Count(5))
    whole = Statistics({"an-instance": one}, {"10.0.0.5": one, "fd00::5": one})
    assert statistics.parsed(statistics.told(whole).encode()) == whole


NUMBERS: list[Any] = [[1, 0, 0.1, 1]] * 3


@pytest.mark.parametrize(
    "found",
    [
        [],
        {"shares": {}},
        {"shares": {"../x": NUMBERS}, "clients": {}},
        {"shares": {"a": NUMBERS[:2]}, "clients": {}},
        {"shares": {"a": [[1, 0, "0.1", 1], *NUMBERS[:2]]}, "clients": {}},
        {"shares": {"a": [[True, 0, 0.1, 1], *NUMBERS[:2]]}, "clients": {}},
        {"shares": {"a": [[-1, 0, 0.1, 1], *NUMBERS[:2]]}, "clients": {}},
        {"shares": {"a": [[10**30, 0, 0.1, 1], *NUMBERS[:2]]}, "clients": {}},
        {"shares": {"a": [[1, 0, float("nan"), 1], *NUMBERS[:2]]}, "clients": {}},
        {"shares": {}, "clients": {'10.0.0.5"} 1\nmanila_tasks{a="': NUMBERS}},
        {"shares": {}, "clients": {"fe80::1%\n": NUMBERS}},
    ],
)
def test_what_is_no_statistics_is_refused(found: Any) -> None:
    with pytest.raises(Refused):
        statistics.parsed(json.dumps(found).encode())


def test_a_flood_of_clients_is_cut() -> None:
    many = {f"10.1.{number // 250}.{number % 250}": NUMBERS for number in range(5000)}
    found = statistics.parsed(json.dumps({"shares": {}, "clients": many}).encode())
    assert len(found.clients) == statistics.CLIENTS
