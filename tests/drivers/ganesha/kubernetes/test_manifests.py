"""Attachments, sizes, rooms and orders: pure parts, said in full."""

from __future__ import annotations

import pathlib

import pytest

from drivers.ganesha.gateway.orders import Answer, Order, Orders
from drivers.ganesha.rules import Client
from drivers.kubernetes.pods import parsed
from generated.errors import ShareBackendException


def test_json_options_say_which_one_is_wrong() -> None:
    assert parsed("kubernetes_tolerations", "[]", list) == []
    with pytest.raises(ShareBackendException, match="kubernetes_tolerations is no JSON"):
        parsed("kubernetes_tolerations", "[", list)
    with pytest.raises(ShareBackendException, match="must be a JSON dict"):
        parsed("kubernetes_node_selector", "[]", dict)


def test_orders_and_answers_are_files_that_change_only_with_news(tmp_path: pathlib.Path) -> None:
    orders = Orders(tmp_path / "control", tmp_path / "answers")
    orders.answered.mkdir()
    orders.make()
    order = Order("i1", 3, True, clients=(Client("10.0.0.0/24", "RW"),), root=(0, 0, 0o777))
    orders.give(order)
    written = orders.stamp("i1")
    orders.give(order)
    assert written is not None and orders.stamp("i1") == written
    assert (orders.names(), orders.order("i1")) == (["i1"], order)
    answer = Answer(3, mounted=True, exported=True, prepared=True, size=5, used=1)
    orders.reply("i1", answer)
    assert orders.answer("i1") == answer
    orders.withdraw("i1")
    orders.forget("i1")
    assert (orders.names(), orders.order("i1"), orders.answer("i1")) == ([], None, None)
