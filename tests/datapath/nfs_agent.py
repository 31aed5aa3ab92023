"""Runs inside a client's network namespace: one JSON request a line in, one JSON answer a line out.

A request is ``{"do": verb, ...arguments}``; an answer is ``{"ok": value}`` or ``{"error": name}``, where name is the
NFS status (``NFS4ERR_ROFS``) or the class of the error. Open files and the mount stay between requests.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import sys
from typing import Any

from nfs_rs import Client, File

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from deploy.embedded.nfs import whole
from tests.datapath import relay

BLOCK = b"x" * (1 << 20)


class Agent:
    """One mount and its open files."""

    def __init__(self) -> None:
        self.client: Client | None = None
        self.files: dict[str, File] = {}

    @property
    def mounted(self) -> Client:
        assert self.client is not None
        return self.client

    def mount(self, server: str, path: str, uid: int = 0, direct: bool = False) -> str:
        """Answers the protocol version. ``direct``: without the relay, whose end of a cut connection differs."""
        address, port = (server, relay.PORT) if direct else relay.way(server)
        host = f"[{address}]" if ":" in address else address
        self.client = Client.connect(
            f"nfs://{host}{path}?version=4.1",
            nfs_port=port,
            noresvport=True,
            uid=uid,
            gid=uid,
            connect_timeout=15 if direct else 3,
            operation_timeout=20,
        )
        return str(self.client.version.value)

    def write(self, name: str, text: str) -> int:
        """A whole file."""
        with self.mounted.open(name, "wb") as file:
            return file.write(text.encode())

    def read(self, name: str) -> str:
        """A whole file."""
        with self.mounted.open(name, "rb") as file:
            return whole(file).decode()

    def open(self, name: str, mode: str) -> bool:
        """Keep a file open under its name."""
        self.files[name] = self.mounted.open(name, mode)
        return True

    def write_at(self, name: str, offset: int, text: str) -> int:
        """Into the open file."""
        return self.files[name].write_at(text.encode(), offset)

    def read_at(self, name: str, offset: int, size: int) -> str:
        """From the open file."""
        return self.files[name].read_at(offset, size).decode()

    def fill(self, name: str, size: int) -> int:
        """Write up to ``size`` MiB; answers how many got in."""
        done = 0
        file = self.mounted.open(name, "wb")
        try:
            while done < size:
                step = min(8, size - done)
                file.write(BLOCK * step)
                done += step
            file.close()
        except Exception as error:
            if getattr(error, "code_name", "") != "NFS4ERR_NOSPC":
                raise
            # a full share refuses the commit of close, too
            with contextlib.suppress(Exception):
                file.close()
        return done

    def df(self) -> list[int]:
        """Total and available bytes."""
        stat = self.mounted.fs_stat()
        return [stat.total_bytes, stat.available_bytes]

    def stat(self, name: str) -> dict[str, int]:
        """Size, owner and mode."""
        info = self.mounted.stat(name)
        return {"size": info.size, "uid": info.uid, "gid": info.gid, "mode": info.mode & 0o7777}

    def mkdir(self, name: str) -> None:
        """A folder."""
        self.mounted.mkdir(name)

    def listdir(self, name: str) -> list[str]:
        """Names in a folder below the mount's root."""
        return sorted(self.mounted.listdir(name))

    def remove(self, name: str) -> None:
        """A file."""
        self.mounted.remove(name)


def main() -> None:
    """Answer until the input ends."""
    agent = Agent()
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        try:
            answer = {"ok": getattr(agent, request.pop("do"))(**request)}
        except Exception as error:
            answer = {"error": getattr(error, "code_name", None) or type(error).__name__, "text": str(error)[:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
