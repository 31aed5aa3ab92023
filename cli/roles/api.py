"""The role ``api``: answers requests."""

from __future__ import annotations

import asyncio
import gc
import socket

from api.app import make_app
from api.server.limits import of_api
from api.server.serve import Server, tls_context
from cli.listen import bind_api
from cli.service import DRAIN_SECONDS
from services.core import Core


async def serve(parts: Core, role: str, stop: asyncio.Event, listening: socket.socket | None) -> None:
    """Serve until ``stop`` is set. Without ``listening`` the configured address is bound."""
    own = parts.settings.openkeel
    tls = tls_context(own.tls_certificate, own.tls_key)
    app, where = make_app(parts), listening or bind_api(parts.settings)
    gc.collect()
    gc.freeze()  # what is there now stays: without it each full collection looks at all of it and holds requests up
    await Server(app, of_api(parts.settings), where, name="api", tls=tls).run(stop, DRAIN_SECONDS)
