"""Links for clients that name no host, as HTTP/1.0 allows: the address that the service listens on."""

from __future__ import annotations

import asyncio
import json
import re
import socket

import pytest
from starlette.types import Scope

from api import forwarded
from deploy.embedded.running import serving
from generated.runtime import Reply
from generated.settings import Settings
from handlers.call import Call
from services.core import Core
from tests.api.test_faults import app_with


@pytest.mark.parametrize(
    ("headers", "server", "scheme", "expected"),
    [
        ({}, ("192.0.2.1", 8786), "http", "http://192.0.2.1:8786"),
        ({"host": ""}, ("192.0.2.1", 8786), "http", "http://192.0.2.1:8786"),
        ({}, ("192.0.2.1", 80), "http", "http://192.0.2.1"),
        ({}, ("192.0.2.1", 443), "https", "https://192.0.2.1"),
        ({}, ("192.0.2.1", 443), "http", "http://192.0.2.1:443"),
        ({}, ("2001:db8::1", 8786), "http", "http://[2001:db8::1]:8786"),
        ({}, None, "http", "http://localhost"),
        ({"host": "manila.example"}, ("192.0.2.1", 8786), "http", "http://manila.example"),
    ],
)
def test_the_base_of_links(headers: dict[str, str], server: tuple[str, int] | None, scheme: str, expected: str) -> None:
    scope: Scope = {"scheme": scheme, "server": server, "root_path": ""}
    assert forwarded.place(Settings(), scope, headers).base_url == expected


async def test_the_version_document_over_http_1_0(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    async def handler(call: Call) -> Reply:
        return Reply({})

    at = socket.create_server(("127.0.0.1", 0))
    address, port = at.getsockname()
    async with serving(app_with(core, monkeypatch, handler), at):
        for head in (b"GET / HTTP/1.0\r\n\r\n", b"GET / HTTP/1.0\r\nHost: \r\n\r\n"):
            reader, writer = await asyncio.open_connection(address, port)
            writer.write(head)
            answer = await reader.read()
            writer.close()
            body = json.loads(answer.partition(b"\r\n\r\n")[2])
            links = re.findall(r'"href": "([^"]*)"', json.dumps(body))
            assert f"http://{address}:{port}/v2/" in links, links
