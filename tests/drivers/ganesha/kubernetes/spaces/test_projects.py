"""A back end with a namespace per project: where everything is, what goes with whom, and what is never taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import life, naming
from drivers.kubernetes.api import CLAIM, NAMESPACE, NETWORK_ATTACHMENT, NETWORK_POLICY, POD, STATEFUL_SET, VOLUME, Kind
from drivers.kubernetes.labels import label
from drivers.reconciling import Rows
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.spaces.stage import HOME, MANY, PROJECTS, SPACES, Stage, network, share, snapshot
from tests.drivers.ganesha.kubernetes.test_driver import RULE


@pytest.fixture
def stage() -> Stage:
    return Stage()


def spaces_of(stage: Stage, kind: Kind) -> set[str]:
    """The namespaces with an object of a kind."""
    return {key[2] for key in stage.cluster.server.objects if key[:2] == (kind.version, kind.plural)}


async def test_each_project_s_things_are_in_its_own_namespace_and_go_with_it(stage: Stage) -> None:
    driver = await stage.driver()
    for number, space in SPACES.items():
        server = await stage.server(driver, number)
        assert server["backend_details"]["identifier"] == f"{space}/gateway-s{number}"
        one = share(number)
        await driver.create_share(one, server)
        assert await driver.update_access(one, [RULE], [RULE], [], [], server) == {"r1": {"state": "active"}}
        await driver.extend_share(one, 3, server)
        await driver.create_snapshot(snapshot(number), server)
        await driver.snapshot_update_access(snapshot(number), [RULE], [RULE], [], server)
        await driver.revert_to_snapshot(snapshot(number), [RULE], [], server)
        expected = {f"gateway-s{number}", f"gateway-s{number}-0", f"state-gateway-s{number}-0"}
        expected |= {f"share-i{number}-1", f"share-i{number}", f"holder-i{number}", f"snapshot-n{number}"}
        expected |= {f"view-n{number}", f"share-n{number}", f"holder-n{number}"}
        assert stage.within(space) == expected
    assert stage.within(HOME) == set()
    assert spaces_of(stage, NETWORK_ATTACHMENT) == set(SPACES.values())
    assert spaces_of(stage, NETWORK_POLICY) == {HOME, *SPACES.values()}
    rooms = (await driver.get_share_stats(refresh=True))["pools"]
    assert [one["provisioned_capacity_gb"] for one in rooms] == [8.0], "with what the shares had before"
    for number, space in SPACES.items():
        found = stage.cluster.of(NAMESPACE)[space]["metadata"]["labels"]
        assert found["pod-security.kubernetes.io/enforce"] == "privileged"
        assert found["manila.openkeel.io/project"] == PROJECTS[number]
        server = {"id": f"s{number}", "backend_details": {"server_id": f"s{number}", "addresses": "[]"}}
        await driver.delete_snapshot(snapshot(number), server)
        await driver.delete_share(share(number), server)
        await driver.teardown_server({"server_id": f"s{number}"})
        assert space not in stage.spaces()
        assert (stage.within(SPACES["2"]) != set()) == (number == "1"), "the other project's stay"


async def test_a_share_comes_from_a_snapshot_and_a_backup_of_its_own_project_only(stage: Stage) -> None:
    driver = await stage.driver()
    servers = {number: await stage.server(driver, number) for number in SPACES}
    await driver.create_share(share("1"), servers["1"])
    await driver.create_snapshot(snapshot("1"), servers["1"])
    await driver.create_share_from_snapshot(share("3"), snapshot("1"), servers["1"])
    assert "share-i3" in stage.within(SPACES["1"])
    with pytest.raises(ShareBackendException, match="in the same namespace only"):
        await driver.create_share_from_snapshot(share("4"), snapshot("1"), servers["2"])
    await driver.create_backup(share("1"), {"id": "b1"}, servers["1"])
    assert "backup-b1" in stage.within(SPACES["1"])
    await driver.create_share(share("2"), servers["2"])
    with pytest.raises(ShareBackendException, match="in the same namespace only"):
        await driver.restore_backup({"id": "b1"}, share("2"), servers["2"])
    await driver.restore_backup({"id": "b1"}, share("1"), servers["1"])
    assert await driver.restore_backup_continue({"id": "b1"}, share("1"), servers["1"]) == {"total_progress": "100"}
    # a backup outlives the share and its server, and the namespace stays for it
    await driver.delete_snapshot(snapshot("1"), servers["1"])
    for number in ("1", "3"):
        await driver.delete_share(share(number), servers["1"])
    await driver.teardown_server(servers["1"]["backend_details"])
    assert stage.within(SPACES["1"]) == {"backup-b1"}
    await driver.delete_backup({"id": "b1"}, share("1"), servers["1"])
    assert stage.spaces() == {SPACES["2"]}


async def test_a_changed_option_loses_no_server(stage: Stage) -> None:
    single = await stage.driver(OPTIONS)
    old = await stage.server(single, "1")
    await single.create_share(share("1"), old)
    before = stage.within(HOME)
    driver = await stage.driver()
    await driver.ensure_server(old)
    await driver.create_share(share("3"), old)
    assert stage.within(HOME) == before | {"share-i3", "holder-i3"} and stage.spaces() == set()
    await stage.server(driver, "2")
    with pytest.raises(ShareBackendException, match=f"namespaces of projects .{SPACES['2']}.*must be project"):
        await stage.driver(OPTIONS)
    await driver.teardown_server({"server_id": "s2"})
    await (await stage.driver(OPTIONS)).delete_share(share("3"), old)


async def test_a_gateway_of_which_nothing_is_left_comes_back_where_it_was(stage: Stage) -> None:
    """Its details say so, also when nothing else does any more."""
    old = await stage.server(await stage.driver(OPTIONS), "1")
    await stage.cluster.delete(STATEFUL_SET, "gateway-s1", HOME)
    await stage.cluster.delete(CLAIM, "state-gateway-s1-0", HOME)
    del stage.cluster.objects[VOLUME.plural, "pv-state-gateway-s1-0"]
    await (await stage.driver()).ensure_server(old)
    assert "gateway-s1" in stage.within(HOME) and stage.spaces() == set()
    elsewhere = {**old["backend_details"], "server_id": "s9", "identifier": "others/gateway-s9"}
    with pytest.raises(ShareBackendException, match="in the namespace others of another"):
        await (await stage.driver()).ensure_server({"id": "s9", "backend_details": elsewhere})


async def test_a_namespace_that_was_removed_by_hand_comes_back_with_its_volumes(stage: Stage) -> None:
    driver = await stage.driver()
    server, space = await stage.server(driver, "1"), SPACES["1"]
    await driver.create_share(share("1"), server)
    for key in [one for one in stage.cluster.server.objects if one[2] == space or one[3] == space]:
        stage.cluster.server.remove(key)
    row = {**share("1"), "share_server": server, "access_rules": [RULE]}
    worker = await stage.driver()
    found = await stage.inspect(worker, Rows([server], [row], [], frozenset({"s1", "i1"})))
    assert {one.id for one in found.broken} == {"s1", "i1"}
    await worker.ensure_server(server)
    updates = await worker.ensure_shares([row])
    assert "export_locations" in updates["i1"]
    claim = stage.cluster.of(CLAIM)["share-i1"]
    assert (claim["metadata"]["namespace"], claim["spec"]["volumeName"]) == (space, "pv-share-i1")


async def test_a_server_is_taken_over_by_its_name_in_its_namespace(stage: Stage) -> None:
    driver = await stage.driver()
    server = await stage.server(driver, "1")
    details = server["backend_details"]
    await driver.unmanage_server(details)
    assert await driver.manage_server({"id": "s7"}, details["identifier"], {}) == (details["identifier"], details)
    taken = {"id": "s7", "backend_details": details}
    await driver.create_share(share("1"), taken)
    assert "share-i1" in stage.within(SPACES["1"])
    with pytest.raises(ShareBackendException):
        await driver.manage_server({"id": "s8"}, f"others/{details['identifier'].rpartition('/')[2]}", {})


async def test_somebody_else_s_namespace_is_not_used(stage: Stage) -> None:
    driver, space = await stage.driver(), SPACES["1"]
    await stage.cluster.create(NAMESPACE, {"metadata": {"name": space}})
    with pytest.raises(ShareBackendException, match="there without the labels") as caught:
        await stage.server(driver, "1")
    assert stage.within(space) == set()
    await driver.teardown_server(caught.value.detail_data["server_details"])
    assert space in stage.spaces()


async def test_one_that_an_operator_has_given_is_used_and_stays(stage: Stage) -> None:
    driver, space = await stage.driver(), SPACES["1"]
    stage.cluster.owner, owner = "", stage.cluster.owner
    await stage.cluster.create(NAMESPACE, {"metadata": {"name": space, "labels": naming.own(MANY)}})
    stage.cluster.owner = owner
    server = await stage.server(driver, "1")
    assert "gateway-s1" in stage.within(space)
    await driver.teardown_server(server["backend_details"])
    await stage.inspect(driver)
    assert space in stage.spaces() and stage.within(space) == set()


@pytest.mark.parametrize("foreign", ["pod", "volume"])
async def test_a_namespace_with_anything_in_it_stays(stage: Stage, foreign: str) -> None:
    driver, space = await stage.driver(), SPACES["1"]
    server = await stage.server(driver, "1")
    if foreign == "pod":
        pod = {"metadata": {"name": "x", "namespace": space}, "spec": {"nodeName": "node-1", "volumes": []}}
        await stage.cluster.create(POD, pod)
    else:
        # a claim that somebody removed: it would come back there
        await driver.create_share(share("1"), server)
        await driver._volumes.detach("i1")
        await stage.cluster.delete(CLAIM, "share-i1", space)
    await driver.teardown_server(server["backend_details"])
    await stage.inspect(driver, Rows([], [], [], frozenset({"i1"})))
    assert space in stage.spaces()


async def test_a_namespace_is_not_removed_under_a_server_that_is_being_made(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker announces a server after this one has looked into the namespace."""
    driver, space = await stage.driver(), SPACES["1"]
    server = await stage.server(driver, "1")
    other = life.Life(MANY, stage.cluster, driver._gateways._spaces)  # type: ignore[attr-defined]
    whole = life.Life._is_used

    async def meanwhile(self: life.Life, namespace: str) -> bool:
        found = await whole(self, namespace)
        await other.enter(namespace, PROJECTS["1"], "s5")
        return found

    monkeypatch.setattr(life.Life, "_is_used", meanwhile)
    await driver.teardown_server(server["backend_details"])
    assert space in stage.spaces(), "its version has changed"
    monkeypatch.undo()
    # that worker was killed: the server has no row
    await stage.inspect(driver, Rows([], [], [], frozenset({"s5"})))
    assert space in stage.spaces(), "it has one"
    await stage.inspect(driver)
    assert stage.spaces() == set()


async def test_what_the_reconciler_puts_right_it_puts_right_everywhere(stage: Stage) -> None:
    options: KubernetesOptions = replace(MANY, kubernetes_remove_orphans=True, kubernetes_orphan_grace=0)
    driver, space = await stage.driver(options), SPACES["1"]
    server = await stage.server(driver, "1")
    await driver.create_share(share("1"), server)
    policy = next(one for one in stage.cluster.server.objects if one[1:3] == (NETWORK_POLICY.plural, space))
    attachment = next(one for one in stage.cluster.server.objects if one[1:3] == (NETWORK_ATTACHMENT.plural, space))
    for key in (policy, attachment):
        stage.cluster.server.remove(key)
    rows = Rows([server], [], [], frozenset({"s1"}))
    found = await stage.inspect(driver, rows)
    assert policy in stage.cluster.server.objects and attachment in stage.cluster.server.objects
    assert spaces_of(stage, NETWORK_ATTACHMENT) == {space}, "and nowhere else"
    assert {one.about for one in found.orphans} == {"i1"} and all(one.proven for one in found.orphans)
    for one in found.orphans:
        await driver.remove_orphan(one)
    assert stage.within(space) == {"gateway-s1", "gateway-s1-0", "state-gateway-s1-0"}


async def test_without_a_project_and_without_the_option_there_is_one_namespace(stage: Stage) -> None:
    for options in (MANY, OPTIONS):
        driver = await stage.driver(options)
        unknown: list[Row] = [{**one, "project_id": ""} for one in network("1")]
        await driver.setup_server(unknown)
        assert stage.spaces() == set()
        found = stage.cluster.of(STATEFUL_SET)["gateway-s1"]
        assert found["metadata"]["namespace"] == HOME and label(found, "manila.openkeel.io/project") == ""
