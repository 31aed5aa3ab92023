"""``manila-ganesha-agent``: tells the Ganesha of its pod what to export, and filters the pod's packets."""

from __future__ import annotations

import asyncio
import os
import sys

from cli import agents
from drivers.ganesha.gateway.agent import GatewayAgent
from drivers.ganesha.gateway.pod import Gateway


def main() -> int:
    """Follow the orders of the gateway that the environment describes until SIGTERM."""

    async def work(stop: asyncio.Event) -> None:
        await GatewayAgent(Gateway.described(os.environ)).run(stop)

    return agents.run(work)


if __name__ == "__main__":
    sys.exit(main())
