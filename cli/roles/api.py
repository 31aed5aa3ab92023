"""The role ``api``: answers requests."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn

from api.app import make_app
from cli.listen import bind_api
from cli.metrics import serve_until
from cli.service import DRAIN_SECONDS
from generated.settings import Settings
from services.core import Core


async def serve(parts: Core, role: str, stop: asyncio.Event, listening: socket.socket | None) -> None:
    """Serve until ``stop`` is set. Without ``listening`` the configured address is bound."""
    config = uvicorn.Config(
        make_app(parts), log_config=None, access_log=False, lifespan="off", interface="asgi3", http="httptools",
        server_header=False, proxy_headers=False, timeout_graceful_shutdown=DRAIN_SECONDS,
        **connections(parts.settings),
    )  # fmt: skip
    await serve_until(uvicorn.Server(config), listening or bind_api(parts.settings), stop)


def connections(settings: Settings) -> dict[str, Any]:
    """How connections are made, and kept: as long as by the original, so that none ends between two polls."""
    own = settings.openkeel
    return {
        "ssl_certfile": own.tls_certificate,
        "ssl_keyfile": own.tls_key,
        "timeout_keep_alive": settings.default.client_socket_timeout,
    }
