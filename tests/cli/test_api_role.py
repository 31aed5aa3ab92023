"""A connection to the API stays open between two polls of a client, as long as the option says."""

from __future__ import annotations

import asyncio
import dataclasses
import socket

from starlette.types import Receive, Scope, Send

from api.server.exchange import identified
from api.server.limits import of_api
from api.server.serve import Server
from generated.settings import DefaultSection, OpenkeelSection, Settings
from tests.cli.test_service import settings


async def _known(scope: Scope, receive: Receive, send: Send) -> None:
    identified(scope)
    await _hello(scope, receive, send)


async def _hello(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def test_a_connection_lasts_as_long_as_the_option_says() -> None:
    assert of_api(settings(1, 1)).keep_alive == 900
    short = Settings(default=DefaultSection(client_socket_timeout=1))
    strict = dataclasses.replace(short, openkeel=OpenkeelSection(http_first_byte_timeout=0.1))
    for app, limits in ((_known, of_api(short)), (_hello, of_api(strict))):
        listening, stop = socket.create_server(("127.0.0.1", 0)), asyncio.Event()
        serving = asyncio.create_task(Server(app, limits, listening, name="test").run(stop))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        for _ in range(2):
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        assert await asyncio.wait_for(reader.read(), 20) == b"", "the service closes it"
        writer.close()
        stop.set()
        await serving
