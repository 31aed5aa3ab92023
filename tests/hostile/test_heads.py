"""Heads without an end: refused at the limits, without memory, while others are answered."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
from collections.abc import Iterator

import pytest

from tests.hostile.target import CEILING, Answer, Target, Wire, get, running

MEGABYTE = 1 << 20


def endless(first: bytes, unit: bytes) -> Iterator[bytes]:
    """A start, and 64 MiB of what follows it."""
    yield first
    part = unit * (MEGABYTE // len(unit))
    for _ in range(64):
        yield part


async def attack(target: Target, first: bytes, unit: bytes) -> tuple[Answer, int]:
    """The answer to an endless head, and how many bytes could be sent."""
    async with contextlib.aclosing(await target.connect()) as wire:
        sent = 0
        for part in endless(first, unit):
            if not await wire.send(part):
                break
            sent += len(part)
        return await wire.answer(), sent


@pytest.mark.parametrize(
    ("first", "unit", "statuses"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"a:\r\n", {431}),
        (b"GET / HTTP/1.1\r\nHost: x\r\na: ", b"y", {431}),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"y", {431}),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"a: " + b"y" * 8000 + b"\r\n", {431}),
        (b"GET /", b"y", {414}),
        (b"GET /v2/shares?name=", b"%41", {414}),
        (b"", b"\r\n", {400, 431}),
        (b"", b"G", {400}),
        (b"POST /v2/shares HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"y", {400, 401}),
        (b"POST /v2/shares HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n", {401, 431}),
    ],
    ids=["lines", "value", "name", "long-lines", "url", "query", "blank", "method", "chunk-extension", "trailer"],
)
async def test_a_head_without_an_end(target: Target, first: bytes, unit: bytes, statuses: set[int]) -> None:
    """Three of them at a time; another's requests on a kept connection go on being answered."""
    before = target.memory
    async with contextlib.aclosing(await target.connect()) as other:
        attacks = [asyncio.create_task(attack(target, first, unit)) for _ in range(3)]
        while not all(one.done() for one in attacks):
            await other.send(get("/healthcheck"))
            assert (await other.answer()).status == 200
            await asyncio.sleep(0.01)
    for one in attacks:
        answer, sent = await one
        assert answer.status in {*statuses, 0}
        assert sent < 64 * MEGABYTE, "it was cut off before its end"
    print(f"{before >> 20} MiB before, {target.peak >> 20} MiB at most")
    assert target.peak < CEILING
    assert target.peak - before < 24 * MEGABYTE


async def said(target: Target, head: bytes) -> Answer:
    answer = await target.ask(head)
    assert b"connection: close" in answer.head
    assert b"content-type: application/json" in answer.head
    return answer


async def test_limits_are_where_the_options_say(tmp_path: pathlib.Path, database_url: str) -> None:
    lines = "http_head_lines = 20\nhttp_head_size = 5000\nhttp_url_size = 1500"
    async with running(tmp_path, database_url, own=lines, default="max_header_line = 2000") as target:
        assert (await target.get("/v2/", more="a: b\r\n" * 18)).status == 200
        assert (await said(target, get("/v2/", more="a: b\r\n" * 19))).status == 431
        assert (await target.get("/v2/", more=f"a: {'b' * 1995}\r\n")).status == 200
        answer = await said(target, get("/v2/", more=f"a: {'b' * 1996}\r\n"))
        assert answer.status == 431
        assert answer.body == b'{"computeFault":{"code":431,"message":"A header line of the request is too long."}}'
        assert (await said(target, get("/v2/", more=f"a: {'b' * 1800}\r\n" * 3))).status == 431
        assert (await target.get("/v2/" + "?" * 1496)).status == 200
        assert (await said(target, get("/v2/" + "?" * 1497))).status == 414


async def test_a_token_of_nine_thousand_bytes_is_answered(target: Target) -> None:
    assert (await target.get("/v2/", "x" * 9000)).status == 401


async def test_the_answer_reaches_a_client_that_still_sends(target: Target) -> None:
    async with contextlib.aclosing(await target.connect()) as wire:
        await _flood(wire)
        assert (await wire.answer()).status == 431
        assert await wire.closed(20)


async def _flood(wire: Wire) -> None:
    await wire.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 300)
    for _ in range(8):
        await wire.send(b"a: b\r\n" * 1000)
