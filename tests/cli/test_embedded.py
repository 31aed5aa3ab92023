"""A service on its embedded database as a process: killed, its database killed, and the operator's commands on it."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable

import pytest

from cli import manage as manila_manage
from db.postmaster import Postmaster

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKENS = ROOT / "tests" / "conformance" / "vendored" / "tokens.json"
TERM_SECONDS = 40
"""A generous bound of an end whose database has just gone; it takes a few seconds."""


@pytest.fixture
def conf(tmp_path: pathlib.Path) -> pathlib.Path:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    file = tmp_path / "manila.conf"
    file.write_text(f"""[DEFAULT]
host = here
enabled_share_backends = dummy
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = 0
[openkeel]
embedded_database = {tmp_path}/database
static_tokens = {TOKENS}
metrics_port = 0
[dummy]
share_backend_name = dummy
share_driver = dummy
driver_handles_share_servers = False
""")
    return file


class Service:
    """``manila-all`` as a process."""

    def __init__(self, conf: pathlib.Path, port: int) -> None:
        self.conf, self.port = conf, port
        conf.write_text(conf.read_text().replace("listen_port = 0", f"listen_port = {port}"))
        self.log = conf.with_name("manila.log")

    async def start(self) -> None:
        with self.log.open("a") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "cli.all", "--config-file", str(self.conf), cwd=ROOT, stdout=log, stderr=log
            )
        await self.status(200)

    async def status(self, wanted: int) -> None:
        """Wait until a list, which reads the database, is answered so."""

        def once() -> int:
            request = urllib.request.Request(
                f"http://127.0.0.1:{self.port}/v2/shares", headers={"X-Auth-Token": "member-a-token"}
            )
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                with error:
                    return error.code
            except OSError:
                return 0

        end = time.monotonic() + 90
        while (found := await asyncio.to_thread(once)) != wanted:
            assert time.monotonic() < end, f"{found} instead of {wanted}: {self.log.read_text()[-2000:]}"
            assert self.process.returncode is None, self.log.read_text()[-2000:]
            await asyncio.sleep(0.1)

    async def end(self) -> float:
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(self.process.wait(), TERM_SECONDS)
        return time.monotonic() - began


@pytest.fixture
def manage(
    conf: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Awaitable[str]]:
    """Runs a command, which must succeed; what it printed."""

    async def call(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["manila-manage", "--config-file", str(conf), *words])
        capsys.readouterr()
        status = await asyncio.to_thread(manila_manage.main)
        said = capsys.readouterr()
        assert status == 0, said.err
        return said.out

    return call


@pytest.mark.slow
async def test_the_database_comes_and_goes_with_its_users(
    conf: pathlib.Path,
    manage: Callable[..., Awaitable[str]],
    unused_tcp_port: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    database = Postmaster(conf.with_name("database"), durable=True)
    assert not (conf.parent / "database").exists()
    await manage("config", "list")
    assert not (conf.parent / "database").exists(), "the configuration needs no database"
    await manage("db", "sync")
    version = await manage("db", "version")
    assert database.pid is None, "a command on its own leaves no server"

    service = Service(conf, unused_tcp_port)
    await service.start()
    async with asyncio.timeout(60):  # its worker may be there later than its API
        while "manila-share" not in await manage("service", "list"):
            await asyncio.sleep(0.2)
    assert await manage("db", "version") == version
    pid = database.pid
    assert pid is not None, "a command beside the service leaves its server alone"

    service.process.kill()
    await service.process.wait()
    assert database.pid == pid
    await service.start()
    os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 60
    while database.pid in (None, pid):
        assert time.monotonic() < end, service.log.read_text()[-3000:]
        await asyncio.sleep(0.05)
    await service.status(200)

    pid = database.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    seconds = await service.end()
    with capsys.disabled():
        print(json.dumps({"SIGTERM just after the database was killed, seconds": round(seconds, 1)}))
    assert service.process.returncode == 0, service.log.read_text()[-3000:]
    assert database.pid is None
