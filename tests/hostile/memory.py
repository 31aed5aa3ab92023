"""Attacks on the memory of an API process, each with what the options allow it to take.

``python -m tests.hostile.memory [--shares 100000] [--seconds 60]`` prints a line for each and fails above a ceiling.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import pathlib
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

from api.server.connection import BODY_AHEAD
from db import migrate
from db.connection import LISTS
from db.embedded import EmbeddedPostgres
from generated.settings import Settings
from tests.api.keystone import Keystone
from tests.hostile.shares import TENANT_A, fill
from tests.hostile.target import CEILING, HOST, Target, get, running

MEBIBYTE = 1 << 20
LIST_SIZE = 12 * MEBIBYTE
"""What the 1,000 rows of a list with details take, with what is shown of them and its bytes."""
SPARE = 24 * MEBIBYTE
"""For what is learned at the first requests, and what the allocator does not give back."""
POST = b"POST /v2/shares HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Auth-Token: member-a-token\r\n"


One = Callable[[Target, int], Coroutine[Any, Any, None]]
"""What one of a crowd does, by its number."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where an attack takes place, and for how long."""

    folder: pathlib.Path
    database: str
    shares: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Seen:
    """Bytes: ``peak`` of the process, ``allowed`` to it by the options, ``idle`` before."""

    name: str
    idle: int
    peak: int
    allowed: int

    def __str__(self) -> str:
        sizes = (self.idle >> 20, self.peak >> 20, self.allowed >> 20)
        return "{}: {} MiB idle, {} MiB at most, {} MiB allowed".format(self.name, *sizes)


@dataclass(frozen=True, slots=True)
class Attack:
    """What is done to a process, and how many bytes more the options allow it then.

    ``options``: of section ``openkeel``, ``more``: further sections.
    """

    run: Callable[[Target], contextlib.AbstractAsyncContextManager[None]]
    allowed: int
    options: str = ""
    more: str = ""


def tokens(ground: Ground) -> Attack:
    """1,200 made-up tokens at a time, of 2 kB each, at a Keystone that takes 50 ms."""
    keystone = Keystone()
    keystone.seconds = 0.05

    async def one(target: Target, number: int) -> None:
        for again in range(1000):
            await target.get("/v2/shares", f"made-up-{number}-{again}-".ljust(2000, "a"))

    @contextlib.asynccontextmanager
    async def run(target: Target) -> AsyncIterator[None]:
        async with crowd(one(target, number) for number in range(1200)):
            yield
        keystone.stop()

    section = (
        f"[keystone_authtoken]\nauth_url = http://127.0.0.1:{keystone.server.server_port}/v3\nauth_type = password\n"
        "username = manila\npassword = p\nproject_name = service\nuser_domain_name = Default\n"
        "project_domain_name = Default\nhttp_request_max_retries = 0"
    )
    options = "static_tokens =\nhttp_connections = 1500\nhttp_connections_per_address = 1500"
    return Attack(run, 1200 * 16384, options, section)


def heads(ground: Ground) -> Attack:
    """1,000 connections whose heads are nearly as large as they may be and never end."""
    size = Settings().openkeel.http_head_size

    async def one(target: Target, number: int) -> None:
        lines = b"".join(b"x-%d: %b\r\n" % (line, b"a" * 8000) for line in range(size // 8100))
        await open_for(target, b"GET / HTTP/1.1\r\nHost: x\r\n" + lines, ground.seconds)

    return Attack(_of(one, 1000), 1000 * 2 * size, "http_connections_per_address = 1000")


def bodies(ground: Ground) -> Attack:
    """1,000 connections whose bodies are nearly as large as they may be and never end."""
    settings = Settings()
    size = settings.oslo_middleware.max_request_body_size

    async def one(target: Target, number: int) -> None:
        head = POST + b"Content-Length: %d\r\n\r\n" % size
        await open_for(target, head + b"[" + b"1," * (size // 2 - 10), ground.seconds)

    allowed = 1000 * (size + 2 * BODY_AHEAD)
    return Attack(_of(one, 1000), allowed, "http_connections_per_address = 1000")


def deep(ground: Ground) -> Attack:
    """200 connections that post the body that becomes the most objects, again and again."""
    size = Settings().oslo_middleware.max_request_body_size
    body = b'{"share":{"a":[' + b",".join([b"[]"] * (size // 3 - 20)) + b"]}}"

    async def one(target: Target, number: int) -> None:
        head = POST + b"Content-Length: %d\r\n\r\n" % len(body)
        while True:
            await target.ask(head + body, seconds=600)

    return Attack(_of(one, 200), 200 * 2 * size + 64 * size)


def lists(ground: Ground) -> Attack:
    """200 lists of everything with details at a time, read as they come."""
    fill(ground.database, TENANT_A, ground.shares, whole=True)

    async def one(target: Target, number: int) -> None:
        while True:
            async with contextlib.aclosing(await target.connect()) as wire:
                path = "/v2/shares/detail" if number % 2 else "/v2/shares/detail?limit=1000"
                await wire.send(get(path, more="Connection: close\r\n"))
                await wire.closed(10)

    return Attack(_of(one, 200), LISTS * LIST_SIZE)


def unread(ground: Ground) -> Attack:
    """200 connections that ask for such lists and read nothing."""
    fill(ground.database, TENANT_A, ground.shares, whole=True)
    size = Settings().openkeel.http_unread_size

    async def one(target: Target, number: int) -> None:
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.setblocking(False)
        with contextlib.closing(made):
            await asyncio.get_running_loop().sock_connect(made, (HOST, target.port))
            await asyncio.get_running_loop().sock_sendall(made, get("/v2/shares/detail") * 4)
            await asyncio.sleep(3600)

    return Attack(_of(one, 200), size + LISTS * LIST_SIZE)


ATTACKS: tuple[Callable[[Ground], Attack], ...] = (tokens, heads, bodies, deep, lists, unread)


async def open_for(target: Target, data: bytes, seconds: float) -> None:
    """A connection that sends something and then stays."""
    with contextlib.suppress(ConnectionError):
        async with contextlib.aclosing(await target.connect()) as wire:
            await wire.send(data)
            await asyncio.sleep(3600)


def _of(one: One, number: int) -> Callable[[Target], contextlib.AbstractAsyncContextManager[None]]:
    return lambda target: crowd(one(target, place) for place in range(number))


@contextlib.asynccontextmanager
async def crowd(works: Iterable[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """So much at once, for the time of the block."""
    tasks = [asyncio.create_task(one) for one in works]
    try:
        yield
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def measure(attack: Callable[[Ground], Attack], ground: Ground) -> Seen:
    """Make an attack on a process, and see what it takes; others are answered meanwhile."""
    made = attack(ground)
    async with running(ground.folder, ground.database, own=made.options, more=made.more) as target:
        for _ in range(5):
            await target.get("/v2/shares/detail?limit=1")
        idle = target.memory
        async with made.run(target):
            end = asyncio.get_running_loop().time() + ground.seconds
            statuses: list[int] = []
            while asyncio.get_running_loop().time() < end or 200 not in statuses[-5:]:
                statuses.append((await target.get("/healthcheck", "")).status)
                await asyncio.sleep(0.1)
        return Seen(attack.__name__, idle, target.peak, min(CEILING, idle + made.allowed + SPARE))


async def _all(arguments: argparse.Namespace) -> bool:
    good = True
    for attack in ATTACKS:
        with tempfile.TemporaryDirectory(prefix="manila-memory-") as name:
            folder = pathlib.Path(name)
            folder.chmod(0o755)
            postgres = EmbeddedPostgres(folder / "data", durable=False)
            try:
                url = postgres.create("manila")
                migrate.sync(url)
                seen = await measure(attack, Ground(folder, url, arguments.shares, arguments.seconds))
            finally:
                postgres.stop()
        print(seen, flush=True)
        good &= seen.peak < seen.allowed
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shares", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60)
    return 0 if asyncio.run(_all(parser.parse_args())) else 1


if __name__ == "__main__":
    sys.exit(main())
