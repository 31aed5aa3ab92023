"""Many clients against one limit, over two API processes: exactly as many shares as the limit allows."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator

import httpx2
import pytest

from db import share_types
from db.connection import Database
from db.quota_sets import set_limits
from tests.conformance import launch, settings

PROJECT = "b0000000000000000000000000000000"
CLIENTS, EACH, LIMIT = 64, 20, 100
PROCESSES = 2
HEADERS = {"X-Auth-Token": "member-a-token", "X-OpenStack-Manila-API-Version": "2.65"}


@contextlib.contextmanager
def api_processes(folder: pathlib.Path, database_url: str) -> Iterator[list[str]]:
    """``manila-api`` twice on one database; their URLs."""
    ports = launch.free_ports(PROCESSES)
    children = []
    for port in ports:
        own = folder / str(port)
        own.mkdir()
        file = settings.write(
            own, port=port, database=database_url, neutron="http://127.0.0.1:9", backends=["alpha"], log_level="ERROR"
        )
        # the crowd waits for connections as long as a loaded machine needs; how long is not the matter here
        file.write_text(file.read_text().replace("[database]\n", "[database]\npool_timeout = 60\n"))
        children.append(subprocess.Popen([sys.executable, "-m", "cli.api", "--config-file", str(file)]))
    try:
        yield [f"http://127.0.0.1:{port}" for port in ports]
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.wait(30)


async def serving(http: httpx2.AsyncClient, url: str) -> None:
    """Wait until an API answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            await http.get(f"{url}/")
            return
        except httpx2.TransportError:
            assert time.monotonic() < deadline, f"{url} does not answer"
            await asyncio.sleep(0.1)


async def client(http: httpx2.AsyncClient, url: str) -> list[int]:
    """Statuses of one client's creates, one after the other."""
    statuses = []
    for _ in range(EACH):
        body = {"share": {"share_proto": "NFS", "size": 1}}
        answer = await http.post(f"{url}/v2/shares", json=body, headers=HEADERS, timeout=60)
        statuses.append(answer.status_code)
    return statuses


@pytest.mark.slow
async def test_a_limit_is_exact_whoever_asks(db: Database, database_url: str, tmp_path: pathlib.Path) -> None:
    async with db.write() as conn:
        specs = {"driver_handles_share_servers": "False"}
        type_id = (await share_types.create(conn, "default", None, True, specs))["id"]
        await set_limits(conn, PROJECT, {"shares": LIMIT})
    limits = httpx2.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    with api_processes(tmp_path, database_url) as urls:
        async with httpx2.AsyncClient(limits=limits) as http:
            for url in urls:
                await serving(http, url)
            done = await asyncio.gather(*(client(http, urls[number % PROCESSES]) for number in range(CLIENTS)))
    statuses = Counter(status for one in done for status in one)
    assert statuses == {200: LIMIT, 413: CLIENTS * EACH - LIMIT}
    async with db.read() as conn:
        shares = await conn.one("SELECT count(*) AS n FROM shares WHERE deleted = 'False'")
        usage = await conn.all("SELECT share_type_id, in_use, reserved FROM quota_usages WHERE resource = 'shares'")
        left = await conn.one("SELECT count(*) AS n FROM reservations WHERE deleted = 0")
    assert shares == {"n": LIMIT}
    assert left == {"n": 0}
    assert {row["share_type_id"]: (row["in_use"], row["reserved"]) for row in usage} == {
        None: (LIMIT, 0),
        type_id: (LIMIT, 0),
    }
    assert len(usage) == 2
