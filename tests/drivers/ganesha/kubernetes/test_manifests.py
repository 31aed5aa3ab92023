"""Attachments, sizes, rooms and orders: pure parts, said in full."""

from __future__ import annotations

import json
import pathlib

import pytest

from drivers.ganesha.gateway.orders import Answer, Order, Orders
from drivers.ganesha.kubernetes.attachments import chosen
from drivers.ganesha.kubernetes.options import parsed
from drivers.ganesha.ports import Address, Server
from drivers.ganesha.rules import Client
from drivers.kubernetes.api import NETWORK_ATTACHMENT
from generated.errors import ShareBackendException

SERVER = Server("s1", (Address("10.0.0.50", 24, "net.1", "fa:16:3e:00:00:01", "10.0.0.1", 1442, "port-1"),))


def _selected(name: str) -> tuple[dict[str, str], list[dict[str, object]], dict[str, object]]:
    made = chosen(name)(SERVER, "gateways")
    ((kind, definition),) = made.before
    assert kind is NETWORK_ATTACHMENT
    networks = json.loads(made.annotations["k8s.v1.cni.cncf.io/networks"])
    return made.annotations, networks, json.loads(definition["spec"]["config"])


def test_multus_is_given_everything_with_a_mask() -> None:
    _, networks, config = _selected("multus")
    assert networks == [
        {
            "name": "tenant-net-1",
            "namespace": "gateways",
            "interface": "net1",
            "ips": ["10.0.0.50/24"],
            "mac": "fa:16:3e:00:00:01",
            "default-route": ["10.0.0.1"],
        }
    ]
    assert (config["type"], config["capabilities"]) == ("bridge", {"ips": True, "mac": True})
    assert len(str(config["bridge"])) <= 15


def test_kube_ovn_is_given_plain_addresses_and_its_subnet() -> None:
    annotations, networks, config = _selected("kube-ovn")
    own = "tenant-net-1.gateways.ovn.kubernetes.io"
    assert annotations[f"{own}/ip_address"] == "10.0.0.50"
    assert annotations[f"{own}/mac_address"] == "fa:16:3e:00:00:01"
    assert annotations[f"{own}/logical_switch"] == "tenant-net-1"
    assert annotations[f"{own}/port_security"] == "true"
    assert networks == [{"name": "tenant-net-1", "namespace": "gateways", "interface": "net1"}]
    assert str(config["provider"]).count(".") == 2


def test_an_ovn_port_is_bound_by_its_id() -> None:
    _, networks, config = _selected("ovn-port")
    assert networks[0]["cni-args"] == {"port": "port-1", "mtu": 1442}
    assert config["type"] == "openkeel-ovn"
    bare = Server("s1", (Address("10.0.0.50", 24, "net-1"),))
    with pytest.raises(ShareBackendException, match="no Neutron port"):
        chosen("ovn-port")(bare, "gateways")


def test_an_unknown_attachment_is_named() -> None:
    with pytest.raises(ShareBackendException, match="not vxlan"):
        chosen("vxlan")


def test_json_options_say_which_one_is_wrong() -> None:
    assert parsed("kubernetes_tolerations", "[]", list) == []
    with pytest.raises(ShareBackendException, match="kubernetes_tolerations is no JSON"):
        parsed("kubernetes_tolerations", "[", list)
    with pytest.raises(ShareBackendException, match="must be a JSON dict"):
        parsed("kubernetes_node_selector", "[]", dict)


def test_orders_and_answers_are_files_that_change_only_with_news(tmp_path: pathlib.Path) -> None:
    orders = Orders(tmp_path)
    orders.make()
    order = Order("i1", 3, True, clients=(Client("10.0.0.0/24", "RW"),), root=(0, 0, 0o777))
    orders.give(order)
    written = (tmp_path / "desired" / "i1.json").stat().st_ino
    orders.give(order)
    assert (tmp_path / "desired" / "i1.json").stat().st_ino == written
    assert (orders.names(), orders.order("i1")) == (["i1"], order)
    answer = Answer(3, mounted=True, exported=True, prepared=True, size=5, used=1)
    orders.reply("i1", answer)
    assert orders.answer("i1") == answer
    orders.withdraw("i1")
    orders.forget("i1")
    assert (orders.names(), orders.order("i1"), orders.answer("i1")) == ([], None, None)
