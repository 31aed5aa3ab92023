"""One client of the benchmark: a line ``{"work": NAME, ...}`` in, a line with what it took out.

``client.py SERVER PATH`` is an NFSv4.1 client by nfs-rs, ``client.py FOLDER`` does the same to files on the machine. An
answer has ``amount`` (bytes or operations), ``seconds`` and ``cpu`` (seconds of this process), or ``error``.

A write is durable when it returns: nfs-rs sends WRITE and COMMIT, the machine's is followed by fdatasync.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

CHUNK = 8 << 20
SMALL = 4096
DATA = os.urandom(CHUNK)


class Opened(Protocol):
    """An open file."""

    async def read_at(self, offset: int, size: int) -> bytes: ...
    async def write_at(self, data: bytes, offset: int) -> Any: ...
    async def close(self) -> None: ...


class Place(Protocol):
    """A share, or a folder of the machine."""

    async def open(self, name: str, mode: str) -> Opened: ...
    async def unlink(self, name: str) -> None: ...
    async def stat(self, name: str) -> Any: ...
    async def count(self, name: str) -> int: ...


class Share:
    """By NFS."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.open, self.unlink, self.stat = client.open, client.unlink, client.stat

    @classmethod
    async def mount(cls, server: str, path: str) -> Share:
        """Connect; a new Ganesha lets this client wait for three seconds."""
        from nfs_rs import AsyncClient

        url = f"nfs://{server}{path}?version=4.1"
        made = await AsyncClient.connect(url, nfs_port=2049, noresvport=True, connect_timeout=20, operation_timeout=60)
        return cls(made)

    async def count(self, name: str) -> int:
        """Entries of a folder, each with its attributes."""
        number = 0
        async for _ in self._client.scandir(name):
            number += 1
        return number


class File:
    """An open file of the machine."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def read_at(self, offset: int, size: int) -> bytes:
        """From the page cache, as a rule."""
        return os.pread(self._descriptor, size, offset)

    async def write_at(self, data: bytes, offset: int) -> None:
        """Durable; several at once wait in threads."""
        await asyncio.to_thread(self._write, data, offset)

    def _write(self, data: bytes, offset: int) -> None:
        os.pwrite(self._descriptor, data, offset)
        os.fdatasync(self._descriptor)

    async def close(self) -> None:
        """Nothing waits here."""
        os.close(self._descriptor)


class Folder:
    """Of the machine."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def open(self, name: str, mode: str) -> File:
        """``wb``: emptied or made; else for reading and writing."""
        made = os.O_CREAT | os.O_TRUNC if mode == "wb" else 0
        return File(os.open(f"{self._path}/{name}", os.O_RDWR | made, 0o644))

    async def unlink(self, name: str) -> None:
        """A file."""
        os.unlink(f"{self._path}/{name}")

    async def stat(self, name: str) -> os.stat_result:
        """A file."""
        return os.stat(f"{self._path}/{name}")

    async def count(self, name: str) -> int:
        """Entries of a folder, each with its attributes."""
        with os.scandir(f"{self._path}/{name}") as found:
            return sum(1 for one in found if one.stat())


async def write(place: Place, own: str, size: int, **_: Any) -> int:
    """A file from its beginning to its end, ``size`` bytes."""
    file = await place.open(own, "wb")
    for offset in range(0, size, CHUNK):
        await file.write_at(DATA[: min(CHUNK, size - offset)], offset)
    await file.close()
    return size


async def read(place: Place, own: str, size: int, **_: Any) -> int:
    """The file that ``write`` wrote."""
    file, done = await place.open(own, "r+b"), 0
    for offset in range(0, size, CHUNK):
        done += len(await file.read_at(offset, min(CHUNK, size - offset)))
    await file.close()
    assert done == size, f"{done} bytes instead of {size}"
    return done


async def small(place: Place, write: bool, depth: int, spread: int, seconds: float, **_: Any) -> int:
    """Blocks of 4 KiB at random places of ``spread`` bytes, ``depth`` at a time."""
    file, done = await place.open("random", "r+b"), 0
    end = time.monotonic() + seconds

    async def one() -> None:
        nonlocal done
        while time.monotonic() < end:
            at = random.randrange(spread // SMALL) * SMALL
            if write:
                await file.write_at(DATA[:SMALL], at)
            else:
                await file.read_at(at, SMALL)
            done += 1

    await asyncio.gather(*(one() for _ in range(depth)))
    await file.close()
    return done


async def create(place: Place, own: str, seconds: float, **_: Any) -> int:
    """Create a file, write 4 KiB, close it, remove it."""
    end, done = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        file = await place.open(f"{own}.new", "wb")
        await file.write_at(DATA[:SMALL], 0)
        await file.close()
        await place.unlink(f"{own}.new")
        done += 1
    return done


async def stat(place: Place, files: int, seconds: float, **_: Any) -> int:
    """Attributes of files of a folder, by name."""
    end, done = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        await place.stat(f"names/{random.randrange(files):05}")
        done += 1
    return done


async def readdir(place: Place, files: int, **_: Any) -> int:
    """Entries of a folder with their attributes, once."""
    found = await place.count("names")
    assert found == files, f"{found} entries instead of {files}"
    return found


WORKS: dict[str, Callable[..., Awaitable[int]]] = {
    one.__name__: one for one in (write, read, small, create, stat, readdir)
}


async def main() -> None:
    """Answer until the input ends."""
    where = sys.argv[1:]
    place: Place = await Share.mount(*where) if len(where) == 2 else Folder(where[0])
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        asked = json.loads(line)
        begin, cpu = time.perf_counter(), time.process_time()
        try:
            amount = await WORKS[asked.pop("work")](place, **asked)
        except Exception as error:
            print(json.dumps({"error": repr(error)[:300]}), flush=True)
            continue
        took, cpu = time.perf_counter() - begin, time.process_time() - cpu
        print(json.dumps({"amount": amount, "seconds": took, "cpu": cpu}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
