"""``manila-ganesha-agent``: tells the Ganesha of its pod what to export, and filters the pod's packets.

Every gateway has one, so it imports little: ``tests/cli/test_ganesha_agent.py`` says what.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


def main() -> int:
    """Follow the orders of the gateway that the environment describes until SIGTERM."""
    # asyncio does without TLS where there is none, and hashlib has its own; OpenSSL would take a sixth of the memory
    for name in ("ssl", "_hashlib"):
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]
    from cli import agents, plain_log
    from drivers.ganesha.gateway.agent import GatewayAgent
    from drivers.ganesha.gateway.pod import Gateway

    async def work(stop: asyncio.Event) -> None:
        await GatewayAgent(Gateway.described(os.environ)).run(stop)

    return agents.run(work, plain_log.set_up)


if __name__ == "__main__":
    sys.exit(main())
