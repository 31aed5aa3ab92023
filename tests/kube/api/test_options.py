"""Each option of a back end's section, from manila.conf to what the API server keeps of a gateway and of a holder."""

from __future__ import annotations

import pathlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from cli import config
from drivers.ganesha.kubernetes.options import ELSEWHERE, KubernetesOptions
from drivers.kubernetes.api import POD, STATEFUL_SET, Object
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, SHARE
from tests.kube.api.back_end import BackEnd, installed
from tests.kube.api.conftest import Bench
from worker import backends

CONF = """
[DEFAULT]
enabled_share_backends = k
[k]
share_driver = ganesha-kubernetes
share_backend_name = kube
driver_handles_share_servers = true
kubernetes_storage_class = grows
kubernetes_snapshot_class = fast
{line}
"""
TOLERATED = '[{"key": "storage", "operator": "Exists", "effect": "NoSchedule"}]'
LIMITS = '{"requests": {"cpu": "75m"}, "limits": {"memory": "640Mi"}}'


@pytest.fixture
async def back_end(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    async with installed(bench, request) as found:
        yield found


def options(back_end: BackEnd, folder: pathlib.Path, line: str) -> KubernetesOptions:
    """What the service makes of a manila.conf with this line."""
    file = folder / "manila.conf"
    file.write_text(CONF.format(line=line))
    settings = config.load([file])
    made = backends.options("k", settings.backends["k"], KubernetesOptions)
    assert isinstance(made, KubernetesOptions)
    patience: dict[str, Any] = {"kubernetes_bind_timeout": 20.0, "kubernetes_start_timeout": 20.0}
    return replace(made, kubernetes_namespace=back_end.bench.namespace, **patience)


def _container(pod: Object, name: str) -> Object:
    found: list[Object] = [one for one in pod["containers"] if one["name"] == name]
    return found[0]


CASES: dict[str, tuple[str, Any, Any]] = {
    "gateway resources": (
        f"kubernetes_gateway_resources = {LIMITS}",
        lambda gateway, holder: _container(gateway, "ganesha")["resources"],
        {"requests": {"cpu": "75m"}, "limits": {"memory": "640Mi"}},
    ),
    "agent resources": (
        f"kubernetes_agent_resources = {LIMITS}",
        lambda gateway, holder: _container(gateway, "agent")["resources"],
        {"requests": {"cpu": "75m"}, "limits": {"memory": "640Mi"}},
    ),
    "holder resources": (
        f"kubernetes_holder_resources = {LIMITS}",
        lambda gateway, holder: _container(holder, "holder")["resources"]["limits"],
        {"memory": "640Mi"},
    ),
    "node selector": (
        'kubernetes_node_selector = {"storage": "yes"}',
        lambda gateway, holder: [gateway["nodeSelector"], holder["nodeSelector"]],
        [{"storage": "yes"}, {"storage": "yes"}],
    ),
    "tolerations": (
        f"kubernetes_tolerations = {TOLERATED}",
        lambda gateway, holder: gateway["tolerations"][0],
        {"key": "storage", "operator": "Exists", "effect": "NoSchedule"},
    ),
    "holders tolerate everything": (
        f"kubernetes_tolerations = {TOLERATED}",
        lambda gateway, holder: {"operator": "Exists"} in holder["tolerations"],
        True,
    ),
    "failover": (
        "kubernetes_failover_seconds = 77",
        lambda gateway, holder: {one["tolerationSeconds"] for one in gateway["tolerations"]},
        {77},
    ),
    "priority class": (
        "kubernetes_priority_class = system-node-critical",
        lambda gateway, holder: [gateway["priorityClassName"], holder["priorityClassName"]],
        ["system-node-critical"] * 2,
    ),
    "image": (
        "kubernetes_gateway_image = registry.example/gateway:7",
        lambda gateway, holder: {one["image"] for one in (*gateway["containers"], *holder["containers"])},
        {"registry.example/gateway:7"},
    ),
    "pull secrets": (
        "kubernetes_pull_secrets = one, two",
        lambda gateway, holder: [gateway["imagePullSecrets"], holder["imagePullSecrets"]],
        [[{"name": "one"}, {"name": "two"}]] * 2,
    ),
    "gateways' folder": (
        "kubernetes_gateways_path = /srv/gateways",
        lambda gateway, holder: {one["hostPath"]["path"] for one in gateway["volumes"] if "hostPath" in one},
        {f"/srv/gateways/s1/{name}" for name in ("shares", "control", "devices")},
    ),
    "grace and lease": (
        "ganesha_grace_period = 41\nganesha_lease_lifetime = 17",
        lambda gateway, holder: {
            one["name"]: one.get("value")
            for one in _container(gateway, "ganesha")["env"]
            if one["name"] in ("GATEWAY_GRACE", "GATEWAY_LEASE")
        },
        {"GATEWAY_GRACE": "41", "GATEWAY_LEASE": "17"},
    ),
}


@pytest.mark.parametrize("case", CASES)
async def test_an_option_is_in_the_pods(back_end: BackEnd, tmp_path: pathlib.Path, case: str) -> None:
    line, look, expected = CASES[case]
    driver = back_end.driver(options(back_end, tmp_path, line))
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    await driver.create_share(SHARE, server)
    gateway = (await back_end.the(STATEFUL_SET, "gateway-s1"))["spec"]["template"]["spec"]
    assert look(gateway, (await back_end.the(POD, "holder-i1"))["spec"]) == expected


@pytest.mark.parametrize("name", ELSEWHERE)
async def test_an_option_that_nothing_here_reads_is_refused_when_it_is_set(
    back_end: BackEnd, tmp_path: pathlib.Path, name: str
) -> None:
    value = {"ganesha_pool_size_gb": "7", "ganesha_pool_preallocate": "false", "ganesha_log_size_mb": "7"}
    value |= {"ganesha_allow_old": "true"}
    driver = back_end.driver(options(back_end, tmp_path, f"{name} = {value.get(name, '/elsewhere')}"))
    with pytest.raises(ShareBackendException, match=f"{name}: of the embedded back end"):
        await driver.do_setup()


@pytest.mark.parametrize("name", ["node_selector", "tolerations", "gateway_resources", "holder_resources"])
async def test_an_option_that_cannot_be_read_stops_the_back_end(
    back_end: BackEnd, tmp_path: pathlib.Path, name: str
) -> None:
    driver = back_end.driver(options(back_end, tmp_path, f"kubernetes_{name} = nonsense"))
    with pytest.raises(ShareBackendException, match=f"kubernetes_{name} is no JSON"):
        await driver.do_setup()


async def test_several_ports_are_promised_where_a_gateway_can_have_them(back_end: BackEnd) -> None:
    ways = {"multus": "additional", "ovn-port": "additional", "kube-ovn": "primary"}
    promised = {}
    for attachment, interface in ways.items():
        changed = {"kubernetes_attachment": attachment, "kubernetes_kube_ovn_interface": interface}
        stats = await back_end.driver(**changed).get_share_stats(refresh=True)
        promised[attachment] = stats["share_server_multiple_subnet_support"]
    assert promised == {"multus": True, "ovn-port": True, "kube-ovn": False}
