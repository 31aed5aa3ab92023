"""Clients that are silent, slow, or many: their connections end, and others are answered meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib

import psutil
import pytest

from tests.hostile.target import CEILING, HOST, Target, Wire, get, running

SHORT = """
http_first_byte_timeout = 1
http_head_timeout = 1
http_body_timeout = 1
http_write_timeout = 1
"""
BODY = b"POST /v2/shares HTTP/1.1\r\nHost: x\r\nX-Auth-Token: member-a-token\r\nContent-Type: application/json\r\n"


@contextlib.asynccontextmanager
async def many(target: Target, number: int, data: bytes = b""):  # type: ignore[no-untyped-def]
    """So many connections that send the same and then nothing; those that were refused are left out."""
    wires: list[Wire] = []
    try:
        for _ in range(number):
            with contextlib.suppress(ConnectionError):
                wires.append(await target.connect())
                await wires[-1].send(data)
        yield wires
    finally:
        for wire in wires:
            await wire.aclose()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", 0),
        (b"\r\n", 408),
        (b"GET / HT", 408),
        (b"GET / HTTP/1.1\r\nHost: x\r\na", 408),
        (BODY + b'Content-Length: 30\r\n\r\n{"sha', 408),
        (BODY + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"sha\r\n', 408),
        (get("/v2/", ""), 401),
        (get("/"), 300),
        (get("/") + b"GET / HT", 300),
    ],
    ids=["silent", "blank", "line", "head", "body", "chunks", "stranger", "kept", "next-head"],
)
async def test_what_does_not_come_is_not_waited_for(
    tmp_path: pathlib.Path, database_url: str, data: bytes, status: int
) -> None:
    async with running(tmp_path, database_url, own=SHORT) as target:
        async with many(target, 50, data) as wires:
            assert len(wires) == 50
            for wire in wires:
                assert (await wire.answer()).status == status
                assert await wire.closed()
        assert _open(target) == 0, "none is left behind"


async def test_bytes_that_drip_do_not_lengthen_the_time(tmp_path: pathlib.Path, database_url: str) -> None:
    async with (
        running(tmp_path, database_url, own=SHORT) as target,
        contextlib.aclosing(await target.connect()) as head,
        contextlib.aclosing(await target.connect()) as body,
    ):
        await head.send(b"GET / HTTP/1.1\r\n")
        await body.send(BODY + b"Content-Length: 1000\r\n\r\n")
        for wire in (head, body):
            answering = asyncio.create_task(wire.answer(30))
            while not answering.done():
                await wire.send(b"a")
                await asyncio.sleep(0.05)
            assert (await answering).status in (408, 0)


async def test_a_request_whose_body_does_not_come_is_not_carried_out(tmp_path: pathlib.Path, database_url: str) -> None:
    whole = b'{"share": {"share_proto": "NFS", "size": 1}}'
    async with running(tmp_path, database_url, own=SHORT) as target:
        async with many(target, 5, BODY + b"Content-Length: 60\r\n\r\n" + whole) as wires:
            for wire in wires[:2]:
                wire.writer.write_eof()
            for wire in wires[2:]:
                assert (await wire.answer()).status == 408
        assert (await target.get("/v2/shares")).body == b'{"shares":[]}'
        assert "unexpected error" not in target.log


async def test_silent_connections_beyond_the_descriptors(tmp_path: pathlib.Path, database_url: str) -> None:
    """300 of them where 256 descriptors are allowed: everybody is answered, and the log is short."""
    async with running(tmp_path, database_url, descriptors=256) as target, many(target, 300) as wires:
        assert len(wires) == 300
        for _ in range(20):
            assert (await target.get("/healthcheck")).status == 200
            assert (await target.get("/v2/shares")).status == 200
        assert await _metrics_answer(target)
        assert target.descriptors < 256
        assert len(target.log.splitlines()) < 30, target.log


async def test_connections_that_come_and_go_beyond_the_limit(tmp_path: pathlib.Path, database_url: str) -> None:
    """Half heads: the oldest make room. A connection on which a token was good stays longer than those."""
    own = "http_connections = 60\nhttp_connections_per_address = 50"
    async with (
        running(tmp_path, database_url, own=own) as target,
        contextlib.aclosing(await target.connect()) as known,
    ):
        await known.send(get("/v2/shares"))
        assert (await known.answer()).status == 200
        for _ in range(4):
            async with many(target, 70, b"GET / HTTP/1.1\r\n"):
                assert (await target.get("/healthcheck")).status == 200
                assert _open(target) <= 50
        await known.send(get("/v2/shares"))
        assert (await known.answer()).status == 200
        assert 'manila_http_ended_total{kind="replaced"}' in (await _metrics(target))


async def test_an_address_can_have_some_connections_only(tmp_path: pathlib.Path, database_url: str) -> None:
    own = "http_connections = 60\nhttp_connections_per_address = 10"
    async with running(tmp_path, database_url, own=own) as target, many(target, 40):
        reader, writer = await asyncio.open_connection(HOST, target.port, local_addr=("127.0.0.9", 0))
        elsewhere = Wire(reader, writer)
        await elsewhere.send(get("/v2/shares"))
        assert (await elsewhere.answer()).status == 200
        assert _open(target) <= 11
        await elsewhere.aclose()


async def test_silent_connections_do_not_close_the_port_of_health(target: Target) -> None:
    wires = []
    for _ in range(100):
        reader, writer = await asyncio.open_connection(HOST, target.metrics)
        wires.append(Wire(reader, writer))
    assert await _metrics_answer(target)
    for wire in wires:
        await wire.aclose()
    assert target.peak < CEILING


def _open(target: Target) -> int:
    """Connections of the process."""
    return len([one for one in psutil.Process(target.pid).net_connections("tcp") if one.status == "ESTABLISHED"])


async def _metrics(target: Target) -> str:
    reader, writer = await asyncio.open_connection(HOST, target.metrics, limit=1 << 20)
    async with contextlib.aclosing(Wire(reader, writer)) as wire:
        await wire.send(get("/metrics", ""))
        return (await wire.answer()).body.decode()


async def _metrics_answer(target: Target) -> bool:
    reader, writer = await asyncio.open_connection(HOST, target.metrics)
    async with contextlib.aclosing(Wire(reader, writer)) as wire:
        await wire.send(get("/healthz", ""))
        return (await wire.answer()).status == 200
