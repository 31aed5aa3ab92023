"""Clients that ask for much and read nothing: memory stays bounded, and their connections end."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import socket

from tests.hostile.shares import TENANT_A, fill
from tests.hostile.target import CEILING, HOST, Target, Wire, get, running

LIST = "/v2/shares/detail?limit=1000"


def deaf(target: Target) -> socket.socket:
    """A connection whose system takes as little as it can of what it is sent."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect((HOST, target.port))
    return made


async def test_answers_that_nobody_reads(tmp_path: pathlib.Path, database_url: str) -> None:
    """A hundred connections with four lists of 1,000 shares each, 300 MB of answers."""
    fill(database_url, TENANT_A, 1000)
    own = "http_write_timeout = 3\nhttp_unread_size = 20000000"
    async with running(tmp_path, database_url, own=own) as target:
        before, idle = target.memory, target.descriptors
        made = [deaf(target) for _ in range(100)]
        for one in made:
            one.sendall(get(LIST) * 4)
        for _ in range(50):
            assert (await target.get("/healthcheck")).status == 200
            await asyncio.sleep(0.1)
        async with asyncio.timeout(200):
            while target.descriptors > idle + 10:
                await asyncio.sleep(0.2)
        print(f"{before >> 20} MiB before, {target.peak >> 20} MiB at most")
        assert target.peak < CEILING
        assert (await target.get("/v2/shares?limit=1", "member-b-token")).status == 200
        for one in made:
            one.close()


async def test_an_answer_that_is_read_slowly_comes_whole(tmp_path: pathlib.Path, database_url: str) -> None:
    """Each piece has a time of its own: a slow line is no attack."""
    fill(database_url, TENANT_A, 1000)
    async with running(tmp_path, database_url, own="http_write_timeout = 2") as target:
        made = deaf(target)
        made.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=made, limit=4096)
        async with contextlib.aclosing(Wire(reader, writer)) as wire:
            await wire.send(get(LIST))
            head = await reader.readuntil(b"\r\n\r\n")
            left = int(head.lower().partition(b"content-length: ")[2].split()[0])
            while left:
                part = await reader.read(16384)
                assert part, f"{left} bytes were left"
                left -= len(part)
                await asyncio.sleep(0.02)
