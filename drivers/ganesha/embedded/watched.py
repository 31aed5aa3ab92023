"""What clients do on the gateways of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from drivers.client_counts import Seen
from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.gateway import statistics
from drivers.ganesha.gateway.dbus import Refusal
from drivers.ganesha.gateway.exports import FolderExports

_LIMIT: Final = 1.0
"""Seconds for all gateways together: who asks is a metrics endpoint, and asks again soon."""


class WatchedGateways:
    """The port ``Watched`` on this machine."""

    def __init__(self, layout: Layout, exports: FolderExports) -> None:
        self._layout, self._exports = layout, exports

    async def clients_seen(self) -> Sequence[Seen]:
        """All at once; one that does not answer is left out."""
        folder = self._layout.servers
        servers = sorted(one.name for one in folder.iterdir()) if folder.exists() else []
        found = await asyncio.gather(*(self._seen(one) for one in servers))
        return [one for one in found if one is not None]

    async def _seen(self, server: str) -> Seen | None:
        try:
            exports = {number: name for name, number in self._exports.numbers(server).items()}
            return Seen(server, await statistics.collect(self._layout.server(server) / "bus", exports, _LIMIT))
        except (Refusal, EOFError, OSError):
            return None
