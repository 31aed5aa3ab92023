"""A client that never rests: ``python pump.py SERVER PATH`` writes small durable blocks until its input ends.

Then it reads them back and prints one JSON line: ``writes``; ``gap``, the longest time between two of them in seconds;
``errors`` by name; ``lost``, blocks that were acknowledged and are not there. It connects anew after an error: the
library does not take up its session again after a restart of the server.
"""

from __future__ import annotations

import collections
import contextlib
import json
import pathlib
import select
import sys
import time
from typing import Any

from nfs_rs import Client

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from deploy.embedded.nfs import whole
from tests.datapath import relay

BLOCK = 64
PAUSE = 0.03


def _connect(server: str, path: str) -> Client:
    address, port = relay.way(server)
    url = f"nfs://{address}{path}?version=4.1"
    return Client.connect(url, nfs_port=port, noresvport=True, connect_timeout=1, operation_timeout=1.5)


def _block(number: int) -> bytes:
    return f"{number:>{BLOCK - 1}}\n".encode()


class Pump:
    """Writes block after block into one file."""

    def __init__(self, server: str, path: str) -> None:
        self._where = server, path
        self._file: Any = None
        self._client: Client | None = None
        self.writes, self.gap, self.last = 0, 0.0, 0.0
        self.errors: collections.Counter[str] = collections.Counter()

    def step(self) -> None:
        """One block; what goes wrong is counted, and tried again with a new connection."""
        try:
            if self._file is None:
                self._client = _connect(*self._where)
                self._file = self._client.open("pump", "r+b" if self.writes else "w+b")
            self._file.write_at(_block(self.writes), self.writes * BLOCK)
        except Exception as error:
            self.errors[getattr(error, "code_name", None) or type(error).__name__] += 1
            self._file = None
            return
        now = time.monotonic()
        self.gap = max(self.gap, now - self.last) if self.last else 0.0
        self.last = now
        self.writes += 1

    def lost(self) -> int:
        """Acknowledged blocks that are not there."""
        text = b""
        for _ in range(30):
            with contextlib.suppress(Exception), _connect(*self._where).open("pump", "rb") as file:
                text = whole(file)
                break
            time.sleep(1)
        there = [text[number * BLOCK : (number + 1) * BLOCK] == _block(number) for number in range(self.writes)]
        return there.count(False)


def main() -> None:
    """Run until the input ends."""
    pump = Pump(sys.argv[1], sys.argv[2])
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        before = pump.writes
        pump.step()
        if before == 0 and pump.writes:
            print("going", flush=True)
    gap = max(pump.gap, time.monotonic() - pump.last)
    print(json.dumps({"writes": pump.writes, "gap": round(gap, 2), "errors": pump.errors, "lost": pump.lost()}))


if __name__ == "__main__":
    main()
