"""What pods' images are fetched with: copied into the namespaces that the back end made, and kept current."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drivers.ganesha.kubernetes.spaces import naming, secrets
from drivers.kubernetes.api import NAMESPACE, NETWORK_POLICY, SECRET
from drivers.reconciling import Rows
from tests.drivers.ganesha.kubernetes.fake import OPTIONS
from tests.drivers.ganesha.kubernetes.spaces.stage import HOME, MANY, SPACES, Stage, network

FETCHED = replace(MANY, kubernetes_pull_secrets="registry, other")


@pytest.fixture
def stage() -> Stage:
    return Stage()


def put(stage: Stage, data: str, namespace: str = HOME) -> None:
    key = (SECRET.version, SECRET.plural, namespace, "registry")
    wanted = {"metadata": {"name": "registry", "namespace": namespace}, "type": "kubernetes.io/dockerconfigjson"}
    stage.cluster.server.put(key, {**wanted, "data": {".dockerconfigjson": data}})


def copies(stage: Stage) -> dict[str, str]:
    """Data by namespace."""
    found = {key[2]: one for key, one in stage.cluster.server.objects.items() if key[1] == SECRET.plural}
    return {namespace: one["data"][".dockerconfigjson"] for namespace, one in found.items() if namespace != HOME}


async def test_a_project_s_namespace_has_them_and_they_follow(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    driver = await stage.driver(FETCHED)
    put(stage, "MQ==")
    for number in SPACES:
        await stage.server(driver, number)
    assert copies(stage) == dict.fromkeys(SPACES.values(), "MQ==")
    assert f"there is no secret other in namespace {HOME}" in caplog.text
    rows = Rows(known=frozenset({"s1", "s2"}))
    put(stage, "Mg==")
    await stage.inspect(driver, rows)
    assert copies(stage) == dict.fromkeys(SPACES.values(), "Mg==")
    # the service may not read copies: one that somebody removed comes back after a while
    stage.cluster.server.remove((SECRET.version, SECRET.plural, SPACES["1"], "registry"))
    await stage.inspect(driver, rows)
    assert set(copies(stage)) == {SPACES["2"]}
    monkeypatch.setattr(secrets, "AGAIN", 0.0)
    await stage.inspect(driver, rows)
    assert set(copies(stage)) == set(SPACES.values())


async def test_what_an_operator_has_given_is_left_as_it_is(stage: Stage) -> None:
    driver, space = await stage.driver(FETCHED), SPACES["1"]
    await stage.cluster.create(NAMESPACE, {"metadata": {"name": space, "labels": naming.own(MANY)}})
    put(stage, "MQ==")
    put(stage, "own", space)
    await stage.server(driver, "1")
    await stage.inspect(driver, Rows(known=frozenset({"s1"})))
    assert copies(stage) == {space: "own"}


async def test_without_the_option_or_without_projects_no_secret_is_asked_for(stage: Stage) -> None:
    put(stage, "MQ==")
    await stage.server(await stage.driver(), "1")
    single = Stage()
    put(single, "MQ==")
    await single.server(await single.driver(replace(OPTIONS, kubernetes_pull_secrets="registry")), "1")
    assert copies(stage) == copies(single) == {}


async def test_a_worker_that_was_killed_while_it_made_a_namespace_is_made_up_for(stage: Stage) -> None:
    """The namespace says that the server is there, but nothing in it is closed yet."""
    driver, space = await stage.driver(FETCHED), SPACES["1"]
    put(stage, "MQ==")
    await stage.cluster.create(NAMESPACE, naming.wanted(MANY, space, network("1")[0]["project_id"], "s1"))
    await stage.server(driver, "1")
    assert copies(stage) == {space: "MQ=="}
    assert any(key[1:3] == (NETWORK_POLICY.plural, space) for key in stage.cluster.server.objects)
