"""The protocol of OVSDB, against a server that answers what it is told to; the real one is in ``tests/ovn``."""

from __future__ import annotations

import contextlib
import json
import pathlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from drivers.ganesha.kubernetes.ovn.ovsdb import Database, SwitchFailed, mapping, members, pairs
from drivers.ganesha.kubernetes.ovn.switch import POD, Plugged, Switch

Serve = Callable[..., Database]


class Server:
    """Answers each connection with the next text; notes what it was asked."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path, self.asked = path, list[Any]()
        self.answers: list[list[str]] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            with line:
                self.asked.append(json.loads(line.recv(1 << 16)))
                texts = self.answers.pop(0)
                # who was told enough may hang up before all of it is sent
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    for text in texts:
                        line.sendall(text.encode())
                    # the asker hangs up first, unless it was answered nothing
                    while any(texts) and line.recv(1 << 16):
                        pass

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@pytest.fixture
def server(tmp_path: pathlib.Path) -> Iterator[Server]:
    made = Server(tmp_path / "db")
    yield made
    made.close()


def results(*found: Any) -> list[str]:
    return [json.dumps({"id": 0, "result": list(found), "error": None})]


def test_an_answer_comes_in_pieces_and_between_other_messages(server: Server) -> None:
    (whole,) = results({"rows": [{"name": "x"}]})
    echo = json.dumps({"method": "echo", "params": [], "id": "echo"})
    server.answers = [[echo + whole[:9], whole[9:]]]
    assert Database(str(server.path)).select("T", ["name", "==", "x"]) == [{"name": "x"}]
    assert server.asked[0]["params"] == [
        "Open_vSwitch",
        {"op": "select", "table": "T", "where": [["name", "==", "x"]]},
    ]


@pytest.mark.parametrize(
    "answer",
    [
        ['{"id": 0, "result": null, "error": "unknown database"}'],
        results({"count": 1}, None, {"error": "constraint violation", "details": "twice"}),
        [],
    ],
    ids=["no such database", "an operation fails", "hung up"],
)
def test_what_fails(server: Server, answer: list[str]) -> None:
    server.answers = [[*answer, ""]]
    with pytest.raises(SwitchFailed):
        Database(str(server.path), timeout=2).transact({"op": "comment", "comment": "x"})


def test_nobody_listens(tmp_path: pathlib.Path) -> None:
    with pytest.raises(SwitchFailed, match="none"):
        Database(str(tmp_path / "none")).transact()


def test_maps_and_sets() -> None:
    assert pairs(mapping({"a": "1", "b": "2"})) == {"a": "1", "b": "2"}
    assert (members(["set", [1, 2]]), members("one"), members(["set", []])) == ([1, 2], ["one"], [])


def test_only_our_rows_are_ours(server: Server) -> None:
    ours = {"iface-id": "p", "ovn-installed": "true", POD: "u", "openkeel-sandbox": "7", "attached-mac": "m"}
    rows = [
        {"name": "ok1", "external_ids": mapping(ours), "error": ["set", []]},
        {"name": "tap1", "external_ids": mapping({"iface-id": "q"}), "error": ["set", []]},
        {"name": "ok2", "external_ids": mapping({POD: "v", "iface-id": "r"}), "error": "could not open"},
    ]
    server.answers = [results({"rows": rows})]
    assert Switch(Database(str(server.path))).plugged() == [
        Plugged("ok1", "p", "u", "7", "m", installed=True),
        Plugged("ok2", "r", "v", "", error="could not open"),
    ]


def test_a_switch_without_the_bridge_is_an_error(server: Server) -> None:
    uuid = {"uuid": ["uuid", "0"]}
    server.answers = [results(uuid, uuid, {"count": 0})]
    with pytest.raises(SwitchFailed, match="no bridge br-int"):
        Switch(Database(str(server.path))).add(Plugged("ok1", "p", "u", "7"))


@pytest.mark.parametrize(
    ("datapath", "settings", "software"),
    [("netdev", {}, True), ("netdev", {"userspace-tso-enable": "true"}, False), ("system", {}, False), ("", {}, False)],
)
def test_who_makes_checksums(server: Server, datapath: str, settings: dict[str, str], software: bool) -> None:
    server.answers = [
        results({"rows": [{"other_config": mapping(settings)}]}),
        results({"rows": [{"datapath_type": datapath}]}),
    ]
    assert Switch(Database(str(server.path))).sums_in_software() is software


@pytest.mark.parametrize(
    ("ids", "host"), [({"hostname": "n1", "system-id": "s"}, "n1"), ({"system-id": "s"}, "s"), ({}, None)]
)
def test_the_node_s_name(server: Server, ids: dict[str, str], host: str | None) -> None:
    server.answers = [results({"rows": [{"external_ids": mapping(ids)}]})]
    switch = Switch(Database(str(server.path)))
    if host is None:
        with pytest.raises(SwitchFailed, match="neither hostname"):
            switch.host()
    else:
        assert switch.host() == host
