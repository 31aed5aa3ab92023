"""``manila-manage``: the output that deployment tools read."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest
import yaml

from cli import manage
from db import heartbeats
from db.connection import Database

BASELINE = "afc3b5e1f406"


@pytest.fixture
def run(tmp_path: pathlib.Path, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Runs a command; returns its exit status, output and complaints."""
    file = tmp_path / "manila.conf"
    file.write_text(f"[DEFAULT]\nhost = h\n[database]\nconnection = {database_url}\n")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["manila-manage", "--config-file", str(file), *arguments])
        status = manage.main()
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
async def service(db: Database) -> int:
    async with db.write() as conn:
        return await heartbeats.register(conn, "manila-share", "manila-share", "node1.example@alpha", "nova")


def in_thread(run, *arguments: str) -> tuple[int, str, str]:  # type: ignore[no-untyped-def]
    """The command starts a loop of its own, so it needs a thread of its own here."""
    import concurrent.futures

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        found: tuple[int, str, str] = pool.submit(run, *arguments).result()
    return found


async def test_db_sync_and_version(run, service: int) -> None:  # type: ignore[no-untyped-def]
    assert in_thread(run, "db", "sync") == (0, "", "")
    assert in_thread(run, "db", "version") == (0, f"{BASELINE}\n", "")


async def test_service_list(run, service: int) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = in_thread(run, "service", "list")
    head, line = out.splitlines()
    assert status == 0
    assert head == "Binary           Host                                 Zone             Status     State Updated at"
    assert line.split()[:5] == ["manila-share", "node1", "nova", "enabled", "XXX"]
    assert line.startswith("manila-share     node1                                nova             enabled    XXX   ")
    found = json.loads(in_thread(run, "service", "list", "--format_output", "json")[1])
    assert found["services"][0]["binary"] == "manila-share"
    assert yaml.safe_load(in_thread(run, "service", "list", "--format_output", "yaml")[1]) == found


async def test_a_live_service_smiles(run, db: Database, service: int) -> None:  # type: ignore[no-untyped-def]
    async with db.write() as conn:
        await heartbeats.beat(conn, service)
    assert ":-)" in in_thread(run, "service", "list")[1]
    assert in_thread(run, "service", "cleanup") == (0, "", "")


async def test_cleanup_removes_dead_services(run, service: int) -> None:  # type: ignore[no-untyped-def]
    assert in_thread(run, "service", "cleanup")[1] == "Cleaned up service node1.example@alpha\n"
    assert len(in_thread(run, "service", "list")[1].splitlines()) == 1


async def test_host_list(run, service: int) -> None:  # type: ignore[no-untyped-def]
    out = in_thread(run, "host", "list")[1].splitlines()
    assert out == ["host                     \tzone           ", "node1.example@alpha      \tnova           "]
    assert len(in_thread(run, "host", "list", "other")[1].splitlines()) == 1


def test_config_list_hides_secrets(run) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = run("config", "list")
    assert status == 0
    assert "host = h\n" in out
    assert "osapi_max_limit = 1000\n" in out


def test_what_is_wrong_is_said_in_a_line(run, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "policy.yaml").write_text('"share:create": "nonsense"\n')
    status, _, err = run("policy", "check")
    assert status == 1
    assert err.endswith("policy.yaml:1: rule share:create can't be understood: nonsense\n")
    (tmp_path / "policy.yaml").write_text('"share:create": "@"\n')
    assert run("policy", "check") == (0, "", "")
