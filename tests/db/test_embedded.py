"""The embedded PostgreSQL: who ends it, what happens when it or its user is killed."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest

from db import postmaster
from db.connection import DatabaseUnavailable
from db.embedded import EmbeddedPostgres
from db.postmaster import Postmaster

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOLD = """
import pathlib, sys, time
from db.embedded import EmbeddedPostgres
print(EmbeddedPostgres(pathlib.Path(sys.argv[1]), durable=False).server.pid, flush=True)
time.sleep(600)
"""


def until(holds: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come to that"
        time.sleep(0.05)


def answers(postgres: EmbeddedPostgres) -> bool:
    try:
        psycopg.connect(postgres.url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def another(postgres: EmbeddedPostgres, pid: int) -> Callable[[], bool]:
    """Whether a server other than ``pid`` answers."""
    return lambda: postgres.server.pid not in (None, pid) and answers(postgres)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """A data folder with a database ``kept``; afterwards no server may be left on it."""
    made = pathlib.Path(tmp_path_factory.mktemp("embedded"))
    for parent in (made, *made.parents[:2]):
        parent.chmod(0o755)
    postgres = EmbeddedPostgres(made / "data", durable=False)
    postgres.create("kept")
    postgres.stop()
    yield made / "data"
    assert Postmaster(made / "data", durable=False).pid is None


def test_a_server_without_a_session_left_runs(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postmaster, "CONNECTIONS", 5)
    one, taken = EmbeddedPostgres(folder, durable=False), list[psycopg.Connection]()
    try:
        with pytest.raises(psycopg.OperationalError):
            while len(taken) < 10:
                taken.append(psycopg.connect(one.url))
        other = EmbeddedPostgres(folder, durable=False)
        assert other.server.pid == one.server.pid
        other.stop()
    finally:
        for connection in taken:
            connection.close()
        one.stop()


def test_the_last_user_ends_it(folder: pathlib.Path) -> None:
    one = EmbeddedPostgres(folder, durable=False)
    other = EmbeddedPostgres(folder, durable=False)
    pid = one.server.pid
    assert pid is not None
    assert other.server.pid == pid
    one.stop()
    one.stop()
    assert answers(other)
    assert other.server.pid == pid
    assert other.exists("kept")
    other.stop()
    assert other.server.pid is None
    assert not answers(other)


def test_a_server_that_was_killed_alone_is_started_again(folder: pathlib.Path) -> None:
    postgres = EmbeddedPostgres(folder, durable=False)
    try:
        for number in (signal.SIGKILL, signal.SIGINT):  # out of memory; an operator's pg_ctl stop
            pid = postgres.server.pid
            assert pid is not None
            os.kill(pid, number)
            until(another(postgres, pid))
        assert postgres.exists("kept")
    finally:
        postgres.stop()
    assert postgres.server.pid is None


def test_a_user_that_was_killed_counts_no_more(folder: pathlib.Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )  # fmt: skip
    assert child.stdout is not None
    with child:
        pid = int(child.stdout.readline())
        child.kill()
    postgres = EmbeddedPostgres(folder, durable=False)
    assert postgres.server.pid == pid, "it stayed, and is used again"
    assert postgres.exists("kept")
    postgres.stop()
    assert postgres.server.pid is None


def test_a_number_that_another_process_has_now(folder: pathlib.Path) -> None:
    (folder / "postmaster.pid").write_text(f"{os.getpid()}\n{folder}\n1\n5432\n{folder}\n\n")
    assert Postmaster(folder, durable=False).pid is None
    (folder / "postmaster.pid").unlink()


def test_the_socket_of_a_long_path_is_elsewhere(tmp_path: pathlib.Path) -> None:
    long = tmp_path / ("a" * 100) / "data"
    long.mkdir(parents=True)
    server = Postmaster(long, durable=False)
    try:
        assert server.sockets.stat().st_mode & 0o777 == 0o700
        assert len(str(server.sockets)) < 80
    finally:
        server.sockets.rmdir()


def test_a_folder_of_another_release(tmp_path: pathlib.Path) -> None:
    (tmp_path / "PG_VERSION").write_text("13\n")
    with pytest.raises(DatabaseUnavailable, match="made by PostgreSQL 13"):
        EmbeddedPostgres(tmp_path)
