"""What an operator sees of whose things are: labels, the name of a server, and who changed what."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import CLAIM, MANAGER, POD, SHARE_EXPORT, SNAPSHOT, STATEFUL_SET, Kind, Object
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, PORT, RULE, SHARE, SNAP
from tests.kube.api.back_end import BackEnd, installed
from tests.kube.api.conftest import CONFIG_MAP, Bench

PROJECT = "6c0f4b1e"
SUBNETS = ("subnet-a", "subnet-b")
OTHER_PORT = {**PORT, "id": "port-2", "ip_address": "10.9.0.50", "cidr": "10.9.0.0/24"}
PLACED: list[Row] = [
    {
        **NETWORK[0],
        "project_id": PROJECT,
        "network_allocations": [{**port, "share_network_subnet_id": subnet}],
    }
    for port, subnet in zip((PORT, OTHER_PORT), SUBNETS, strict=True)
]


@pytest.fixture
async def back_end(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    async with installed(bench, request) as found:
        yield found


def own(found: Object) -> dict[str, str]:
    """The labels that say whose it is."""
    known = found["metadata"]["labels"]
    wanted = (names.SERVER, names.SUBNET, f"{names.SUBNET}-2", names.PROJECT, names.OF_SHARE, names.SHARE)
    return {name.rpartition("/")[2]: known[name] for name in wanted if name in known}


async def test_what_a_server_and_its_shares_have_says_whose_it_is(back_end: BackEnd) -> None:
    driver = back_end.driver()
    await driver.do_setup()
    details = await driver.setup_server(PLACED)
    assert details["identifier"] == f"{back_end.bench.namespace}/gateway-s1"
    server: Row = {"id": "s1", "backend_details": details}
    await driver.create_share(SHARE, server)
    await driver.create_snapshot(SNAP, server)
    await driver.create_share_from_snapshot({**SHARE, "id": "i2", "share_id": "h2"}, SNAP, server)
    await driver.revert_to_snapshot(SNAP, [RULE], [], server)
    of_server = {"share-server": "s1", "subnet": SUBNETS[0], "subnet-2": SUBNETS[1], "project": PROJECT}
    one = {"share-server": "s1", "share": "h1", "share-instance": "i1"}
    expected: list[tuple[Kind, str, dict[str, str]]] = [
        (STATEFUL_SET, "gateway-s1", of_server),
        (POD, "gateway-s1-0", of_server),
        (CLAIM, "state-gateway-s1-0", of_server),
        (CLAIM, "share-i1-1", one),
        (CLAIM, "share-i2", {"share-server": "s1", "share": "h2", "share-instance": "i2"}),
        (SNAPSHOT, "snapshot-n1", one),
    ]
    for kind, name, labels in expected:
        assert own(await back_end.the(kind, name)) == labels, name


async def test_a_server_that_is_looked_for_again_keeps_its_labels(back_end: BackEnd) -> None:
    """After the worker's restart it is known by its StatefulSet, or by its row alone."""
    driver = back_end.driver()
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(PLACED)}
    before = own(await back_end.the(STATEFUL_SET, "gateway-s1"))
    await back_end.driver().do_setup()
    await back_end.driver().ensure_server(server)
    assert own(await back_end.the(STATEFUL_SET, "gateway-s1")) == before
    await back_end.admin.delete(STATEFUL_SET, "gateway-s1", back_end.bench.namespace, grace=0)
    await back_end.driver().ensure_server(server)
    assert own(await back_end.the(STATEFUL_SET, "gateway-s1")) == before


async def test_a_server_is_taken_over_by_the_name_that_the_cluster_has_for_it(back_end: BackEnd) -> None:
    driver = back_end.driver()
    await driver.do_setup()
    details = await driver.setup_server(PLACED)
    await driver.unmanage_server(details)
    name = details["identifier"]
    assert await driver.get_share_server_network_info({"id": "s2"}, name, {}) == ["10.0.0.50", "10.9.0.50"]
    assert await driver.manage_server({"id": "s2"}, name, {}) == (name, details)
    assert await driver.manage_server({"id": "s2"}, "s1", {}) == (name, details), "by its id, too"


async def test_whoever_wants_a_field_that_we_changed_is_told(bench: Bench) -> None:
    """A merge patch says who sends it, as an apply does: another's apply is then a conflict and not a silent change."""
    await bench.cluster.create(CONFIG_MAP, {"metadata": bench.metadata("one"), "data": {"a": "1"}})
    await bench.cluster.merge(CONFIG_MAP, "one", bench.namespace, {"data": {"a": "2"}})
    theirs = {"metadata": bench.metadata("one"), "data": {"a": "theirs"}}
    status, document = await bench.other_applies(CONFIG_MAP, theirs)
    assert (status, document["reason"]) == (409, "Conflict")
    assert f'"{MANAGER}"' in document["message"]


async def test_all_that_a_share_is_was_written_by_us(back_end: BackEnd, request: pytest.FixtureRequest) -> None:
    driver = back_end.driver()
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(PLACED)}
    await driver.create_share(SHARE, server)
    await driver.update_access(SHARE, [RULE], [RULE], [], [], server)
    await driver.extend_share(SHARE, 3, server)
    if "memory" in request.node.callspec.id:
        return  # it shows nobody who manages what
    ours = {
        (SHARE_EXPORT, "share-i1"): "f:spec",
        (POD, "holder-i1"): "f:spec",
        (STATEFUL_SET, "gateway-s1"): "f:spec",
    }
    for (kind, name), part in ours.items():
        fields = (await back_end.the(kind, name))["metadata"]["managedFields"]
        assert {one["manager"] for one in fields if part in one["fieldsV1"]} == {MANAGER}, name
    claim = (await back_end.the(CLAIM, "share-i1"))["metadata"]["managedFields"]
    grown = [one["manager"] for one in claim if "f:resources" in one["fieldsV1"].get("f:spec", {})]
    assert grown == [MANAGER], "who binds it writes its volume's name only"
