"""From the configuration to back ends: what a driver and its network must agree on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from generated.errors import InvalidParameterValue, NetworkBadConfigurationException
from generated.settings import BackendSection, DefaultSection, NetworkSection, NeutronSection, Settings
from network.neutron import NeutronPlugin
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.test_driver import RULE, SHARE
from tests.lab.ovn.groups import SERVICE, GroupNeutron
from worker import backends
from worker.operation import Backend

PLUGINS = "manila.network.neutron.neutron_network_plugin."
SUBNET = {
    "id": "subnet-row",
    "neutron_net_id": "00000000-0000-4000-8000-00000000000a",
    "neutron_subnet_id": "00000000-0000-4000-9000-00000000000a",
}


@pytest.fixture(autouse=True)
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    """In the place of the API server of every Kubernetes back end."""
    made = FakeCluster()
    monkeypatch.setattr("drivers.ganesha.kubernetes.Cluster", lambda *_, **__: made)
    return made


@pytest.fixture
def neutron() -> Iterator[Any]:
    server = GroupNeutron(default_groups=True).start()
    yield server
    server.shutdown()
    server.server_close()


def built(
    driver: str,
    access: str = "auto",
    plugin: str = "NeutronNetworkPlugin",
    url: str = "http://127.0.0.1:1",
    network: dict[str, Any] | None = None,
    project: str | None = SERVICE,
    **own: Any,
) -> Backend:
    section = BackendSection(
        share_backend_name="kube",
        share_driver=driver,
        driver_handles_share_servers=True,
        kubernetes_storage_class="fast",
        kubernetes_namespace=OPTIONS.kubernetes_namespace,
        **own,
    )
    chosen = NetworkSection(network_api_class=PLUGINS + plugin, neutron_nfs_access=access, **(network or {}))
    settings = Settings(
        default=DefaultSection(enabled_share_backends=("k",)),
        neutron=NeutronSection(url=url, auth_type="none", project_id=project),
        backends={"k": section},
        networks={"k": chosen, "admin": chosen},
    )
    (backend,) = backends.build(settings)
    return backend


GUARDED: list[tuple[str, dict[str, Any], str, bool]] = [
    ("ganesha-kubernetes", {"kubernetes_attachment": "multus"}, "auto", False),
    ("ganesha-kubernetes", {"kubernetes_attachment": "multus"}, "rules", True),
    ("ganesha-kubernetes", {"kubernetes_attachment": "multus"}, "subnet", False),
    ("ganesha-kubernetes", {"kubernetes_attachment": "kube-ovn"}, "auto", False),
    ("ganesha-kubernetes", {"kubernetes_attachment": "kube-ovn"}, "rules", True),
    ("ganesha-kubernetes", {"kubernetes_attachment": "ovn-port"}, "auto", True),
    ("ganesha-kubernetes", {"kubernetes_attachment": "ovn-port"}, "rules", True),
    ("ganesha-kubernetes", {"kubernetes_attachment": "ovn-port"}, "subnet", False),
    ("ganesha-kubernetes", {"kubernetes_attachment": "ovn-port"}, "none", False),
    ("ganesha", {}, "auto", False),
    ("ganesha", {}, "rules", True),
]


@pytest.mark.parametrize(("driver", "own", "access", "fills"), GUARDED)
def test_who_fills_a_group_that_follows_the_rules(driver: str, own: dict[str, Any], access: str, fills: bool) -> None:
    """A port with such a group admits nobody until somebody is told whom."""
    backend = built(driver, access, **own)
    assert isinstance(backend.network, NeutronPlugin)
    assert (backend.network.guard == "rules", backend.driver.tenant_ports.guards) == (fills, fills)


@pytest.mark.parametrize(
    ("driver", "access", "more", "why"),
    [
        ("dummy", "rules", {}, "does not tell whom the access rules let in"),
        ("ganesha", "rules", {"admin_network_config_group": "admin"}, "not for the admin network"),
        (
            "ganesha-kubernetes",
            "auto",
            {"kubernetes_attachment": "ovn-port", "plugin": "NeutronBindNetworkPlugin"},
            "binds its ports itself.*use NeutronNetworkPlugin",
        ),
    ],
)
def test_what_does_not_fit_together(driver: str, access: str, more: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidParameterValue, match=why):
        built(driver, access, **more)


@pytest.mark.parametrize("access", ["rules", "subnet"])
def test_groups_with_a_fixed_token_need_its_project(access: str) -> None:
    """A token that was given says nothing of the project that owns the groups."""
    with pytest.raises(NetworkBadConfigurationException, match="needs the option project_id"):
        built("ganesha", access, project=None)
    assert built("ganesha", "none", project=None).network


def test_ports_that_an_agent_binds_when_the_server_is_there_are_nobody_s_trouble() -> None:
    normal = {"neutron_vnic_type": "normal", "neutron_host_id": "node-1"}
    own = {"kubernetes_attachment": "ovn-port", "plugin": "NeutronBindNetworkPlugin"}
    assert built("ganesha-kubernetes", network=normal, **own).driver.tenant_ports.guards


@pytest.mark.parametrize("attachment", ["multus", "kube-ovn", "ovn-port"])
async def test_access_rules_reach_neutron_s_group_whatever_the_attachment(
    neutron: Any, cluster: FakeCluster, attachment: str
) -> None:
    backend = built("ganesha-kubernetes", "rules", url=neutron.url, kubernetes_attachment=attachment)
    driver, network = backend.driver, backend.network
    assert isinstance(network, NeutronPlugin)
    try:
        got = await network.allocate("s1", "b" * 32, SUBNET, 1)
        info = {"server_id": "s1", "network_allocations": got.allocations, **SUBNET, **got.subnet}
        server: dict[str, Any] = {"id": "s1", "backend_details": await driver.setup_server([info])}
        await driver.create_share(SHARE, server)
        for rules in ([RULE], []):
            assert admitted(neutron) == []
            await driver.update_access(SHARE, rules, rules, [], [], server)
            assert admitted(neutron) == [("10.0.0.5/32", 2049)] * len(rules)
            await driver.update_access(SHARE, [], [], rules, [], server)
        await driver.teardown_server(server["backend_details"])
        await network.deallocate("s1", got.allocations)
        assert [one["name"] for one in neutron.state.groups.values() if one["name"] != "default"] == []
    finally:
        await network.close()


def admitted(neutron: Any) -> list[tuple[str, int]]:
    """What the server's group lets in."""
    own = {one["id"] for one in neutron.state.groups.values() if one["name"] == "manila-s1"}
    found = [one for one in neutron.state.rules.values() if one["security_group_id"] in own]
    return [(one["remote_ip_prefix"], one["port_range_min"]) for one in found if one["direction"] == "ingress"]


@pytest.mark.parametrize(("interface", "several"), [("additional", True), ("primary", False)])
async def test_several_subnets_are_offered_where_a_gateway_can_have_them(interface: str, several: bool) -> None:
    backend = built("ganesha-kubernetes", kubernetes_attachment="kube-ovn", kubernetes_kube_ovn_interface=interface)
    stats = await backend.driver.get_share_stats(refresh=True)
    assert stats["share_server_multiple_subnet_support"] is several
