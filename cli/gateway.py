"""``manila-gateway``: the first process of a gateway's pod; it keeps a bus and an NFS-Ganesha running as one."""

from __future__ import annotations

import os
import sys
import time
from typing import Final

from drivers.ganesha.gateway.pod import Gateway

PATIENCE: Final = 120.0
"""Seconds to wait for the agent to load the packet filter."""


def main() -> int:
    """Wait until the pod is closed to strangers, then become the supervisor.

    It ends with an error when the filter does not come: a gateway that is open to everybody is never started.
    """
    try:
        gateway = Gateway.described(os.environ)
    except (KeyError, ValueError) as error:
        print(f"manila-gateway: the environment is incomplete: {error}", file=sys.stderr)
        return 1
    words = gateway.command()
    end = time.monotonic() + PATIENCE
    while not gateway.closed():
        if time.monotonic() > end:
            print("manila-gateway: no packet filter, so nothing is started", file=sys.stderr)
            return 1
        time.sleep(0.02)
    os.execv(words[0], words)
    raise AssertionError("the supervisor has taken over")


if __name__ == "__main__":
    sys.exit(main())
