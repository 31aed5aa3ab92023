"""``manila-gateway``: the first process of a gateway's pod; it keeps a bus and an NFS-Ganesha running as one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Final

from drivers.ganesha.gateway.pod import Gateway

PATIENCE: Final = 120.0
"""Seconds to wait for what the agent does first: the packet filter, then its word that the volumes are there."""


def main() -> int:
    """Wait until the pod is closed to strangers and its volumes are there, then become the supervisor.

    It ends with an error when the filter does not come: a gateway that is open to everybody is never started.
    """
    try:
        gateway = Gateway.described(os.environ)
    except (KeyError, ValueError) as error:
        print(f"manila-gateway: the environment is incomplete: {error}", file=sys.stderr)
        return 1
    begin = time.time()
    words = gateway.command()
    if not _comes(lambda: gateway.closed(begin), PATIENCE):
        print("manila-gateway: no packet filter, so nothing is started", file=sys.stderr)
        return 1
    if not _comes(gateway.bound, gateway.volumes + PATIENCE):
        print("manila-gateway: the agent says nothing of the volumes, so nothing is started", file=sys.stderr)
        return 1
    os.execv(words[0], words)
    raise AssertionError("the supervisor has taken over")


def _comes(there: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


if __name__ == "__main__":
    sys.exit(main())
