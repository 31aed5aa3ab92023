"""The API program as operators run it: several processes behind one port, TLS, metrics, and an end without losses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator

import psycopg
import pytest

HERE = pathlib.Path(__file__).parent.parent.parent
TOKENS = HERE / "tests" / "conformance" / "vendored" / "tokens.json"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as made:
        return int(made.getsockname()[1])


@contextlib.asynccontextmanager
async def program(folder: pathlib.Path, text: str, name: str = "api") -> AsyncIterator[asyncio.subprocess.Process]:
    """One of the programs with a configuration; ended with SIGTERM, which must succeed."""
    file = folder / "manila.conf"
    file.write_text(text)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"cli.{name}", "--config-file", str(file), cwd=HERE, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        _, err = await asyncio.wait_for(process.communicate(), 30)
        (folder / "err").write_bytes(err)


def configuration(database: str, port: int, metrics: int, more: str = "", own: str = "") -> str:
    return f"""[DEFAULT]
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = {port}
{more}
[database]
connection = {database}
[openkeel]
static_tokens = {TOKENS}
metrics_port = {metrics}
{own}
"""


async def fetch(url: str, context: ssl.SSLContext | None = None, seconds: float = 120) -> tuple[int, str]:
    """Status and body, as soon as somebody listens."""

    def once() -> tuple[int, str]:
        request = urllib.request.Request(url, headers={"X-Auth-Token": "member-a-token"})
        try:
            with urllib.request.urlopen(request, timeout=10, context=context) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    end = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            return await asyncio.to_thread(once)
        except (OSError, urllib.error.URLError):
            if asyncio.get_running_loop().time() > end:
                raise
            await asyncio.sleep(0.1)


async def test_processes_share_a_port_and_are_counted_together(tmp_path: pathlib.Path, database_url: str) -> None:
    port, metrics = free_port(), free_port()
    text = configuration(database_url, port, metrics, "osapi_share_workers = 2")
    async with program(tmp_path, text) as process:
        status, body = await fetch(f"http://127.0.0.1:{port}/v2/")
        assert (status, json.loads(body)["versions"][0]["version"]) == (200, "2.99")
        for _ in range(20):
            assert (await fetch(f"http://127.0.0.1:{port}/v2/nothing"))[0] == 404
        assert (await fetch(f"http://127.0.0.1:{metrics}/healthz"))[0] == 200
        assert (await fetch(f"http://127.0.0.1:{metrics}/readyz")) == (200, '{"status":"ok"}')
        with psycopg.connect(database_url) as conn:
            conn.execute("INSERT INTO openkeel_tasks (kind, queue, payload) VALUES ('share_create', 'h@a', '{}')")
        figures = (await fetch(f"http://127.0.0.1:{metrics}/metrics"))[1]
        assert 'manila_requests_total{method="GET",status="404"} 20.0' in figures
        assert "manila_tasks_pending 1.0" in figures
        assert 'manila_tasks{queue="h@a",state="waiting"} 1.0' in figures
    assert process.returncode == 0, (tmp_path / "err").read_text()


async def test_figures_of_a_database_that_is_away_are_not_shown(tmp_path: pathlib.Path, database_url: str) -> None:
    """Until it is back, and the process with it: ``ManilaAway`` is about figures that are absent."""
    metrics = free_port()
    name = database_url.partition("?")[0].rpartition("/")[2]
    elsewhere = psycopg.connect(database_url.replace(f"/{name}", "/postgres", 1), autocommit=True)

    async def until_shown(wanted: bool) -> None:
        async with asyncio.timeout(60):
            while True:
                status, figures = await fetch(f"http://127.0.0.1:{metrics}/metrics")
                assert status == 200
                assert "process_cpu_seconds_total" in figures
                if ("\nmanila_tasks_pending 0.0" in figures) == ("\nmanila_tasks{" in figures) == wanted:
                    return
                await asyncio.sleep(0.2)

    with contextlib.closing(elsewhere) as conn:
        async with program(tmp_path, configuration(database_url, free_port(), metrics)) as process:
            await until_shown(True)
            conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
            await until_shown(False)
            assert (await fetch(f"http://127.0.0.1:{metrics}/readyz"))[0] == 503
            conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            await until_shown(True)
    assert process.returncode == 0, (tmp_path / "err").read_text()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl (Debian: openssl)")
async def test_tls(tmp_path: pathlib.Path, database_url: str) -> None:
    command = [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert"),
    ]  # fmt: skip
    await asyncio.to_thread(lambda: subprocess.run(command, check=True, capture_output=True))
    port = free_port()
    own = f"tls_certificate = {tmp_path}/cert\ntls_key = {tmp_path}/key"
    context = ssl.create_default_context(cafile=str(tmp_path / "cert"))
    async with program(tmp_path, configuration(database_url, port, 0, own=own)):
        status, body = await fetch(f"https://127.0.0.1:{port}/v2/", context)
        assert status == 200
        assert f"https://127.0.0.1:{port}/v2/" in body


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("osapi_share_listen = 127.0.0.1", "osapi_share_listen = 0.0.0.0"), "static tokens on 0.0.0.0"),
        (("metrics_port = 0", "metrics_port = 0\nmetrix = 1"), "[openkeel] metrix is not a known option"),
    ],
)
async def test_a_start_that_must_not_be(
    tmp_path: pathlib.Path, database_url: str, change: tuple[str, str], complaint: str
) -> None:
    text = configuration(database_url, free_port(), 0).replace(*change)
    async with program(tmp_path, text) as process:
        await asyncio.wait_for(process.wait(), 30)
    said = (tmp_path / "err").read_text()
    assert process.returncode == 1
    assert complaint in said
    assert "Traceback" not in said


async def test_a_taken_port_is_said(tmp_path: pathlib.Path, database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = int(other.getsockname()[1])
        async with program(tmp_path, configuration(database_url, port, 0)) as process:
            await asyncio.wait_for(process.wait(), 30)
    assert process.returncode == 1
    assert f"can't listen on 127.0.0.1 port {port}: Address already in use" in (tmp_path / "err").read_text()


async def test_a_request_under_way_is_answered_before_the_end(tmp_path: pathlib.Path, database_url: str) -> None:
    port = free_port()
    async with program(tmp_path, configuration(database_url, port, 0)) as process:
        await fetch(f"http://127.0.0.1:{port}/v2/")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = (
            "POST /v2/shares HTTP/1.1\r\nHost: x\r\nX-Auth-Token: member-a-token\r\nContent-Type: application/json\r\n"
        )
        writer.write(f"{head}Content-Length: 4\r\n\r\n{{b".encode())
        await writer.drain()
        await asyncio.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.5)
        assert process.returncode is None
        writer.write(b"ad")
        answer = await asyncio.wait_for(reader.read(), 20)
        writer.close()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Malformed request body" in answer
    assert process.returncode == 0, (tmp_path / "err").read_text()


async def test_the_data_process_says_that_it_is_there(tmp_path: pathlib.Path, database_url: str) -> None:
    metrics = free_port()
    async with program(tmp_path, configuration(database_url, 1, metrics, "host = node7"), "data") as process:
        assert (await fetch(f"http://127.0.0.1:{metrics}/readyz"))[0] == 200
    assert process.returncode == 0, (tmp_path / "err").read_text()
    with psycopg.connect(database_url) as conn:
        found = conn.execute("SELECT topic, state FROM services WHERE \"binary\" = 'manila-data' AND host = 'node7'")
        assert found.fetchall() == [("manila-data", "stopped")]


async def test_the_data_process_knows_its_backup_driver(tmp_path: pathlib.Path, database_url: str) -> None:
    async with program(tmp_path, configuration(database_url, 1, 0, "backup_driver = tape"), "data") as process:
        await asyncio.wait_for(process.wait(), 30)
    assert process.returncode == 1
    assert "backup_driver tape is not one of manila.data.drivers.nfs" in (tmp_path / "err").read_text()
