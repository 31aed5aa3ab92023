"""The share manager and a back end that can't be served as it is configured: the others go on, and it is told once."""

from __future__ import annotations

import asyncio
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from cli.roles import share
from db import service_rows
from db.connection import Database
from generated.errors import BadConfigurationException
from generated.settings import BackendSection, DefaultSection, Settings
from services.core import Core
from services.policy import Policy


def section(driver: str) -> BackendSection:
    return BackendSection(share_backend_name=driver, share_driver=driver, driver_handles_share_servers=False)


def settings(**backends: str) -> Settings:
    return Settings(
        default=DefaultSection(host="node1", enabled_share_backends=tuple(backends), report_interval=1),
        backends={name: section(driver) for name, driver in backends.items()},
    )


async def test_the_other_back_ends_go_on(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(share.LOG, "error", lambda _, **values: said.append(values))
    told, stop = settings(generic1="manila.share.drivers.generic.GenericShareDriver", alpha="dummy"), asyncio.Event()
    serving = asyncio.create_task(share.serve(Core(db, told, Policy()), "share", stop, None))
    try:
        async with asyncio.timeout(30):
            while await alive(db) != {"node1@alpha": True, "node1@generic1": False}:
                assert not serving.done(), serving.exception()
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await serving
    ((line),) = said
    assert line["backend"] == "node1@generic1"
    assert "[generic1] the driver manila.share.drivers.generic.GenericShareDriver is not here" in line["error"]
    assert "longhorn-rwx" in line["error"]


async def alive(db: Database) -> dict[str, bool]:
    async with db.read() as conn:
        return {row["host"]: row["alive"] for row in await service_rows.all_services(conn, 60)}


async def test_without_a_single_good_one_the_start_is_refused(db: Database) -> None:
    told = settings(one="nonsense", two="nothing")
    with pytest.raises(BadConfigurationException, match=r"\[one\] the driver nonsense .*; \[two\] the driver nothing"):
        await share.serve(Core(db, told, Policy()), "share", asyncio.Event(), None)


REFUSED = {
    "an unknown driver": ("connection = {url}", "share_driver = nonsense", "[k] the driver nonsense is not here"),
    "a misspelt attachment": (
        "connection = {url}",
        "share_driver = ganesha-kubernetes\nkubernetes_attachment = ovn_port",
        "[k] kubernetes_attachment: ",
    ),
    "a database of another kind": (
        "connection = mysql+pymysql://manila:hunter2@db/manila",
        "share_driver = dummy",
        "[database] connection is of mysql+pymysql: only PostgreSQL can be used here",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_start_ends_with_a_line_and_no_trace(what: str, tmp_path: pathlib.Path, database_url: str) -> None:
    database, backend, line = REFUSED[what]
    file = tmp_path / "manila.conf"
    file.write_text(
        f"[DEFAULT]\nenabled_share_backends = k\n[openkeel]\nmetrics_port = 0\n"
        f"[database]\n{database.format(url=database_url)}\n"
        f"[k]\nshare_backend_name = K\ndriver_handles_share_servers = False\n{backend}\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "cli.share", "--config-file", str(file)], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 1
    assert line in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr
    assert "hunter2" not in ended.stderr
