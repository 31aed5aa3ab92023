"""Every program and every command says in one line why it can't start, with status 1 and without a trace.

The database is a real PostgreSQL with passwords, on a TCP port and without TLS.
"""

from __future__ import annotations

import os
import pathlib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator

import psycopg
import pytest

from cli import manage
from db import migrate
from db.postmaster import Postmaster
from deploy.bootstrap import ROOT

RULES = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
PASSWORD = "hunter2"
ARGUMENTS = {
    ("backend", "release"): ("id",),
    ("share", "delete"): ("--share_id", "x"),
    ("share", "update_host"): ("--currenthost", "a", "--newhost", "b"),
    ("share_server", "update_share_server_capabilities"): (
        *("--share_servers", "x", "--capabilities", "security_service_update_support"),
    ),
    ("task", "retry"): ("1",),
}
REFUSED = {("db", "downgrade")}
"""What is refused whatever the database says."""
WITH_DATABASE = [key for key in manage.COMMANDS if key[0] not in manage.WITHOUT_DATABASE and key not in REFUSED]
CONF = """\
[DEFAULT]
host = h
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = {port}
enabled_share_backends = b
[database]
connection = {url}
max_pool_size = 100
[openkeel]
metrics_port = 0
[keystone_authtoken]
auth_type = password
auth_url = http://127.0.0.1:1/v3
username = manila
password = secret
project_name = service
user_domain_name = Default
project_domain_name = Default
[b]
share_driver = dummy
driver_handles_share_servers = false
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a PostgreSQL: databases ``manila`` (migrated) and ``empty``, users ``manila`` and ``guest``."""
    folder = tmp_path_factory.mktemp("pg")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    port = free_port()
    (folder / "data").mkdir()
    made = Postmaster(folder / "data", durable=False)
    made._made.ensure_pgdata_inited()
    (folder / "data" / "pg_hba.conf").write_text(RULES)
    made._options += f" -h 127.0.0.1 -c port={port}"
    os.environ["PGPORT"] = str(port)  # it looks for its socket by this
    try:
        made.start()
        with psycopg.connect(made.url, autocommit=True) as conn:
            for name in ("manila", "guest"):
                conn.execute(f"CREATE USER {name} PASSWORD '{PASSWORD}'")
            conn.execute("CREATE DATABASE manila OWNER manila")
            conn.execute("CREATE DATABASE empty OWNER manila")
        os.environ.pop("PGPORT")
        migrate.sync(f"postgresql://manila:{PASSWORD}@127.0.0.1:{port}/manila")
        os.environ["PGPORT"] = str(port)
        yield port
    finally:
        made.stop()
        os.environ.pop("PGPORT", None)


FAULTS = {
    "closed port": ("postgresql://manila:{password}@127.0.0.1:1/manila", "refused"),
    "wrong password": ("postgresql://manila:wr0ng@127.0.0.1:{port}/manila", "password authentication failed"),
    "no such database": ("postgresql://manila:{password}@127.0.0.1:{port}/nowhere", '"nowhere" does not exist'),
    "unknown host": ("postgresql://manila:{password}@db.invalid/manila", "db.invalid"),
    "no TLS": ("postgresql://manila:{password}@127.0.0.1:{port}/manila?sslmode=require", "SSL"),
    "no certificate": (
        "postgresql://manila:{password}@127.0.0.1:{port}/manila?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
        "SSL",
    ),
    "unreadable": ("postgresql://manila:{password}@more@127.0.0.1:x/manila", "written as %XX"),
    "no URL": ("manila", "written as %XX"),
    "another database": ("mysql+pymysql://manila:{password}@127.0.0.1/manila", "only PostgreSQL"),
}
WITHIN = {
    "no tables": ("postgresql://manila:{password}@127.0.0.1:{port}/empty", "db sync"),
    "no rights": ("postgresql://guest:{password}@127.0.0.1:{port}/manila", "permission denied"),
}
"""The database lets the user in, and then does not give what is asked."""
THOROUGH = [("db", "sync"), ("db", "version"), ("db", "purge"), ("service", "list")]
"""Commands of each way to reach the database."""
NOT_WITHIN = {("db", "sync"), ("db", "stamp"), ("db", "version"), ("backend", "orphans")}
NOT_WITHIN |= {("backend", "broken"), ("backend", "release")}
"""Commands that make the tables, need none, or look at back ends first."""


@pytest.fixture
def called(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], server: int
) -> Callable[..., tuple[int, str]]:
    """Runs a program on the database of a URL; its status and what it said on standard error."""
    file = tmp_path / "manila.conf"

    def call(url: str, main: Callable[[], int], *words: str) -> tuple[int, str]:
        monkeypatch.delenv("PGPORT", raising=False)
        file.write_text(
            CONF.format(url=url.format(port=server, password=PASSWORD).replace("%", "%%"), port=free_port())
        )
        monkeypatch.setattr(sys, "argv", ["manila-x", "--config-file", str(file), *words])
        capfd.readouterr()
        status = main()
        return status, capfd.readouterr().err

    return call


def _is_a_line(outcome: tuple[int, str], expected: str) -> None:
    status, said = outcome
    assert status == 1, said
    assert said.count("\n") == 1 and "Traceback" not in said, said
    assert expected in said and PASSWORD not in said and "wr0ng" not in said


@pytest.mark.parametrize(
    ("key", "fault"),
    [(key, "closed port") for key in WITH_DATABASE]
    + [(key, fault) for key in THOROUGH for fault in FAULTS if fault != "closed port"],
    ids=lambda one: one if isinstance(one, str) else " ".join(one),
)
def test_a_command_without_its_database(called, key: tuple[str, str], fault: str) -> None:  # type: ignore[no-untyped-def]
    url, expected = FAULTS[fault]
    _is_a_line(called(url, manage.main, *key, *ARGUMENTS.get(key, ())), expected)


@pytest.mark.parametrize("fault", WITHIN)
@pytest.mark.parametrize("key", [key for key in WITH_DATABASE if key not in NOT_WITHIN], ids=" ".join)
def test_a_command_on_a_database_that_is_not_prepared(called, key: tuple[str, str], fault: str) -> None:  # type: ignore[no-untyped-def]
    url, expected = WITHIN[fault]
    _is_a_line(called(url, manage.main, *key, *ARGUMENTS.get(key, ())), expected)


def test_the_schema_can_not_be_made_without_rights(called) -> None:  # type: ignore[no-untyped-def]
    for words in (("db", "version"), ("db", "stamp"), ("db", "sync")):
        _is_a_line(called(WITHIN["no rights"][0], manage.main, *words), "permission denied")


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("all", "wrong password"),
        ("api", "closed port"),
        ("data", "no rights"),
        ("scheduler", "no URL"),
        ("share", "no tables"),
    ],
)
def test_a_service_without_its_database(tmp_path: pathlib.Path, server: int, name: str, fault: str) -> None:
    url, expected = {**FAULTS, **WITHIN}[fault]
    _is_a_line(_program(tmp_path, f"cli.{name}", url.format(port=server, password=PASSWORD)), expected)


@pytest.mark.parametrize("words", [("db", "sync"), ("db", "version"), ("service", "list")])
def test_a_command_as_a_program_of_its_own(tmp_path: pathlib.Path, words: tuple[str, ...]) -> None:
    url = FAULTS["closed port"][0].format(password=PASSWORD)
    _is_a_line(_program(tmp_path, "cli.manage", url, *words), "refused")


def _program(folder: pathlib.Path, module: str, url: str, *words: str) -> tuple[int, str]:
    """Status and standard error, without records of the log that are no errors."""
    file = folder / "manila.conf"
    file.write_text(CONF.format(url=url.replace("%", "%%"), port=free_port()))
    env = {name: value for name, value in os.environ.items() if name != "PGPORT"}
    command = [sys.executable, "-m", module, "--config-file", str(file), *words]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    lines = done.stderr.splitlines(keepends=True)
    return done.returncode, "".join(line for line in lines if " INFO " not in line)


@pytest.mark.parametrize(
    ("module", "wrong", "expected"),
    [
        ("node_agent", {"METRICS_PORT": "many"}, "many"),
        ("node_agent", {"LOG_LEVEL": "LOUD"}, "LOUD"),
        ("node_agent", {"NAMESPACE": ""}, "NODE_NAME"),
        ("ganesha_agent", {}, ""),
        ("gateway", {}, "environment is incomplete"),
    ],
)
def test_an_agent_with_a_wrong_environment(module: str, wrong: dict[str, str], expected: str) -> None:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "KUBECONFIG": "/nowhere", **wrong}
    command = [sys.executable, "-m", f"cli.{module}"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    _is_a_line((done.returncode, done.stderr), expected)
