"""A connection to the API stays open between two polls of a client, as long as the option says."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from cli.metrics import serve_until
from cli.roles.api import connections
from generated.settings import DefaultSection, Settings
from tests.cli.test_service import settings


async def _hello(scope: object, receive: object, send: object) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})  # type: ignore[operator]
    await send({"type": "http.response.body", "body": b""})  # type: ignore[operator]


async def test_a_connection_lasts_as_long_as_the_option_says() -> None:
    assert connections(settings(1, 1))["timeout_keep_alive"] == 900
    short = Settings(default=DefaultSection(client_socket_timeout=1))
    config = uvicorn.Config(_hello, log_config=None, lifespan="off", **connections(short))
    listening, stop = socket.create_server(("127.0.0.1", 0)), asyncio.Event()
    serving = asyncio.create_task(serve_until(uvicorn.Server(config), listening, stop))
    reader, writer = await asyncio.open_connection(*listening.getsockname())
    for _ in range(2):
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
    assert await asyncio.wait_for(reader.read(), 20) == b"", "the service closes it"
    writer.close()
    stop.set()
    await serving
