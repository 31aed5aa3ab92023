"""DNS of the lab, asked over UDP as a pod's resolver does."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.dns import FAILED, NO_SUCH_NAME, OK, Names, Server
from tests.lab.place import SERVICE

SLICES = {"items": [{"endpoints": [
    {"addresses": ["10.88.0.7"], "conditions": {"ready": True}, "hostname": "db-0"},
    {"addresses": ["10.88.0.8"], "conditions": {"ready": False}, "hostname": "db-1"},
]}]}  # fmt: skip


class ApiInMemory:
    """Knows the service ``db`` of the namespace ``one``; ``away``: takes no connections."""

    away = False

    def __call__(self, method: str, path: str) -> tuple[int, str]:
        if self.away:
            raise ConnectionRefusedError
        here = "/namespaces/one/" in path and path.endswith("service-name=db")
        return 200, json.dumps(SLICES if here else {"items": []})


@pytest.fixture
def api() -> ApiInMemory:
    return ApiInMemory()


@pytest.fixture
def server(api: Any) -> Iterator[tuple[str, int]]:
    with Server(("127.0.0.1", 0), Names(api)) as made:
        threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
        yield "127.0.0.1", int(made.server_address[1])
        made.shutdown()


def ask(server: tuple[str, int], name: str, kind: int = 1) -> tuple[int, list[str]]:
    """Code and addresses of an answer."""
    question = b"".join(bytes([len(one)]) + one.encode() for one in name.split(".")) + struct.pack("!B2H", 0, kind, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(5)
        line.sendto(struct.pack("!6H", 77, 0x0100, 1, 0, 0, 0) + question, server)
        data = line.recv(512)
    number, flags, asked, answers, *_ = struct.unpack_from("!6H", data)
    assert (number, asked) == (77, 1) and flags & 0x8100 == 0x8100
    assert data[12 : 12 + len(question)] == question
    rows = [data[12 + len(question) + 16 * one :][:16] for one in range(answers)]
    return flags & 15, [socket.inet_ntoa(row[12:]) for row in rows]


def test_names_lead_to_ready_pods(server: tuple[str, int]) -> None:
    assert ask(server, "db.one.svc.cluster.local") == (OK, ["10.88.0.7"])
    assert ask(server, "DB-0.db.one.svc.cluster.local") == (OK, ["10.88.0.7"])
    assert ask(server, "db-1.db.one.svc.cluster.local") == (NO_SUCH_NAME, [])
    assert ask(server, "kubernetes.default.svc.cluster.local") == (OK, [SERVICE])


def test_other_kinds_of_a_name_are_empty(server: tuple[str, int]) -> None:
    assert ask(server, "db.one.svc.cluster.local", kind=28) == (OK, [])


@pytest.mark.parametrize("name", ["db.two.svc.cluster.local", "db.one.svc", "example.org", "svc.cluster.local"])
def test_nothing_else_is_known(server: tuple[str, int], name: str) -> None:
    assert ask(server, name) == (NO_SUCH_NAME, [])


def test_what_was_known_holds_while_the_api_is_away(server: tuple[str, int], api: ApiInMemory) -> None:
    ask(server, "db.one.svc.cluster.local")
    api.away = True
    assert ask(server, "db.one.svc.cluster.local") == (OK, ["10.88.0.7"])
    assert ask(server, "db.two.svc.cluster.local") == (FAILED, [])
