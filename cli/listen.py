"""Sockets that the programs listen on."""

from __future__ import annotations

import socket

from api.server.serve import BACKLOG
from api.tokens.static import check_listen
from generated.settings import Settings


def bind(address: str, port: int) -> socket.socket:
    """A listening TCP socket; ``::`` takes IPv4 too. Raises OSError."""
    if address == "::" and socket.has_dualstack_ipv6():
        made = socket.create_server(
            (address, port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True, reuse_port=False
        )
    else:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        made = socket.create_server((address if address != "::" else "0.0.0.0", port), family=family, backlog=BACKLOG)
    made.setblocking(False)
    return made


def bind_api(settings: Settings) -> socket.socket:
    """The API's socket.

    Raises:
        api.tokens.static.UnsafeListen: static tokens on an address that others can reach.
        OSError: the port is taken.
    """
    address, port = settings.default.osapi_share_listen, settings.default.osapi_share_listen_port
    if settings.openkeel.static_tokens:
        check_listen(address, settings.openkeel.static_tokens_anywhere)
    try:
        return bind(address, port)
    except OSError as error:
        raise OSError(f"can't listen on {address} port {port}: {error.strerror}") from error
